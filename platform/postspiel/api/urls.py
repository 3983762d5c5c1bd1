"""Addresses of the API."""

from django.urls import path

from postspiel.api import calendars, views

urlpatterns = [
    path("calendars/<str:token>.ics", calendars.calendar, name="calendar"),
    path("games/<key>/", views.game, name="api-game"),
    path("games/<key>/orders/", views.orders, name="api-orders"),
]
