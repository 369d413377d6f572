"""What a campaign, its state and a member of it can be."""

from typing import Literal

Status = Literal["gathering", "running", "ended"]
Kind = Literal["open", "tournament", "ladder"]
Visibility = Literal["private", "link", "public"]
Role = Literal["gm", "co_gm", "player", "spectator"]
