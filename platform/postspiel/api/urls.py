"""Addresses of the API."""

from django.urls import path

from postspiel.api import calendars, people, views

urlpatterns = [
    path("calendars/<str:token>.ics", calendars.calendar, name="calendar"),
    path("absences/", people.absences, name="api-absences"),
    path("absences/<int:number>/", people.absence, name="api-absence"),
    path("stand-by/", people.stand_by, name="api-stand-by"),
    path("games/<key>/", views.game, name="api-game"),
    path("games/<key>/orders/", views.orders, name="api-orders"),
    path("games/<key>/seats/<int:index>/", people.seat, name="api-seat"),
]
