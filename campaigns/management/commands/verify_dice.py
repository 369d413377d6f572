"""Check the dice of a battle: from a file that was downloaded, without a database, or by its name."""

import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from campaigns.models import Battle
from campaigns.proof import Proof, check, proof_of, read_proof
from rules.engine.errors import InputError


class Command(BaseCommand):
    help = "Recomputes every roll of a battle from its seed. Takes a file from its proof page, or CAMPAIGN-NUMBER."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", metavar="FILE_OR_BATTLE", help=_("a downloaded file, or a battle such as 3-14"))

    def handle(self, *args: Any, **options: Any) -> None:
        what = options["what"]
        proof = _from_file(Path(what)) if Path(what).is_file() else _from_battle(what)
        if not proof.seed:
            raise CommandError(_("The seed is told when the battle is over. Until then there is nothing to check."))
        verdict = check(proof)
        if not verdict.seed_fits:
            self.stderr.write(_("The seed does not fit what was published before the first roll."))
        for one in verdict.wrong:
            facts = {"key": one.roll.key, "faces": _dice(one.roll.faces), "expected": _dice(one.expected)}
            self.stderr.write(_("%(key)s shows %(faces)s, and the seed gives %(expected)s.") % facts)
        counts = {"fitting": verdict.fitting, "all": verdict.provable, "physical": verdict.physical}
        said = _("%(fitting)s of %(all)s rolls are those of the seed. Thrown at a table: %(physical)s.")
        self.stdout.write(said % counts)
        if not verdict.is_true:
            raise CommandError(_("These dice are not those of the seed."))


def _dice(faces: tuple[int, ...]) -> str:
    return " ".join(map(str, faces))


def _from_file(path: Path) -> Proof:
    try:
        return read_proof(path.read_bytes())
    except InputError as nonsense:
        raise CommandError(str(nonsense)) from nonsense


def _from_battle(name: str) -> Proof:
    match = re.fullmatch(r"(\d{1,18})-(\d{1,9})", name)
    found = Battle.objects.filter(campaign=int(match[1]), number=int(match[2])).first() if match else None
    if found is None:
        raise CommandError(_("There is neither a file nor a battle called %(name)s.") % {"name": name})
    return proof_of(found)
