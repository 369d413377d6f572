from rules.engine.run import StepRun


def injury(run: StepRun) -> None:
    """Not written yet."""
