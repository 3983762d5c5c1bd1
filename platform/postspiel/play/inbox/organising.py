"""Mail to the own address of who runs a game: commands, carried out if nobody can doubt who wrote them.

Each has an address of his own, the organiser and every assistant, so that it is known who commands.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from postspiel.accounts.models import User
from postspiel.mail import services as mail_services
from postspiel.mail.models import Address, Incoming, Outgoing
from postspiel.mail.reading import Answered, Received, judge
from postspiel.mail.reading.judging import DOUBTS
from postspiel.play import commands, notices, questions, roles, selectors, services
from postspiel.play.commands import Command
from postspiel.play.errors import PlayError
from postspiel.play.inbox import holding
from postspiel.play.mails import codes
from postspiel.play.models import Assistant, Game

Verdict = Incoming.Verdict

MOST_A_DAY = 60
"""So many mails of one person about one game are answered in a day: two machines must not talk for ever."""

HELD = "organiser-held"
PURPOSE = "organise"


class Runner(NamedTuple):
    """Who runs a game: its organiser, or an assistant."""

    game: Game
    who: User

    @property
    def address(self) -> Address:
        """Where he writes his commands to."""
        return notices.commands_address(self.game, self.who)


def organiser(received: Received) -> Answered:
    """Take one mail to an organiser's address.

    It is carried out if it comes from a confirmed address of his and our mail server says that he sent it; otherwise it
    is held, and he is asked at his registered address. If somebody else whom we know wrote to it, it is renewed
    besides.
    """
    game = Game.objects.select_related("organiser").get(pk=received.address.object_id)
    return _take(Runner(game, game.organiser), received)


def assistant(received: Received) -> Answered:
    """Take one mail to an assistant's address, under the same rules; nothing from who helps no longer."""
    helps = Assistant.objects.select_related("game__organiser", "user").filter(pk=received.address.object_id).first()
    if helps is None:
        return Answered(Verdict.DROPPED, "Its owner no longer helps to run the game.")
    return _take(Runner(helps.game, helps.user), received)


def answer(asked: Outgoing) -> bool:
    """Carry out what was held, because who runs the game said so; whether it was."""
    held = Incoming.objects.filter(pk=asked.data["incoming"], verdict=Verdict.HELD)
    with transaction.atomic():
        incoming, runner = held.first(), _asked(asked)
        if incoming is None or runner is None or not held.update(verdict=Verdict.ACCEPTED, reason="confirmed"):
            return False
        with translation.override(runner.who.locale):
            _carry_out(runner, incoming, asked.data["text"])
    return True


def is_open(asked: Outgoing) -> bool:
    """Whether a held mail of who runs a game still waits for him."""
    held = Incoming.objects.filter(pk=asked.data["incoming"], verdict=Verdict.HELD)
    return _asked(asked) is not None and held.exists()


def _asked(asked: Outgoing) -> Runner | None:
    """Return whom a question was put to, while he still runs the game."""
    game = Game.objects.select_related("organiser").get(pk=asked.object_id or 0)
    return Runner(game, asked.recipient) if asked.recipient and roles.may_command(game, asked.recipient) else None


def _take(runner: Runner, received: Received) -> Answered:
    with translation.override(runner.who.locale):
        judged = judge(received.mail, received.sent, None, received.others)
        confirmed = _confirm(runner, judged.text)
        if confirmed is not None:
            return confirmed
        if received.user is None and not received.token:
            return Answered(Verdict.DROPPED, "The sender is unknown.")
        his = received.token and received.user == runner.who
        if his and received.check == "pass" and not judged.doubt:
            return _carry_out(runner, received.incoming, judged.text)
        why = DOUBTS.get(judged.doubt, "It is not sure who wrote it.")
        return _hold(runner, received, judged.text, why, his=his and received.check != "fail")


def _carry_out(runner: Runner, incoming: Incoming, text: str) -> Answered:
    """Do what a mail says, line by line, and answer it."""
    read = commands.read(text)
    said = [_act(runner, one) for one in read.commands if one.word in commands.ACTS]
    show = [one.word for one in read.commands if one.word not in commands.ACTS]
    data = {"said": said, "ignored": list(read.ignored), "show": [str(word) for word in dict.fromkeys(show)]}
    _answer(runner, incoming, data)
    verdict = Verdict.ACCEPTED if read.commands else Verdict.REJECTED
    return Answered(verdict, "" if read.commands else "No command was found.")


def _act(runner: Runner, command: Command) -> str:
    """Do what a command says, and tell what came of it."""
    return _extend(runner, command) if command.word == "extend" else _stop_or_go(runner, command)


def _stop_or_go(runner: Runner, command: Command) -> str:
    try:
        if command.word == "pause":
            services.pause_game(game=runner.game, who=runner.who, why=command.why)
            return _("The game is paused. Orders can still be given; no time runs.")
        services.resume_game(game=runner.game, who=runner.who, why=command.why)
    except PlayError as error:
        return _("“%(command)s” was not done: %(why)s") % {"command": command.word, "why": error}
    return _("The game goes on; the time that it stood still is given back.")


def _extend(runner: Runner, command: Command) -> str:
    turn = selectors.open_turn(runner.game)
    if turn is None:
        return _("The deadline was not moved: no turn is open.")
    if command.hours is None:
        return _("The deadline was not moved: say by how many hours or days, for example “extend 24 holidays”.")
    try:
        services.extend(turn=turn, hours=command.hours, who=runner.who, why=command.why)
    except PlayError as error:
        return _("The deadline was not moved: %(why)s") % {"why": error}
    turn.refresh_from_db(fields=["deadline"])
    new = {"hours": command.hours, "deadline": selectors.deadline_text(turn, runner.who)}
    return _("The deadline was moved by %(hours)d hours, to %(deadline)s. The players are told.") % new


def _answer(runner: Runner, incoming: Incoming, data: dict[str, list[str]]) -> None:
    game, day = runner.game, timezone.now() - timedelta(days=1)
    answered = Outgoing.objects.filter(kind="organiser-answer", object_id=game.pk, recipient=runner.who)
    if answered.filter(created__gt=day).count() < MOST_A_DAY:
        mail_services.queue(
            event=f"organiser-answer:{incoming.pk}",
            kind="organiser-answer",
            recipient=runner.who,
            object_id=game.pk,
            data=data,
            thread=notices.thread(game),
            in_reply_to=incoming.answerable_id,
            address=runner.address,
            priority=2,
        )


def _hold(runner: Runner, received: Received, text: str, why: str, *, his: bool) -> Answered:
    """Keep a mail and ask whether it counts: once a day, as anybody could send such; about each that is ``his``."""
    game, incoming = runner.game, received.incoming
    if received.token and received.user not in (None, runner.who):
        mail_services.renew(received.address)
    if not commands.read(text).commands:
        return Answered(Verdict.DROPPED, "No command was found, and it is not sure who wrote it.")
    if not his:
        _ask(runner, received, text, f"{HELD}:{game.pk}:{timezone.now():%Y-%m-%d}")
    elif holding.asks(incoming, HELD, game.pk, runner.who):
        _ask(runner, received, text, f"{HELD}:mail:{incoming.pk}")
    return Answered(Verdict.HELD, why)


def _ask(runner: Runner, received: Received, text: str, event: str) -> None:
    mail_services.queue(
        event=event,
        kind=HELD,
        recipient=runner.who,
        object_id=runner.game.pk,
        data={"incoming": received.incoming.pk, "sender": received.sender, "text": text},
        thread=notices.thread(runner.game),
        address=runner.address,
        priority=2,
    )


def _confirm(runner: Runner, text: str) -> Answered | None:
    """Carry out the held mail whose code stands in a text; None if none does."""
    written = codes.found(text)
    asked = Outgoing.objects.filter(kind=HELD, object_id=runner.game.pk, recipient=runner.who)
    asked = asked.filter(created__gt=timezone.now() - questions.VALID)
    for one in asked.order_by("-pk").defer("raw", "texts") if written else ():
        if codes.code(PURPOSE, one.data["incoming"]) in written and answer(one):
            return Answered(Verdict.ACCEPTED, f"It confirms mail {one.data['incoming']}.")
    return None
