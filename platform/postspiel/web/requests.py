"""Kinds of request that views are given."""

from django.http import HttpRequest

from postspiel.accounts.models import User


class SignedIn(HttpRequest):
    """A request behind `login_required`: its user is a person."""

    user: User
