from rules.engine.run import StepRun


def trading(run: StepRun) -> None:
    """Not written yet."""
