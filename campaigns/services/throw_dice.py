"""A roll is made: by the server, or at the table and typed in."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from accounts.models import User
from campaigns.models import Run
from campaigns.postgame import EVERY
from campaigns.services.hold_run import Held, held_run, refuse_stranger, refuse_waiting
from campaigns.settings import PHYSICAL, SERVER
from campaigns.walk.trace import Wanted
from rules.engine.dice import checked_face
from rules.engine.errors import InputError, RuleViolation


def throw_dice(*, actor: User, run: Run, key: str, expected_version: int | None = None) -> Run:
    """The server throws. A roll that was made meanwhile is not made again."""
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        _refuse_way(held, PHYSICAL, _("This campaign plays with dice on the table. Type in what they show."))
        wanted = _wanted(held, actor, key)
        if wanted.shared:
            share(held, key, [])
        elif key in held.run.typed:
            raise RuleViolation("typed", _("This roll was made at the table. Type in the die that is thrown again."))
        else:
            held.run.thrown = [*held.run.thrown, key]
        held.go_on()
    return held.run


def throw_all(*, actor: User, run: Run, expected_version: int | None = None) -> Run:
    """The server makes every roll of this step that is not made yet."""
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        _refuse_way(held, PHYSICAL, _("This campaign plays with dice on the table. Type in what they show."))
        refuse_stranger(held, actor)
        refuse_waiting(held)
        held.run.thrown = [*held.run.thrown, EVERY]
        held.playing.share(held.outcome())
        held.go_on()
    return held.run


def type_dice(*, actor: User, run: Run, key: str, faces: Sequence[int], expected_version: int | None = None) -> Run:
    """What the dice on the table show; after a fate reroll, only the die that was thrown again."""
    with held_run(run, actor=actor, expected_version=expected_version) as held:
        _refuse_way(held, SERVER, _("This campaign plays with the server's dice."))
        wanted = _wanted(held, actor, key)
        shown = [*held.run.typed.get(key, []), *checked(faces, key)]
        if len(shown) != wanted.count:
            missing = wanted.count - len(held.run.typed.get(key, []))
            raise RuleViolation("wrong_count", _("This roll needs %(count)s dice.") % {"count": missing})
        if key in held.run.thrown:
            raise RuleViolation("thrown", _("The server has made this roll."))
        if wanted.shared:
            share(held, key, shown)
        else:
            held.run.typed = held.run.typed | {key: shown}
        held.go_on()
    return held.run


def checked(faces: Sequence[int], key: str) -> list[int]:
    try:
        return [checked_face(face, key) for face in faces]
    except InputError as nonsense:
        raise RuleViolation("no_face", _("A die shows 1 to 6.")) from nonsense


def _refuse_way(held: Held, unless: str, why: str) -> None:
    if held.table.campaign.house_rules.dice == unless:
        raise RuleViolation("dice_setting", why)


def _wanted(held: Held, actor: User, key: str) -> Wanted:
    refuse_stranger(held, actor)
    refuse_waiting(held)
    wanted = held.outcome().wanted
    if wanted is None or wanted.key != key:
        raise RuleViolation("not_wanted", _("This roll has been made, or is not due yet. Look at the page again."))
    return wanted


def share(held: Held, key: str, faces: list[int]) -> None:
    """For everybody at the table, in the battle's own row, which is locked."""
    battle = held.table.battle
    battle.shared_dice = battle.shared_dice | {key: faces}
    battle.save(update_fields=["shared_dice"])
