"""Addresses of pages."""

from django.urls import path

from postspiel.web.views import front, profile

urlpatterns = [
    path("", front.front, name="home"),
    path("about/", front.about, name="about"),
    path("language/", front.language, name="language"),
    path("favicon.ico", front.favicon, name="favicon"),
    path("healthz", front.health, name="health"),
    path("profile/", profile.profile, name="profile"),
]
