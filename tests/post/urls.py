"""The project's pages, and those that other parts bring."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def page(request: HttpRequest, **names: str) -> HttpResponse:
    return HttpResponse(f"{request.path} {names}")


urlpatterns = [
    path("", include("postspiel.config.urls")),
    path("games/<str:key>/", page, name="game"),
    path("games/<str:key>/report/<str:locale>/", page, name="game-report"),
    path("games/<str:key>/record/", page, name="game-record"),
    path("ladders/<str:title>/", page, name="ladder"),
    path("rules/<str:title>/", page, name="title-rules"),
]
