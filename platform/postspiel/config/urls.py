"""Addresses of pages."""

from django.urls import URLPattern, URLResolver, include, path

urlpatterns: list[URLPattern | URLResolver] = [
    path("accounts/", include("allauth.urls")),
    path("api/", include("postspiel.api.urls")),
    path("", include("postspiel.web.urls")),
]
handler500 = "postspiel.web.views.front.broken"
