from rules.engine.run import StepRun


def underdog(run: StepRun) -> None:
    """Not written yet."""
