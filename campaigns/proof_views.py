"""The dice of a battle, for whoever would rather count than believe."""

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.requests import SignedInRequest
from campaigns.access import battle_for, place_for
from campaigns.proof import check, proof_of, proof_to_plain
from campaigns.proof_sheet import groups_of


@login_required
@require_GET
def proof(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    battle = battle_for(place_for(request.user, pk), number)
    found = proof_of(battle)
    verdict = check(found)
    context = {
        "campaign": battle.campaign, "battle": battle, "proof": found, "verdict": verdict,
        "groups": groups_of(verdict.checked),
    }  # fmt: skip
    return render(request, "campaigns/proof.html", context)


@login_required
@require_GET
def proof_data(request: SignedInRequest, pk: int, number: int) -> HttpResponse:
    battle = battle_for(place_for(request.user, pk), number)
    named = f'attachment; filename="aftermath-dice-{battle.key}.json"'
    return JsonResponse(
        proof_to_plain(proof_of(battle)), json_dumps_params={"indent": 1}, headers={"Content-Disposition": named}
    )
