"""What a person should know: the list, the count in the masthead, and how they want to be told."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from campaigns.chronicle_forms import WishesForm
from campaigns.digests import unsubscriber
from campaigns.models import Notice, NoticeWishes
from campaigns.notices import sentence, unread_of
from campaigns.services.read_notices import read_notices
from campaigns.services.wish_notices import wish_notices

PAGE = 30
UNPROCESSABLE, NOTHING_NEW = 422, 204


@login_required
def notices(request: SignedInRequest) -> HttpResponse:
    """Unread first, then newest first."""
    mine = Notice.objects.filter(person=request.user).select_related("campaign")
    ordered = mine.alias(is_read=Q(read__isnull=False)).order_by("is_read", "-made", "-pk")
    page = Paginator(ordered, PAGE).get_page(request.GET.get("page"))
    rows = [(notice, sentence(notice)) for notice in page.object_list]
    newest = max((notice.pk for notice, _text in rows), default=0)
    return render(request, "campaigns/notices.html", {"page": page, "rows": rows, "newest": newest})


@login_required
@require_safe
def notice(request: SignedInRequest, pk: int) -> HttpResponse:
    """On to what it is about. Whoever goes there has read it."""
    found = get_object_or_404(Notice, pk=pk, person=request.user)
    read_notices(actor=request.user, notice=found.pk)
    leads = found.address and url_has_allowed_host_and_scheme(found.address, allowed_hosts=None)
    return redirect(found.address if leads else "notices")


@login_required
@require_POST
def notices_read(request: SignedInRequest) -> HttpResponse:
    """One, or all that the page showed."""
    one, until = _key(request, "notice"), _key(request, "until")
    if one is None and until is None:
        raise Http404
    read_notices(actor=request.user, notice=one, until=until)
    if one is None:
        messages.success(request, _("All read."))
    return redirect("notices")


def _key(request: HttpRequest, name: str) -> int | None:
    given = request.POST.get(name, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else None


@never_cache
@require_safe
def notices_count(request: HttpRequest) -> HttpResponse:
    """For the masthead, every minute: nothing at all if the count is what the page shows already.

    Nor for somebody who signed out in another tab: the form to sign in has no place in a masthead.
    """
    if not request.user.is_authenticated:
        return HttpResponse(status=NOTHING_NEW)
    count = unread_of(request.user)
    if request.GET.get("shown") == str(count):
        return HttpResponse(status=NOTHING_NEW)
    return render(request, "campaigns/partials/_bell.html", {"unread": count})


@login_required
def notice_settings(request: SignedInRequest) -> HttpResponse:
    wishes = NoticeWishes.objects.filter(person=request.user).first() or NoticeWishes(person=request.user)
    form = WishesForm(request.POST if request.method == "POST" else None, initial=WishesForm.of(wishes))
    if form.is_bound and form.is_valid():
        wish_notices(actor=request.user, mail=form.cleaned_data["mail"], muted=form.muted())
        messages.success(request, _("Saved."))
        return redirect("notice_settings")
    status = UNPROCESSABLE if form.errors else 200
    return render(request, "campaigns/notice_settings.html", {"form": form}, status=status)


@csrf_exempt
@never_cache
def notices_unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """The link in a mail is proof enough. Mail programs post to it themselves, without a cookie or a form."""
    person = unsubscriber(token)
    if person is None:
        raise Http404
    if request.method == "POST":
        wish_notices(actor=person, mail=NoticeWishes.Mail.OFF)
    done = request.method == "POST"
    return render(request, "campaigns/notices_unsubscribe.html", {"person": person, "done": done, "token": token})
