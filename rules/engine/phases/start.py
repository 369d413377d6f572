from rules.engine.run import StepRun


def start(run: StepRun) -> None:
    """Not written yet."""
