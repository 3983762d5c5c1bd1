"""What people arrange beside their games, as JSON: days away, standing by, and seats that wait for a player."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from msgspec import structs

from games.engine.contract import Locale
from postspiel.accounts.models import User
from postspiel.accounts.services import AbsenceError, announce_absence, cancel_absence
from postspiel.api import reading
from postspiel.api.answers import error, for_person, json, posted
from postspiel.api.shapes import (
    AbsenceShape,
    AbsencesShape,
    AllowanceShape,
    AwayShape,
    OfferShape,
    StandByShape,
    StandingShape,
)
from postspiel.play import selectors, services, vacancies
from postspiel.play.models import Seat


@for_person("GET", "POST")
def absences(request: HttpRequest, user: User) -> HttpResponse:
    """The viewer's absences; POST announces one. 422 with the reason if it cannot be."""
    if request.method == "GET":
        return json(_absences(user))
    away = posted(request, AwayShape)
    try:
        announce_absence(user=user, first=away.first, last=away.last, note=away.note)
    except AbsenceError as refused:
        return error(422, str(refused))
    return json(_absences(user), status=201)


@for_person("DELETE")
def absence(request: HttpRequest, user: User, number: int) -> HttpResponse:
    """Forget an absence of the viewer's; deadlines that it has moved stay."""
    one = next((absence for absence in vacancies.absences_of(user) if absence.pk == number), None)
    if one is None:
        return error(404, _("You have announced no such absence."))
    cancel_absence(absence=one, user=user)
    return json(_absences(user))


@for_person("GET", "POST")
def stand_by(request: HttpRequest, user: User) -> HttpResponse:
    """What the viewer stands by for, and the seats that wait; POST changes it for one title."""
    if request.method == "GET":
        return json(_stand_by(user))
    wanted = posted(request, StandingShape)
    try:
        (services.stand_by if wanted.standing else services.withdraw_stand_by)(user=user, title=wanted.title)
    except services.PlayError as refused:
        return error(422, str(refused))
    return json(_stand_by(user))


@for_person("GET", "POST")
def seat(request: HttpRequest, user: User, key: str, index: int) -> HttpResponse:
    """A seat that waits for a player; POST takes it over and answers with the game; 409 if he must not."""
    one = vacancies.offer(key, index, user)
    if one is None:
        return error(404, _("There is no such seat in this game."))
    if request.method == "GET":
        return json(structs.replace(_offer(one, user), refusal=vacancies.refusal(one, user)))
    try:
        services.take_over(seat=one, user=user)
    except services.PlayError as refused:
        return error(409, str(refused))
    return json(reading.game(one.game, user))


def _absences(user: User) -> AbsencesShape:
    return AbsencesShape(
        tuple(AbsenceShape(one.pk, one.first, one.last, one.note) for one in vacancies.absences_of(user)),
        tuple(AllowanceShape(a.game.key, a.game.name, a.days, a.days_left) for a in vacancies.allowances(user)),
    )


def _stand_by(user: User) -> StandByShape:
    return StandByShape(
        titles=tuple(sorted(vacancies.titles_of(user))),
        open=tuple(_offer(seat, user) for seat in vacancies.open_seats()),
        lost=tuple(_offer(seat, user) for seat in vacancies.lost_seats(user)),
        reliability=vacancies.reliability_of(user),
    )


def _offer(seat: Seat, user: User) -> OfferShape:
    game, name = seat.game, selectors.seat_name(seat.game, seat.index, cast("Locale", user.locale))
    return OfferShape(game.key, game.name, game.title, seat.index, name, seat.vacant)
