"""The settings of a campaign: what there is to settle, what a change would do, and the change."""

from typing import Annotated, Any, Literal

import msgspec
from django.utils.translation import gettext as _
from msgspec import UNSET, Meta, UnsetType

from api.call import GM, Ask, Tagged, call
from api.shapes import In, Name, Out
from campaigns.access import Place, place_to_run
from campaigns.effects import effects, needs_confirming
from campaigns.models import Campaign
from campaigns.packs import pack_of
from campaigns.services.change_settings import Changed, change_settings, changes, stamp_of
from campaigns.setting_rules import RANGES, refuse_wrong
from campaigns.setting_words import GROUPS, OPTIONS, WORDS, rules_of, said, values_of
from campaigns.settings import House
from campaigns.settings_form import ON_HOUSE, ON_OVERRIDES, current_packs, of_the_site
from rules.engine.errors import RuleViolation
from rules.engine.settings import CampaignSettings

Value = int | bool | str | list[int] | dict[str, int | str] | None
Whole = Annotated[int, Meta(ge=0, le=10_000)]
Boxes = Annotated[list[Annotated[int, Meta(ge=0, le=9_999)]], Meta(max_length=60)]
Worths = Annotated[dict[str, Annotated[int, Meta(ge=0, le=99)]], Meta(max_length=200)]
Links = Annotated[dict[str, Annotated[str, Meta(max_length=300)]], Meta(max_length=8)]
Motto = Annotated[str, Meta(max_length=200)]
Maybe = UnsetType | None


class SettingOption(Out):
    value: str
    label: str


class Setting(Out):
    """One setting: what it is called, what it affects, what it is and what it would be if nobody had set it.

    `options` are the values of a choice, `low` and `high` the bounds of a number. The setting `packs` is whether the
    campaign stays on the versions of the rules that it has.
    """

    name: str
    group: str
    label: str
    explains: str
    value: Value
    says: str
    default: Value
    is_default: bool
    options: list[SettingOption]
    low: int | None
    high: int | None


class SettingGroup(Out):
    name: str
    title: str
    settings: list[Setting]


class CampaignSettingsShown(Out):
    groups: list[SettingGroup]
    may_change: bool


class SettingsWanted(In):
    """What should be otherwise; what is left out stays. `null` puts a rule back to its default.

    `achievement_points` and `links` are replaced as a whole. In a campaign that runs, what decides play is saved only
    when `confirmed` is true: look at the preview first.
    """

    name: Name | UnsetType = UNSET
    motto: Motto | UnsetType = UNSET
    links: Links | Maybe = UNSET
    visibility: Literal["private", "link", "public"] | UnsetType = UNSET
    starting_points: Whole | Maybe = UNSET
    warbands_per_player: Whole | Maybe = UNSET
    most_warbands: Whole | Maybe = UNSET
    alliances: bool | Maybe = UNSET
    underdog_bonus: bool | Maybe = UNSET
    rout_percent: Whole | Maybe = UNSET
    dice: Literal["either", "server", "physical"] | Maybe = UNSET
    gating: Literal["relaxed", "strict"] | Maybe = UNSET
    confirm_hours: Whole | Maybe = UNSET
    run_hours: Whole | Maybe = UNSET
    winner: Literal["rating", "final_battle", "points", "markers"] | Maybe = UNSET
    points: Literal["achievements", "rout_order", "winner_takes", "scenario"] | Maybe = UNSET
    achievements_once_per: Literal["battle", "campaign"] | Maybe = UNSET
    achievement_points: Worths | Maybe = UNSET
    final_rout_percent: Whole | Maybe = UNSET
    final_skips_steps: bool | Maybe = UNSET
    pairing_score: Literal["wins", "points", "rating", "markers"] | Maybe = UNSET
    rounds: Whole | Maybe = UNSET
    table_size: Whole | Maybe = UNSET
    knockout: Whole | Maybe = UNSET
    higher_thresholds: Boxes | Maybe = UNSET
    higher_track: Whole | Maybe = UNSET
    lower_thresholds: Boxes | Maybe = UNSET
    lower_track: Whole | Maybe = UNSET
    packs: bool | UnsetType = UNSET
    confirmed: bool = False


class SettingChange(Out):
    """A setting before and after, in words, and what that means now."""

    name: str
    label: str
    before: str
    after: str
    effects: list[str]


class SettingsPreview(Out):
    changes: list[SettingChange]
    needs_confirming: bool


def settled(ask: Ask, campaign: int) -> Tagged:
    """The settings have a stamp, which changes with any of them and with nothing else."""
    place = place_to_run(ask.person, campaign)
    return Tagged(place, int(stamp_of(place.campaign), 16), f"settings-{campaign}")


@call("get", "campaigns/{campaign}/settings", scope=GM, tag=settled, serves=("campaign_settings",))
def read_settings(ask: Ask, campaign: int) -> CampaignSettingsShown:
    """Every setting of a campaign with its default, its label and what it affects."""
    return _shown(ask.thing)


@call(
    "post",
    "campaigns/{campaign}/settings/preview",
    scope=GM,
    acts=False,
    tag=settled,
    example={"winner": "points", "confirm_hours": 48},
    serves=("campaign_settings",),
)
def preview_settings(ask: Ask, campaign: int, body: SettingsWanted) -> SettingsPreview:
    """What a change of settings would do to the campaign as it is; nothing is saved."""
    row = ask.thing.campaign
    wanted = _wanted(row, body)
    refuse_wrong(wanted["house"], wanted["overrides"])
    made = changes(row, **wanted)
    felt = {one.changed.name: one.sentences for one in effects(row, made, wanted["house"], wanted["overrides"])}
    return SettingsPreview(
        changes=[_change(one, list(felt.get(one.name, ()))) for one in made],
        needs_confirming=needs_confirming(row, made),
    )


@call(
    "patch",
    "campaigns/{campaign}/settings",
    scope=GM,
    tag=settled,
    example={"winner": "points", "confirm_hours": 48, "confirmed": True},
    serves=("campaign_settings",),
)
def change_campaign_settings(ask: Ask, campaign: int, body: SettingsWanted) -> CampaignSettingsShown:
    """Change settings of a campaign; the chronicle says what changed."""
    place: Place = ask.thing
    wanted = _wanted(place.campaign, body)
    if not body.confirmed and needs_confirming(place.campaign, changes(place.campaign, **wanted)):
        sentence = _("The campaign is running. Look at what this changes, then send it as confirmed.")
        raise RuleViolation("not_confirmed", sentence)
    stamp = stamp_of(place.campaign) if ask.expected_version is not None else ""
    change_settings(actor=ask.person, campaign=place.campaign, stamp=stamp, **wanted)
    place.campaign.refresh_from_db()
    return _shown(place)


def _wanted(campaign: Campaign, body: SettingsWanted) -> dict[str, Any]:
    """The settings as they are, with what was sent."""
    usual = rules_of(House(), CampaignSettings())
    sent = {name: value for name in body.__struct_fields__ if (value := getattr(body, name)) is not UNSET}
    rules = {name: usual[name] if value is None else value for name, value in sent.items() if name in usual}
    house = {name: value for name, value in rules.items() if name in ON_HOUSE and name != "packs"}
    overrides = {name: value for name, value in rules.items() if name in ON_OVERRIDES}
    for boxes in ("higher_thresholds", "lower_thresholds"):
        if boxes in overrides:
            overrides[boxes] = tuple(overrides[boxes])
    if "achievement_points" in house:
        known = pack_of(campaign).achievements
        given = house["achievement_points"].items()
        house["achievement_points"] = {
            name: points for name, points in given if name not in known or points != known[name].points
        }
    if "packs" in sent:
        house["packs"] = _packs(campaign, stays=sent["packs"])
    return {
        "name": " ".join(sent.get("name", campaign.name).split()),
        "motto": " ".join(sent.get("motto", campaign.motto).split()),
        "visibility": sent.get("visibility", campaign.visibility),
        "house": msgspec.structs.replace(campaign.house_rules, **house),
        "overrides": msgspec.structs.replace(campaign.settings, **overrides),
    }


def _packs(campaign: Campaign, *, stays: bool) -> dict[str, str]:
    """The versions that the campaign has, or those of today; packs of game masters are chosen elsewhere."""
    there = campaign.house_rules.packs
    pinned = (of_the_site(there) or current_packs()) if stays else {}
    return pinned | {name: version for name, version in there.items() if name not in current_packs()}


def _change(one: Changed, felt: list[str]) -> SettingChange:
    return SettingChange(name=one.name, label=one.label, before=one.before, after=one.after, effects=felt)


# Showing ----------------------------------------------------------------------------------------------


def _shown(place: Place) -> CampaignSettingsShown:
    values = values_of(place.campaign)
    usual = rules_of(House(), CampaignSettings())
    groups = [
        SettingGroup(name=key, title=str(title), settings=[_setting(name, key, values, usual) for name in names])
        for key, title, names in GROUPS
    ]
    return CampaignSettingsShown(groups=groups, may_change=place.may_change)


def _setting(name: str, group: str, values: dict[str, Any], usual: dict[str, Any]) -> Setting:
    value, default = _plain(name, values[name]), _plain(name, usual.get(name))
    low, high = RANGES.get(name, (None, None))
    return Setting(
        name=name,
        group=group,
        label=str(WORDS[name].label),
        explains=str(WORDS[name].explains),
        value=value,
        says=said(name, value) if name == "packs" else said(name, values[name]),
        default=default,
        is_default=name in usual and value == default,
        options=[SettingOption(value=key, label=str(label)) for key, label in OPTIONS.get(name, ())],
        low=low,
        high=high,
    )


def _plain(name: str, value: Any) -> Value:
    if name == "packs":
        return bool(of_the_site(value))
    return list(value) if isinstance(value, tuple) else value
