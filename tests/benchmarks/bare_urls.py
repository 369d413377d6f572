"""The site with one address more: what the least view costs that knows a token and answers a given text as JSON."""

from django.http import HttpResponse
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.views import APIView

from api.authentication import BearerToken

BODIES: dict[str, bytes] = {}


class Bare(APIView):
    authentication_classes = (BearerToken,)

    def get(self, request: Request, name: str) -> HttpResponse:
        return HttpResponse(BODIES[name], content_type="application/json")


urlpatterns = [path("bare/<str:name>", Bare.as_view()), path("", include("config.urls"))]
