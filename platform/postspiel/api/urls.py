"""Addresses of the API."""

from django.urls import path

from postspiel.api import views

urlpatterns = [
    path("games/<key>/", views.game, name="api-game"),
    path("games/<key>/orders/", views.orders, name="api-orders"),
]
