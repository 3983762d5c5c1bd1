"""Who may act by mail: the table at the end of DESIGN's cases, row by row, as far as this server can tell senders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from django.utils import translation

from postspiel.mail.models import Incoming
from postspiel.mail.reading import Answered, Judged, Received, judge
from postspiel.play.inbox import confirming, holding, letterbox
from postspiel.play.inbox.letterbox import Mail
from postspiel.play.mails import frame
from postspiel.play.models import Seat

Verdict = Incoming.Verdict


def seat(received: Received) -> Answered:
    """Take one mail to a seat's address.

    The token and a confirmed address of the seat's player act. From any other address the mail is held until its
    player confirms it; from another player of the game the address is renewed besides. A seat that was given up takes
    no mail; its former player is told so once.
    """
    one = Seat.objects.select_related("game", "player").get(pk=received.address.object_id)
    if one.player is None:
        return holding.refuse(one, received)
    with translation.override(one.player.locale):
        return _judged(one, received)


def _judged(one: Seat, received: Received) -> Answered:
    judged = judge(received.mail, received.sent, frame.language_of(one.game))
    mail = _mail(one, received, judged)
    other = _other_player(one, received)
    if other is not None:
        return holding.hold(one, mail, "other-player", other=other)
    confirmed = confirming.confirm(one, mail)
    if confirmed is not None:
        return confirmed
    if received.user != one.player:
        return holding.hold(one, mail, "unknown-sender")
    return holding.hold(one, mail, judged.doubt) if judged.doubt else letterbox.carry_out(one, mail)


def _mail(one: Seat, received: Received, judged: Judged) -> Mail:
    return Mail(
        incoming=received.incoming,
        sender=received.sender,
        text=judged.text,
        ignored="\n".join(_not_ours(judged.new.ignored.splitlines(), received.sent)),
        turn_number=letterbox.turn_answered(one, received.refers),
        unreadable=judged.unreadable,
    )


def _not_ours(lines: Iterable[str], sent: Iterable[str]) -> Iterator[str]:
    """Leave the lines out that only repeat the mail that is answered: nobody misses them in a receipt."""
    ours = " ".join(" ".join(text.split()) for text in sent)
    for line in lines:
        words = " ".join(line.lstrip("> \t").split())
        if words and words not in ours:
            yield line


def _other_player(one: Seat, received: Received) -> Seat | None:
    if received.user is None or received.user == one.player:
        return None
    return Seat.objects.filter(game=one.game, player=received.user).exclude(pk=one.pk).first()
