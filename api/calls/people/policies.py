"""What is done for you where you do not answer: in one campaign, or everywhere."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta

from api.call import Ask, Tagged, call
from api.shapes import In, Key, Out
from api.versions import content_version
from campaigns.access import place_for
from campaigns.models import Campaign, Policy
from campaigns.packs import pack_of
from campaigns.policy_views import Row, rows
from campaigns.services.save_policy import MOST_WISHES, forget_policy, said_by, save_policy
from rules.engine.policy import BASIS, DEFAULT

Basis = Literal["default", "cautious", "greedy"]
Wish = Key | Annotated[list[Key], Meta(max_length=MOST_WISHES)]
"""One answer, or several from best to worst."""


class PolicyChoice(Out):
    key: str
    label: str


class PolicyTopic(Out):
    """Something you may be asked: what is `done` for you, and what you could wish for; `ranked` from best to worst."""

    topic: str
    name: str
    done: str
    reserved: bool
    ranked: bool
    choices: list[PolicyChoice]
    wish: list[str]


class MyPolicy(Out):
    """`said` is where it comes from: for this campaign, for everything, or nowhere, so that habits decide."""

    said: Literal["here", "everywhere", "nowhere"]
    otherwise: Basis
    topics: list[PolicyTopic]


class PolicyEdit(In):
    """`wishes` by topic; `otherwise` is the habit behind them; only you answer the `reserved` topics."""

    otherwise: Basis = "default"
    wishes: Annotated[dict[Key, Wish], Meta(max_length=80)] = {}  # noqa: RUF012  (a struct copies it)
    reserved: Annotated[tuple[Key, ...], Meta(max_length=80)] = ()


EXAMPLE = {"otherwise": "cautious", "wishes": {"skill": ["Haggle", "Streetwise"]}, "reserved": ["captive_fate"]}


def _kept(ask: Ask, campaign: Campaign | None) -> Policy | None:
    return Policy.objects.filter(person=ask.person, campaign=campaign).first()


@dataclass(frozen=True)
class Wanted:
    """Where it counts, and what counts there now."""

    campaign: Campaign | None
    said: list[Any]


def _tagged(ask: Ask, campaign: Campaign | None) -> Tagged:
    said = said_by(ask.person, campaign)
    place = f"policy-{ask.person.pk}-{campaign.pk if campaign else 0}"
    return Tagged(Wanted(campaign, said), content_version(said), place)


def _known(ask: Ask) -> list[Any] | None:
    """What was said, which services compare, for whoever sent its version."""
    wanted: Wanted = ask.thing
    return None if ask.expected_version is None else wanted.said


def everywhere(ask: Ask) -> Tagged:
    return _tagged(ask, None)


def in_campaign(ask: Ask, campaign: int) -> Tagged:
    return _tagged(ask, place_for(ask.person, campaign).campaign)


def _shown(ask: Ask, campaign: Campaign | None) -> MyPolicy:
    own = _kept(ask, campaign)
    shown = own or (_kept(ask, None) if campaign else None)
    wishes, reserved = (shown.wishes, shown.reserved) if shown else ({}, [])
    known = pack_of(campaign) if campaign is not None else None
    topics = [
        PolicyTopic(
            topic=row.topic,
            name=row.name,
            done=row.does,
            reserved=row.is_reserved,
            ranked=row.wishable is not None and row.wishable.ranked,
            choices=_choices(row),
            wish=[key for key in row.chosen if key],
        )
        for row in rows(wishes, reserved, known)
    ]
    said: Literal["here", "everywhere", "nowhere"] = "here" if own else "everywhere" if shown else "nowhere"
    return MyPolicy(said=said, otherwise=wishes.get(BASIS, DEFAULT), topics=topics)


def _choices(row: Row) -> list[PolicyChoice]:
    offered = row.wishable.choices if row.wishable else ()
    return [PolicyChoice(key=key, label=label) for key, label in offered]


def _save(ask: Ask, body: PolicyEdit) -> MyPolicy:
    campaign = ask.thing.campaign
    basis = {} if body.otherwise == DEFAULT else {BASIS: body.otherwise}
    wishes = {**basis, **body.wishes}
    save_policy(actor=ask.person, campaign=campaign, wishes=wishes, reserved=body.reserved, known=_known(ask))
    return _shown(ask, campaign)


@call("get", "me/policy", tag=everywhere, serves=("policy_everywhere",))
def read_my_policy(ask: Ask) -> MyPolicy:
    """What is done for you where you do not answer, in all campaigns in which you have not said otherwise."""
    return _shown(ask, None)


@call("put", "me/policy", tag=everywhere, serves=("policy_everywhere",), example=EXAMPLE)
def save_my_policy(ask: Ask, body: PolicyEdit) -> MyPolicy:
    """Say what is to be done for you where you do not answer."""
    return _save(ask, body)


@call("delete", "me/policy", tag=everywhere, serves=("policy_everywhere",))
def forget_my_policy(ask: Ask) -> None:
    """Take back what you said for all campaigns: habits decide then."""
    forget_policy(actor=ask.person, campaign=None, known=_known(ask))


@call("get", "campaigns/{campaign}/policy", tag=in_campaign, serves=("policy",))
def read_campaign_policy(ask: Ask, campaign: int) -> MyPolicy:
    """What is done for you in one campaign where you do not answer."""
    return _shown(ask, ask.thing.campaign)


@call("put", "campaigns/{campaign}/policy", tag=in_campaign, serves=("policy",), example=EXAMPLE)
def save_campaign_policy(ask: Ask, campaign: int, body: PolicyEdit) -> MyPolicy:
    """Say what is to be done for you in one campaign where you do not answer."""
    return _save(ask, body)


@call("delete", "campaigns/{campaign}/policy", tag=in_campaign, serves=("policy",))
def forget_campaign_policy(ask: Ask, campaign: int) -> None:
    """Take back what you said for one campaign: what you said for all of them counts again."""
    forget_policy(actor=ask.person, campaign=ask.thing.campaign, known=_known(ask))
