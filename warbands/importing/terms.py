"""What the warband of a file was founded and played by: the settings it names, and the packs that are here too."""

from typing import Any

import msgspec
from django.utils.translation import gettext as _

from accounts.models import User
from rules.access import packs_to_use
from rules.editions import pins_of
from rules.engine.settings import CampaignSettings
from rules.models import PackEdition
from warbands.carried import Carried, carried, carried_from
from warbands.importing.text import Refused
from warbands.models import Warband
from warbands.portable import File
from warbands.settings import Terms, founding_terms, with_settings

LONGEST_NAME = 60


def terms_in(file: File, reader: User) -> tuple[Carried, Terms]:
    found = carried(_overrides(file), _packs(file, reader))
    return found, founding_terms(Warband(founded_for=found))


def _overrides(file: File) -> dict[str, Any]:
    """Only what a campaign can set."""
    sentence = _("The warband of the file was founded by settings that this site does not know: %(problem)s.")
    strange = file.overrides.keys() - set(CampaignSettings.__struct_fields__)
    if strange:
        raise Refused(sentence % {"problem": sorted(strange)[0][:LONGEST_NAME]})
    try:
        msgspec.convert(file.overrides, CampaignSettings)
    except msgspec.ValidationError as error:
        raise Refused(sentence % {"problem": error}) from error
    return file.overrides


def _packs(file: File, reader: User) -> dict[str, str]:
    """Published editions that the reader may use, or plays with already; what is not here is not known here."""
    named = dict(pins_of({used.id: used.version for used in file.packs}))
    if not named:
        return {}
    here = PackEdition.objects.filter(pack__key__in=named).exclude(state=PackEdition.State.DRAFT)
    published = set(here.values_list("pack__key", "number"))
    usable = set(packs_to_use(reader).filter(key__in=named).values_list("key", flat=True)) | _played_by(reader)
    return {key: str(number) for key, number in named.items() if (key, number) in published and key in usable}


def _played_by(reader: User) -> set[str]:
    own = with_settings(Warband.objects.filter(owner=reader))
    return {key for warband in own for key in (carried_from(warband).get("house") or {}).get("packs", {})}
