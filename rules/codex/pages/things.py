"""Items, mounts and upgrades, with their prices."""

from collections.abc import Iterator, Mapping

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.codex.bonuses import say_bonuses, say_use
from rules.codex.chances import percent
from rules.codex.kinds import CATEGORIES
from rules.codex.links import THINGS, joined, link, rule_link, rule_term
from rules.codex.listing import Listed, codex, find
from rules.codex.numbers import changes, characteristic, price, signed, span, worked
from rules.codex.pages.parts import Cell, Fact, Links, Page, Priced, Profile, Says, Terms, facts, unique
from rules.codex.reading import pack
from rules.codex.says import Branch, Said, say_all
from rules.engine.errors import RuleViolation
from rules.engine.odds import rarity_chance
from rules.engine.pack.effects import Row
from rules.engine.pack.schema import Item, MountProfile, Upgrade
from rules.engine.prices import fits, quote

STATUSES = range(1, 7)
USER = {"User": gettext_lazy("the user’s own"), "-": gettext_lazy("none")}


def item_page(listed: Listed) -> Page:
    item: Item = listed.content
    return Page(
        profiles=_mount_profiles(item.mount) if item.mount else (),
        facts=_item_facts(item),
        price=priced(item.name, ()) if item.price else None,
        rarity_percent=percent(rarity_chance(item.rarity)) if item.rarity else "",
        terms=(Terms(gettext_lazy("Keywords"), tuple(map(rule_term, _keywords(item)))),) if _keywords(item) else (),
        says=(details(item.details),) if item.details else (),
        upgrades=tuple(_upgrades_for(item)),
        links=carriers(item.name),
    )


def _keywords(item: Item) -> tuple[str, ...]:
    return item.mount.rules if item.mount else item.keywords


def _item_facts(item: Item) -> tuple[Fact, ...]:
    weapon = item.category in ("close_combat", "shooting", "small_firearm") or item.strength
    return facts(
        (_("Kind"), CATEGORIES[item.category]),
        (_("Hands"), _hands(item)),
        (_("Range"), f"{item.range}″" if item.range else ""),
        (_("Shots"), item.shots or ""),
        (_("Strength"), _weapon_value(item.strength) if weapon else ""),
        (_("AP"), _weapon_value(item.ap) if weapon else ""),
        (_("Gives"), say_bonuses(item.bonuses)),
        (_("Rider"), _("%(changes)s.") % {"changes": joined(changes(item.mount.rider))} if item.mount else ""),
        (_("Used"), [say_use(use) for use in item.uses]),
        (_("Limits"), list(_limits(item))),
        (_("Stockpile"), _stockpile(item)),
    )


def _hands(item: Item) -> str:
    if item.hands is not None:
        return str(item.hands)
    return _("Not known, the book’s number is lost") if item.category == "close_combat" else ""


def _weapon_value(value: str) -> str:
    if value in USER:
        return str(USER[value])
    return _("user %(change)s") % {"change": signed(int(value))} if value[:1] in "+-" and value else value


def _limits(item: Item) -> Iterator[str]:
    if item.only_mounted:
        yield _("For riders only.")
    if item.not_mounted:
        yield _("On foot only.")
    if item.only_large:
        yield _("For Large models only.")
    if item.slots:
        yield format_html(_("Takes these places: {slots}."), slots=joined(str(CATEGORIES[slot]) for slot in item.slots))
    if item.excludes:
        barred = joined(str(CATEGORIES[name]) if name in CATEGORIES else link(name, *THINGS) for name in item.excludes)
        count = item.excludes_from
        said = ngettext("Not together with {barred}.", "{count} of them not together with {barred}.", count)
        yield format_html(said, count=count, barred=barred)
    if not item.equippable:
        yield _("Nobody carries it; it lies in the stockpile.")
    if not item.sellable or not item.price:
        yield _("Cannot be sold.")
    if item.mount and not item.mount.barding:
        yield _("Wears no barding.")


def _stockpile(item: Item) -> list[str]:
    said = []
    if item.rarity_roll:
        said.append(_("%(change)s to the rarity roll while it lies there.") % {"change": signed(item.rarity_roll)})
    if item.extra_models:
        said.append(
            _("The warband may have %(count)s more models while somebody carries it.") % {"count": item.extra_models}
        )
    return said


def _mount_profiles(mount: MountProfile) -> tuple[Profile, ...]:
    values = {"Adv": mount.adv, "Mar": mount.mar, **mount.own}
    return (Profile(_("Its own profile, %(species)s") % {"species": mount.species}, cells(values)),)


def cells(values: Mapping[str, int | str]) -> tuple[Cell, ...]:
    return tuple(Cell(short, characteristic(short), value) for short, value in values.items())


def details(rows: tuple[Row, ...]) -> Says:
    """What is rolled when the thing is acquired."""
    branches = tuple(Branch(span(row.low, row.high), (Said(f"{row.name}."), *say_all(row.effects))) for row in rows)
    return Says(gettext_lazy("When it is acquired"), (Said(_("Roll a D6."), branches),))


# Prices -------------------------------------------------------------------------------------------


def priced(name: str, upgrades: tuple[str, ...], shown: str = "", text: str = "") -> Priced:
    quotes = [(status, quote(name, upgrades, status, pack())) for status in STATUSES]
    sums = tuple((status, worked(found.price.working), found.price.total) for status, found in quotes)
    rarity = quotes[0][1].rarity
    return Priced(shown or name, text, worked(str(rarity)) if rarity.total else "", sums)


def _upgrades_for(item: Item) -> Iterator[Priced]:
    for upgrade in pack().upgrades.values():
        if fits(upgrade.name, item.name, pack()):
            shown = link(upgrade.name, "upgrades")
            try:
                yield _upgraded(item.name, upgrade, shown)
            except RuleViolation:
                continue  # a find without a price has none with an upgrade either


def _upgraded(item: str, upgrade: Upgrade, shown: str) -> Priced:
    """An inbuilt one is bought with the item and its price is that of both; the others are things of their own."""
    if upgrade.inbuilt:
        return priced(item, (upgrade.name,), shown, upgrade.text)
    return priced(upgrade.name, (), shown, upgrade.text)


def upgrade_page(listed: Listed) -> Page:
    upgrade: Upgrade = listed.content
    inbuilt = _("Built in: bought together with the item. The price is for both.")
    allocated = _("A thing of its own, carried with the item.")
    rules = [rule for bonus in upgrade.bonuses for rule in bonus.rules]
    return Page(
        facts=facts(
            (_("Price"), price(upgrade.price)),
            (_("Rarity"), upgrade.rarity or _("Common")),
            (_("How"), inbuilt if upgrade.inbuilt else allocated),
            (_("Gives"), say_bonuses(upgrade.bonuses)),
            (_("Takes away"), joined(map(rule_link, upgrade.removes))),
            (_("Used"), list(_upgrade_uses(upgrade))),
        ),
        price=None if upgrade.inbuilt else priced(upgrade.name, ()),
        rarity_percent=percent(rarity_chance(upgrade.rarity)) if upgrade.rarity else "",
        terms=(Terms(gettext_lazy("Rules"), tuple(map(rule_term, rules))),) if rules else (),
        says=(details(upgrade.details),) if upgrade.details else (),
        upgrades=tuple(_fitting(upgrade)) if upgrade.inbuilt else (),
        links=() if upgrade.inbuilt else (Links(gettext_lazy("Fits"), tuple(_fits(upgrade))),),
    )


def _upgrade_uses(upgrade: Upgrade) -> Iterator[str]:
    if upgrade.pre_game:
        yield _("Chosen before the battle.")
    if upgrade.single_shot:
        yield _("One shot.")
    if upgrade.one_use:
        yield _("Used up.")


def _fits(upgrade: Upgrade) -> Iterator[Listed]:
    for kind in ("items", "mounts"):
        yield from (each for each in codex()[kind].values() if fits(upgrade.name, each.name, pack()))


def _fitting(upgrade: Upgrade) -> Iterator[Priced]:
    for each in _fits(upgrade):
        if each.content.price:
            yield priced(each.name, (upgrade.name,), link(each.name, each.kind))


def carriers(name: str) -> tuple[Links, ...]:
    """Fighters with a proficiency for it."""
    able = (
        find(fighter.name, "fighters")
        for fighter in pack().fighters.values()
        if name in (*fighter.weapons, *fighter.armour, *fighter.mounts)
    )
    found = unique(able)
    return (Links(gettext_lazy("Who may use it"), found),) if found else ()
