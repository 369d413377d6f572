"""What those who run a campaign do: the console, reminders, and changes by hand, each with a reason."""

from api.calls.gm import battles, by_hand, console, interventions, owners, postgame

__all__ = ["battles", "by_hand", "console", "interventions", "owners", "postgame"]
