"""Addresses of pages."""

from django.urls import URLPattern, URLResolver, include, path

from postspiel.config import health

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", health.alive, name="alive"),
    path("readyz", health.ready, name="ready"),
    path("accounts/", include("allauth.urls")),
    path("api/", include("postspiel.api.urls")),
    path("", include("postspiel.web.urls")),
]
handler500 = "postspiel.web.views.front.broken"
