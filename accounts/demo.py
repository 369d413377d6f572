"""The people of the demo campaign. They exist on development machines only."""

from dataclasses import dataclass

PASSWORD = "salt-road-winter"  # noqa: S105


@dataclass(frozen=True)
class Login:
    name: str
    role: str

    @property
    def email(self) -> str:
        return f"{self.name.lower()}@example.com"


LOGINS = (
    Login("Ilse", "player"),
    Login("Priya", "game master, and a player"),
    Login("Dagny", "player"),
    Login("Marek", "player"),
    Login("Ruben", "player"),
    Login("Tomasz", "player"),
    Login("Otto", "operator of the site"),
)
