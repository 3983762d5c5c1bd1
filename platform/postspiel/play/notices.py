"""The mails that play causes: each is a row of the outbox, written in the transaction that causes it.

Here stands who gets which kind of mail, and under which event key, so that no cause mails anybody twice. What a mail
says is made when it is sent (`mails`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from django.db.models import Q
from django.utils import timezone

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Address, Incoming
from postspiel.play.models import Act, Assistant, Game, Hold, Occupancy, Press, Seat, Submission, Turn


def turn_opened(turn: Turn, seats: Iterable[Seat]) -> None:
    """Send everybody who holds a seat the new position."""
    _to_players("turn", f"turn:{turn.pk}", turn.game, seats, _named(turn))


def game_ended(game: Game, seats: Iterable[Seat]) -> None:
    """Tell everybody who holds a seat how the game ended; anew if it went on after a rollback and ended again."""
    again = game.acts.filter(kind="rolled-back").count()
    _to_players("ended", f"ended:{game.pk}:{again}" if again else f"ended:{game.pk}", game, seats, {})


def game_cancelled(game: Game, seats: Iterable[Seat]) -> None:
    """Tell everybody who had joined that the game will not be played."""
    _to_players("cancelled", f"cancelled:{game.pk}", game, seats, {})


def deadline_moved(turn: Turn, seats: Iterable[Seat], change: int) -> None:
    """Tell everybody who holds a seat of the new deadline. ``change`` is the id of the change's row."""
    _to_players("extended", f"extended:{change}", turn.game, seats, {**_named(turn), "change": change})


def acted(act: Act, seats: Iterable[Seat]) -> None:
    """Tell who holds these seats of something done to the game; and the organiser, unless he plays or did it."""
    held = [seat for seat in seats if seat.player_id is not None]
    _to_players("act", f"act:{act.pk}", act.game, held, {"act": act.pk})
    organiser = act.game.organiser
    if act.who_id != organiser.pk and organiser.pk not in {seat.player_id for seat in held}:
        act_told(act, organiser)


def act_told(act: Act, reader: User) -> None:
    """Tell somebody who holds no seat of something that was done to a game."""
    cause, data = f"act:{act.pk}:user:{reader.pk}", {"act": act.pk}
    mail.queue(event=cause, kind="act", recipient=reader, object_id=None, data=data, thread=thread(act.game))


def held(hold: Hold) -> None:
    """Tell who runs a game that its turn was given more time; once for each cause, however many games of his it hit."""
    assert hold.game is not None  # noqa: S101 - holds of all games are told by `all_held`
    _to_people(_runners(hold.game), f"held:{hold.reason}:{hold.since.timestamp():.0f}", hold)


def all_held(hold: Hold) -> None:
    """Tell the host, and everybody who organises a running game, that no turn is resolved for now."""
    running = Game.objects.filter(status=Game.Status.RUNNING)
    concerned = Q(is_superuser=True) | Q(pk__in=running.values("organiser"))
    _to_people(User.objects.filter(concerned, is_active=True), f"all-held:{hold.pk}", hold)


def _runners(game: Game) -> list[User]:
    return [game.organiser, *User.objects.filter(assists__game=game)]


def _to_people(people: Iterable[User], cause: str, hold: Hold) -> None:
    copies = [mail.Copy(cause, person) for person in people]
    mail.queue_copies(copies, kind="held-back", data={"hold": hold.pk}, thread="")


def reminded(turn: Turn, seats: Iterable[Seat], cause: str) -> None:
    """Remind the holders of these seats of what they owe. ``cause`` tells one reminder of a turn from another."""
    _to_players("reminder", f"reminder:{turn.pk}:{cause}", turn.game, seats, _named(turn))


def press_came(press: Press, seats: Iterable[Seat]) -> None:
    """Send a press to the holders of these seats."""
    _to_players("press", f"press:{press.pk}", press.game, seats, {"press": press.pk})


def press_held(press: Press, cause: str) -> None:
    """Ask a press's writer whether it may name him in an anonymous game."""
    _to_one("press-held", f"press-held:{cause}", press.seat, {"press": press.pk})


def addresses_asked(seat: Seat, cause: str) -> None:
    """Send a seat's addresses to who holds it; once for each ``cause``."""
    _to_one("addresses", f"addresses:{seat.pk}:{cause}", seat, {})


def joined(seat: Seat) -> None:
    """Tell who runs a game that somebody has joined, unless it is himself."""
    _to_runners("joined", f"joined:{seat.game_id}:{seat.index}:{seat.player_id}", seat, {})


def player_mail(seat: Seat, what: str, incoming: Incoming) -> None:
    """Tell who runs a game what is the matter with a player's mail ("away", "challenge", "silent"); once a day each."""
    _to_runners("player-mail", f"player-mail:{seat.pk}:{what}:{incoming.received:%Y-%m-%d}", seat, {"what": what})


def wrong_sender(seat: Seat, other: Seat, incoming: Incoming) -> None:
    """Tell who runs a game that a player wrote to the secret address of another."""
    _to_runners("alarm", f"alarm:{incoming.pk}", seat, {"other": other.index})


def commands_asked(game: Game, who: User) -> None:
    """Send somebody who runs a game the address for his commands, and what they are; once a minute at most."""
    mail.queue(
        event=f"organiser-help:{game.pk}:{timezone.now():%Y-%m-%d %H:%M}",
        kind="organiser-help",
        recipient=who,
        object_id=game.pk,
        thread=thread(game),
        address=commands_address(game, who),
    )


def commands_address(game: Game, who: User) -> Address:
    """Return the address to which the organiser of a game, or an assistant of his, writes his commands."""
    if who.pk == game.organiser_id:
        return mail.address_for("organiser", game.pk)
    return mail.address_for("assistant", Assistant.objects.get(game=game, user=who).pk)


def answered(submission: Submission) -> None:
    """Answer an order mail: a receipt to the registered address of who holds the seat."""
    incoming, seat = submission.incoming, submission.seat
    if incoming is not None and seat.player_id is not None:
        mail.queue(
            event=f"receipt:{submission.pk}",
            kind="receipt",
            recipient=seat.player,
            object_id=seat.pk,
            data={"submission": submission.pk},
            thread=thread(seat.game),
            in_reply_to=incoming.message_id,
            address=_came_to(incoming, seat) or _addresses([seat.pk])[seat.pk],
            first=True,
        )


def resignation_asked(seat: Seat, cause: str) -> None:
    """Have a resignation that did not come from a page confirmed by who holds the seat."""
    _to_one("resign-confirm", f"resign-confirm:{cause}", seat, {})


def seat_left(seat: Seat, leaver: User, why: str, reason: str) -> None:
    """Tell who lost his seat against his will, and everybody else and the organiser that it waits for a player.

    What an organiser did himself is told to the others as his act (`acted`, `seat_taken`), so that each gets one mail.
    """
    cause = f"{seat.pk}:{seat.vacant}"
    if why in {"resigned", "missed"}:
        _news(seat, cause, "left")
    if why != "resigned":
        data = {"why": why, "reason": reason}
        _to_person("seat-lost", f"seat-lost:{cause}", seat, leaver, data)


def seat_offered(seat: Seat, people: Iterable[User]) -> None:
    """Offer a seat that waits for a player to people; each hears of it once for each time that it is open."""
    data = {"vacant": str(seat.vacant)}
    for person in people:
        _to_person("seat-offered", f"seat-offered:{seat.pk}:{seat.vacant}:{person.pk}", seat, person, data)


def seat_taken(turn: Turn, seat: Seat, held: Occupancy, reason: str = "") -> None:
    """Send who took a seat over all that he needs, and tell everybody else, with the reason if one was given."""
    _to_one("seat-taken", f"seat-taken:{held.pk}", seat, {"turn": turn.pk})
    _news(seat, f"{held.pk}", "taken", reason)


def _named(turn: Turn) -> dict[str, int]:
    """Return the turn that a mail is about, with its number, which the answers to the mail are meant for."""
    return {"turn": turn.pk, "number": turn.number}


def thread(game: Game) -> str:
    """Return what keeps a game's mails together in a mail program."""
    return f"game:{game.key}"


def _to_players(kind: str, cause: str, game: Game, seats: Iterable[Seat], data: dict[str, Any]) -> None:
    held = {seat.pk: seat for seat in seats if seat.player_id is not None}
    addresses = _addresses(held)
    copies = [
        mail.Copy(f"{cause}:{one}", seat.player, one, addresses[one])
        for one, seat in held.items()
        if seat.player is not None
    ]
    mail.queue_copies(copies, kind=kind, data=data, thread=thread(game))


def _came_to(incoming: Incoming, seat: Seat) -> Address | None:
    """Return the address that a mail came to, if answers to this seat's mail may go there, too."""
    one = incoming.address
    return one if one and (one.kind, one.object_id, one.revoked) == ("seat", seat.pk, None) else None


def _to_one(kind: str, cause: str, seat: Seat, data: dict[str, int]) -> None:
    if seat.player_id is not None:
        mail.queue(
            event=cause,
            kind=kind,
            recipient=seat.player,
            object_id=seat.pk,
            data=data,
            thread=thread(seat.game),
            address=_addresses([seat.pk])[seat.pk],
        )


def _news(seat: Seat, cause: str, what: str, reason: str = "") -> None:
    """Tell the other players of a game, and its organiser if he does not play, what became of a seat."""
    game = seat.game
    others = [one for one in game.seats.select_related("player") if one.pk != seat.pk and one.player_id is not None]
    data: dict[str, Any] = {"seat": seat.pk, "what": what, "reason": reason}
    _to_players("seat-news", f"seat-{what}:{cause}", game, others, data)
    if game.organiser_id not in {seat.player_id, *(one.player_id for one in others)}:
        _to_person("seat-news", f"seat-{what}:{cause}:organiser", seat, game.organiser, data)


def _to_runners(kind: str, cause: str, seat: Seat, data: dict[str, Any]) -> None:
    """Write to who runs a game about a seat, unless it is his own."""
    game = seat.game
    people = [person for person in _runners(game) if person.pk != seat.player_id]
    copies = [mail.Copy(cause, person, seat.pk, commands_address(game, person)) for person in people]
    mail.queue_copies(copies, kind=kind, data=data, thread=thread(game))


def _to_person(kind: str, cause: str, seat: Seat, person: User, data: dict[str, Any]) -> None:
    """Write to somebody who does not hold the seat that the mail is about: there is no address to answer to."""
    mail.queue(event=cause, kind=kind, recipient=person, object_id=seat.pk, data=data, thread=thread(seat.game))


def _addresses(seats: Collection[int]) -> dict[int, Address]:
    """Return the address that each seat's mail is answered to, by the seat's id; one query, but for new seats."""
    rows = Address.objects.filter(kind="seat", object_id__in=seats, revoked=None) if seats else ()
    known = {row.object_id: row for row in rows}
    return {one: known.get(one) or mail.address_for("seat", one) for one in seats}
