from rules.engine.run import StepRun


def exploration(run: StepRun) -> None:
    """Not written yet."""
