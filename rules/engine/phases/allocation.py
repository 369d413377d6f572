from rules.engine.run import StepRun


def allocation(run: StepRun) -> None:
    """Not written yet."""
