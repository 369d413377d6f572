from rules.engine.run import StepRun


def warband(run: StepRun) -> None:
    """Not written yet."""
