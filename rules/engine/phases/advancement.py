from rules.engine.run import StepRun


def advancement(run: StepRun) -> None:
    """Not written yet."""
