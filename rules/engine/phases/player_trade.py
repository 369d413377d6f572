from rules.engine.run import StepRun


def player_trade(run: StepRun) -> None:
    """Not written yet."""
