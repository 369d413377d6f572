from rules.engine.run import StepRun


def experience(run: StepRun) -> None:
    """Not written yet."""
