"""Mail to an organiser's own address for one of his games: commands, carried out if nobody can doubt who wrote them."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from postspiel.mail import services as mail_services
from postspiel.mail.models import Incoming, Outgoing
from postspiel.mail.reading import Answered, Received, judge
from postspiel.mail.reading.judging import DOUBTS
from postspiel.play import commands, notices, questions, selectors, services
from postspiel.play.commands import Command
from postspiel.play.errors import PlayError
from postspiel.play.mails import codes
from postspiel.play.models import Game

Verdict = Incoming.Verdict

MOST_A_DAY = 60
"""So many mails of an organiser about one game are answered in a day: two machines must not talk for ever."""

HELD = "organiser-held"
PURPOSE = "organise"


def organiser(received: Received) -> Answered:
    """Take one mail to an organiser's address.

    It is carried out if it comes from a confirmed address of his and our mail server says that he sent it; otherwise it
    is held, and he is asked at his registered address. If somebody else whom we know wrote to it, it is renewed
    besides.
    """
    game = Game.objects.select_related("organiser").get(pk=received.address.object_id)
    with translation.override(game.organiser.locale):
        judged = judge(received.mail, received.sent, None)
        confirmed = _confirm(game, judged.text)
        if confirmed is not None:
            return confirmed
        if received.user is None and not received.token:
            return Answered(Verdict.DROPPED, "The sender is unknown.")
        sure = received.token and received.user == game.organiser and received.check == "pass"
        if sure and not judged.doubt:
            return carry_out(game, received.incoming, judged.text)
        return _hold(game, received, judged.text, DOUBTS.get(judged.doubt, "It is not sure who wrote it."))


def carry_out(game: Game, incoming: Incoming, text: str) -> Answered:
    """Do what an organiser's mail says, line by line, and answer it."""
    read = commands.read(text)
    said = [_act(game, one) for one in read.commands if one.word in commands.ACTS]
    show = [one.word for one in read.commands if one.word not in commands.ACTS]
    data = {"said": said, "ignored": list(read.ignored), "show": [str(word) for word in dict.fromkeys(show)]}
    _answer(game, incoming, data)
    verdict = Verdict.ACCEPTED if read.commands else Verdict.REJECTED
    return Answered(verdict, "" if read.commands else "No command was found.")


def answer(asked: Outgoing) -> bool:
    """Carry out what was held, because the organiser said so; whether it was."""
    held = Incoming.objects.filter(pk=asked.data["incoming"], verdict=Verdict.HELD)
    with transaction.atomic():
        incoming, game = held.first(), Game.objects.select_related("organiser").get(pk=asked.object_id or 0)
        mine = asked.recipient_id == game.organiser_id
        if incoming is None or not mine or not held.update(verdict=Verdict.ACCEPTED, reason="confirmed"):
            return False
        with translation.override(game.organiser.locale):
            carry_out(game, incoming, asked.data["text"])
    return True


def is_open(asked: Outgoing) -> bool:
    """Whether a held mail of an organiser still waits for him."""
    game = Game.objects.get(pk=asked.object_id or 0)
    held = Incoming.objects.filter(pk=asked.data["incoming"], verdict=Verdict.HELD)
    return game.organiser_id == asked.recipient_id and held.exists()


def _act(game: Game, command: Command) -> str:
    """Do what a command says, and tell what came of it."""
    return _extend(game, command) if command.word == "extend" else _stop_or_go(game, command)


def _stop_or_go(game: Game, command: Command) -> str:
    try:
        if command.word == "pause":
            services.pause_game(game=game, who=game.organiser, why=command.why)
            return _("The game is paused. Orders can still be given; no time runs.")
        services.resume_game(game=game, who=game.organiser, why=command.why)
    except PlayError as error:
        return _("“%(command)s” was not done: %(why)s") % {"command": command.word, "why": error}
    return _("The game goes on; the time that it stood still is given back.")


def _extend(game: Game, command: Command) -> str:
    turn = selectors.open_turn(game)
    if turn is None:
        return _("The deadline was not moved: no turn is open.")
    if command.hours is None:
        return _("The deadline was not moved: say by how many hours or days, for example “extend 24 holidays”.")
    try:
        services.extend(turn=turn, hours=command.hours, who=game.organiser, why=command.why)
    except PlayError as error:
        return _("The deadline was not moved: %(why)s") % {"why": error}
    turn.refresh_from_db(fields=["deadline"])
    new = {"hours": command.hours, "deadline": selectors.deadline_text(turn, game.organiser)}
    return _("The deadline was moved by %(hours)d hours, to %(deadline)s. The players are told.") % new


def _answer(game: Game, incoming: Incoming, data: dict[str, list[str]]) -> None:
    day = timezone.now() - timedelta(days=1)
    if Outgoing.objects.filter(kind="organiser-answer", object_id=game.pk, created__gt=day).count() < MOST_A_DAY:
        mail_services.queue(
            event=f"organiser-answer:{incoming.pk}",
            kind="organiser-answer",
            recipient=game.organiser,
            object_id=game.pk,
            data=data,
            thread=notices.thread(game),
            in_reply_to=incoming.answerable_id,
            address=notices.organisers_address(game),
            priority=2,
        )


def _hold(game: Game, received: Received, text: str, why: str) -> Answered:
    if received.token and received.user not in (None, game.organiser):
        mail_services.renew(received.address)
    if not commands.read(text).commands:
        return Answered(Verdict.DROPPED, "No command was found, and it is not sure who wrote it.")
    mail_services.queue(
        event=f"{HELD}:{game.pk}:{timezone.now():%Y-%m-%d}",
        kind=HELD,
        recipient=game.organiser,
        object_id=game.pk,
        data={"incoming": received.incoming.pk, "sender": received.sender, "text": text},
        thread=notices.thread(game),
        address=notices.organisers_address(game),
        priority=2,
    )
    return Answered(Verdict.HELD, why)


def _confirm(game: Game, text: str) -> Answered | None:
    """Carry out the held mail whose code stands in a text; None if none does."""
    written = codes.found(text)
    asked = Outgoing.objects.filter(kind=HELD, object_id=game.pk, created__gt=timezone.now() - questions.VALID)
    for one in asked.order_by("-pk").defer("raw") if written else ():
        if codes.code(PURPOSE, one.data["incoming"]) in written and answer(one):
            return Answered(Verdict.ACCEPTED, f"It confirms mail {one.data['incoming']}.")
    return None
