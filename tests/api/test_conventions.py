"""What every call has in common, tried on a few of them."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.test import Client
from django.utils import timezone

from accounts.models import User
from api.call import CALLS
from api.models import KeptAnswer, Token
from api.schema import document
from api.tasks import forget_old_answers
from campaigns.models import Campaign
from tests.api.caller import Caller
from warbands.models import Warband

Callers = Callable[..., Caller]
DRAFT = {"name": "The Grey Lanterns", "army": "EoS"}


@pytest.fixture
def person(db: None) -> User:
    return User.objects.create_user("ilse@example.org", "a long password", name="Ilse")


@pytest.fixture
def ilse(person: User, caller: Callers) -> Caller:
    return caller("Ilse")


def test_a_problem_is_told_in_one_shape(ilse: Caller) -> None:
    answer = ilse.post("warbands", {"name": "", "army": "EoS"})
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert problem["code"] == "invalid"
    assert problem["errors"] == [{"where": "$.name", "message": "Expected `str` of length >= 1"}]


def test_an_unknown_field_is_an_error(ilse: Caller) -> None:
    answer = ilse.post("warbands", DRAFT | {"owner": 1})
    assert answer.status_code == 422
    assert "owner" in answer.json()["detail"]
    assert not Warband.objects.exists()


def test_an_unknown_name_in_the_address_is_an_error(ilse: Caller) -> None:
    assert ilse.get("warbands?colour=red").status_code == 422
    assert ilse.get("warbands?status=draft&status=ready").status_code == 422


def test_what_is_not_json_is_refused(ilse: Caller) -> None:
    answer = ilse.client.post("/api/v1/warbands", b"{", content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    deep = ilse.client.post("/api/v1/warbands", b"[" * 50_000, content_type="application/json")
    assert (deep.status_code, deep.json()["code"]) == (400, "malformed")


def test_another_content_type_is_refused(ilse: Caller) -> None:
    assert ilse.client.post("/api/v1/warbands", {"name": "a"}).status_code == 415


def test_a_body_that_is_too_large_is_refused(ilse: Caller) -> None:
    assert ilse.post("warbands", DRAFT | {"name": "a" * 300_000}).status_code == 413


@pytest.mark.parametrize(
    "name",
    [
        "a\x00b", "a\x1bb", "a\x7fb", "a\x9bb", "a\nb", "a\tb", "a\u202eb", "a\u2066b", "\u200b", "\u202d", " ",
        "\u0300", "\ufeffa",
    ],
    ids=ascii,
)  # fmt: skip
def test_names_that_play_tricks_are_refused(ilse: Caller, name: str) -> None:
    for method, path in (("post", "warbands"), ("post", "campaigns"), ("patch", "me"), ("post", "own-packs")):
        answer = ilse.ask(method, path, {"name": name, **({"army": "EoS"} if path == "warbands" else {})})
        assert answer.status_code == 422, path
        assert answer["Content-Type"] == "application/problem+json"
    assert not Warband.objects.exists()
    assert not Campaign.objects.exists()
    assert User.objects.get().name == "Ilse"
    assert ilse.get("warbands?army=%00").status_code == 422


def test_names_of_all_scripts_are_taken(ilse: Caller) -> None:
    for name in ("Łódź’s Wächter", "天の狼", "ذئاب الملح", "गुरु के भेड़िये", "🐉 & friends", "e\u0301clair"):
        assert ilse.post("warbands", DRAFT | {"name": name}).json()["name"] == name


def test_what_is_not_unicode_is_refused(ilse: Caller) -> None:
    for raw in (b'{"name": "\\ud800", "army": "EoS"}', b'{"name": "\xff", "army": "EoS"}'):
        answer = ilse.client.post("/api/v1/warbands", raw, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert not Warband.objects.exists()


def test_a_field_that_is_given_twice_is_an_error(ilse: Caller) -> None:
    raw = b'{"name": "One", "army": "EoS", "name": "Other"}'
    answer = ilse.client.post("/api/v1/warbands", raw, content_type="application/json")
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "name")
    assert not Warband.objects.exists()


@pytest.mark.parametrize("field", ["id", "owner", "owner_id", "treasury", "status", "version", "rating", "share_token"])
def test_nobody_sets_what_is_not_theirs_to_set(ilse: Caller, field: str) -> None:
    """Mass assignment and forged owners: what a call does not name it does not take."""
    made = ilse.post("warbands", DRAFT)
    path, before = made["Location"].removeprefix("/api/v1/"), Warband.objects.values().get()
    right = (("post", "warbands", DRAFT), ("patch", path, {"name": "Others"}), ("patch", "me", {"name": "Otto"}))
    for method, where, body in right:
        assert ilse.ask(method, where, body | {field: 1}).status_code == 422
    assert Warband.objects.values().get() == before
    assert User.objects.get().name == "Ilse"


def test_an_address_that_is_none_gets_a_problem(ilse: Caller) -> None:
    answer = ilse.get("nothing/here")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_a_host_that_is_none_gets_a_problem(ilse: Caller) -> None:
    answer = ilse.client.get("/api/v1/warbands", headers={"host": "y>th;,IbCU"})
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["code"] == "malformed"


def test_a_method_that_is_none_names_those_that_are(ilse: Caller) -> None:
    answer = ilse.delete("warbands")
    assert answer.status_code == 405
    assert {"GET", "POST"} <= set(answer["Allow"].split(", "))


def test_the_head_of_an_answer_can_be_asked_for(ilse: Caller) -> None:
    answer = ilse.ask("head", "warbands")
    assert (answer.status_code, answer.content) == (200, b"")


def test_without_a_token_nobody_is_let_in(person: User) -> None:
    answer = Caller().get("warbands")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert Caller("aftermath_wrong").get("warbands").status_code == 401


def test_a_revoked_token_and_an_expired_one_let_nobody_in(person: User, caller: Callers) -> None:
    revoked, expired = caller("Ilse"), caller("Ilse")
    first, second = Token.objects.order_by("pk")
    Token.objects.filter(pk=first.pk).update(revoked=timezone.now())
    Token.objects.filter(pk=second.pk).update(expires=timezone.now() - timedelta(seconds=1))
    assert revoked.get("warbands").status_code == 401
    assert expired.get("warbands").status_code == 401


def test_a_token_is_kept_as_a_digest_only(ilse: Caller) -> None:
    token = Token.objects.get()
    assert len(token.digest) == 64
    assert not any(value.startswith("aftermath_") for value in (token.digest, token.hint, token.name))


def test_a_token_that_only_reads_changes_nothing(person: User, caller: Callers) -> None:
    answer = caller("Ilse", "read").post("warbands", DRAFT)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert not Warband.objects.exists()


def test_a_session_serves_the_sites_own_pages_and_needs_the_csrf_token(person: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert client.get("/api/v1/warbands").status_code == 200
    refused = client.post("/api/v1/warbands", DRAFT, content_type="application/json")
    assert refused.status_code == 403


def test_the_same_key_acts_once_and_answers_twice(ilse: Caller) -> None:
    first = ilse.post("warbands", DRAFT, idempotency_key="k1")
    second = ilse.post("warbands", DRAFT, idempotency_key="k1")
    assert first.status_code == second.status_code == 201
    assert first.content == second.content
    assert second["Idempotency-Replayed"] == "true"
    assert second["Location"] == first["Location"]
    assert Warband.objects.count() == 1


def test_a_refusal_is_kept_too(ilse: Caller) -> None:
    first = ilse.post("warbands", DRAFT | {"army": "none"}, idempotency_key="k1")
    second = ilse.post("warbands", DRAFT | {"army": "none"}, idempotency_key="k1")
    assert first.status_code == second.status_code
    assert first.status_code in (409, 422)
    assert first.content == second.content


def test_a_key_that_was_used_for_something_else_is_refused(ilse: Caller) -> None:
    ilse.post("warbands", DRAFT, idempotency_key="k1")
    other = ilse.post("warbands", DRAFT | {"name": "Others"}, idempotency_key="k1")
    assert (other.status_code, other.json()["code"]) == (422, "key_used")
    assert Warband.objects.count() == 1


def test_after_a_day_a_key_is_free_again(ilse: Caller) -> None:
    ilse.post("warbands", DRAFT, idempotency_key="k1")
    KeptAnswer.objects.update(made=timezone.now() - timedelta(hours=25))
    ilse.post("warbands", DRAFT | {"name": "Others"}, idempotency_key="k1")
    assert Warband.objects.count() == 2


def test_old_answers_are_forgotten_by_the_hour(ilse: Caller, settings: LazySettings) -> None:
    assert forget_old_answers.name in [entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()]
    for key in ("old", "new"):
        ilse.post("warbands", DRAFT, idempotency_key=key)
    KeptAnswer.objects.filter(key="old").update(made=timezone.now() - timedelta(hours=25))
    forget_old_answers()
    assert [kept.key for kept in KeptAnswer.objects.all()] == ["new"]


def test_whoever_is_not_signed_in_has_no_keys(db: None) -> None:
    answer = Caller().post("dice/rolls", {"expression": "D6"}, idempotency_key="k1")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")
    assert Caller().post("dice/rolls", {"expression": "D6"}).status_code == 200


def test_every_post_that_acts_takes_a_key() -> None:
    """Those that only work something out have nothing to do twice."""
    posts = [call for call in CALLS.values() if call.method == "post"]
    only_read = {call.name for call in posts if not call.acts}
    assert only_read == {
        "ask_dice_odds", "ask_exploration_odds", "ask_rarity_odds", "ask_table_odds", "ask_test_odds",
        "check_results_file", "preview_intervention", "preview_invitation", "preview_settings",
        "suggest_warband_name", "verify_dice",
    }  # fmt: skip
    described = document()["paths"]
    for call in posts:
        names = {parameter["name"] for parameter in described[f"/api/v1/{call.path}"]["post"]["parameters"]}
        assert ("Idempotency-Key" in names) == call.acts, call.name


def test_a_version_that_a_proxy_has_weakened_is_still_known(ilse: Caller) -> None:
    made = ilse.post("warbands", DRAFT)
    path = made["Location"].removeprefix("/api/v1/")
    tag = ilse.get(path)["ETag"]
    assert ilse.get(path, if_none_match=f'"other", W/{tag}').status_code == 304
    assert ilse.patch(path, {"name": "Others"}, if_match=f"W/{tag}").status_code == 200
    stale = ilse.patch(path, {"name": "More"}, if_match=tag)
    assert (stale.status_code, stale.json()["code"]) == (412, "stale")
    assert stale.json()["current"] == stale["ETag"] == ilse.get(path)["ETag"]


@pytest.mark.parametrize("header", ["if_match", "if_none_match"])
def test_what_is_no_version_is_refused(ilse: Caller, header: str) -> None:
    path = ilse.post("warbands", DRAFT)["Location"].removeprefix("/api/v1/")
    method = "get" if header == "if_none_match" else "delete"
    answer = ilse.ask(method, path, **{header: "warband-1"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_limits_are_told_and_kept(ilse: Caller, settings: LazySettings) -> None:
    settings.API_RATES = {"read": 2, "act": 1}
    first = ilse.get("warbands")
    assert first["RateLimit-Policy"] == '"read";q=2;w=60'
    assert first["RateLimit"].startswith('"read";r=1;t=')
    ilse.get("warbands")
    third = ilse.get("warbands")
    assert (third.status_code, third.json()["code"]) == (429, "too_many_requests")
    assert 1 <= int(third["Retry-After"]) <= 60
    assert ilse.post("warbands", DRAFT).status_code == 201


def test_a_list_is_read_page_by_page(ilse: Caller) -> None:
    for number in range(5):
        ilse.post("warbands", DRAFT | {"name": f"Band {number}"})
    names: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        answer = ilse.get(f"warbands?limit=2&cursor={cursor}")
        names += [item["name"] for item in answer.json()["items"]]
        cursor = answer.json()["next"]
        assert ("Link" in answer) == (cursor is not None)
    assert names == [f"Band {number}" for number in range(5)]


def test_a_cursor_that_was_tampered_with_is_refused(ilse: Caller) -> None:
    answer = ilse.get("warbands?cursor=abc")
    assert (answer.status_code, answer.json()["errors"][0]["where"]) == (422, "cursor")


def test_a_page_has_an_upper_limit(ilse: Caller) -> None:
    assert ilse.get("warbands?limit=100000").status_code == 422


def test_only_the_chosen_fields_are_told(ilse: Caller) -> None:
    ilse.post("warbands", DRAFT)
    assert ilse.get("warbands?fields=id,name").json()["items"][0].keys() == {"id", "name"}
    assert ilse.get("warbands?fields=secrets").status_code == 422


def test_other_origins_are_not_let_in_unless_named(ilse: Caller, settings: LazySettings) -> None:
    assert "Access-Control-Allow-Origin" not in ilse.get("warbands", origin="https://app.example.org")
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example.org"]
    named = ilse.get("warbands", origin="https://app.example.org")
    assert named["Access-Control-Allow-Origin"] == "https://app.example.org"
    assert "Access-Control-Allow-Credentials" not in named
    assert "ETag" in named["Access-Control-Expose-Headers"]


def test_a_named_origin_may_send_what_the_api_takes(ilse: Caller, settings: LazySettings) -> None:
    settings.CORS_ALLOWED_ORIGINS = ["https://app.example.org"]
    sent = {"origin": "https://app.example.org", "access-control-request-method": "PATCH"}
    asked = ilse.client.options("/api/v1/me", headers=sent)
    assert {"PATCH", "DELETE"} <= set(asked["Access-Control-Allow-Methods"].split(", "))
    allowed = asked["Access-Control-Allow-Headers"].split(", ")
    assert {"Authorization", "If-Match", "If-None-Match", "Idempotency-Key"} <= set(allowed)
    page = ilse.client.get("/", headers={"origin": "https://app.example.org"})
    assert "Access-Control-Allow-Origin" not in page
