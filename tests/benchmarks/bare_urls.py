"""The site with one address more: what the least view costs that knows a token and answers as much JSON."""

from typing import Any

from django.http import JsonResponse
from django.urls import include, path
from rest_framework.request import Request
from rest_framework.views import APIView

from api.authentication import BearerToken

CONTENTS: dict[str, Any] = {}


class Bare(APIView):
    authentication_classes = (BearerToken,)

    def get(self, request: Request, name: str) -> JsonResponse:
        return JsonResponse(CONTENTS[name])


urlpatterns = [path("bare/<str:name>", Bare.as_view()), path("", include("config.urls"))]
