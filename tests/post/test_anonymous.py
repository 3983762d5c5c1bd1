"""Games in which nobody is to know who plays what (case 34 of the turn cycle, case 96 of mail)."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse

from postspiel.accounts.models import User
from postspiel.mail import services as mail
from postspiel.mail.models import Incoming, Outgoing
from postspiel.play import anonymity, selectors, services
from postspiel.play.models import Game, Press
from tests.post.conftest import code_in_text, deliver, forward, letter, orders, player, row, seat, speak, state, words

NAMES = {0: "Adelheid", 1: "Bertolt", 2: "Cleophea"}


@pytest.fixture
def hidden(clock: time_machine.Traveller, olga: User, ada: User, bert: User, cleo: User) -> Game:
    """An anonymous game, whose players have names that stand nowhere else."""
    terms = services.PressTerms(anonymous=True)
    game = services.create_game(
        organiser=olga,
        title="intrige",
        name="Masks",
        size=3,
        options={},
        schedule=services.Schedule(hours=48),
        terms=terms,
    )
    for index, one in enumerate((ada, bert, cleo)):
        one.display_name, one.locale = NAMES[index], "en"
        one.email = f"{NAMES[index].lower()}@example.org"
        one.save()
        EmailAddress.objects.create(user=one, email=one.email, verified=True, primary=True)
        services.join_game(game=game, player=one)
    game.refresh_from_db()
    return game


def everything(viewer: User, game: Game) -> Iterator[tuple[str, str]]:
    """All that a person can get of a game: pages, the API, and every mail to him, with its head."""
    client = Client()
    client.force_login(viewer)
    pages = [reverse(name, args=[game.key]) for name in ("game", "game-press-archive", "game-sheet")]
    pages += [reverse(name) for name in ("home", "lobby", "organiser", "my-mails")]
    pages += [reverse("api-game", args=[game.key])]
    for page in pages:
        yield page, client.get(page, follow=True).content.decode()
    for one in Outgoing.objects.filter(recipient=viewer):
        mail.send(one.pk)
        one.refresh_from_db()
        yield one.kind, bytes(one.raw or b"").decode()


def test_no_page_mail_head_or_link_names_another_player(hidden: Game, clock: time_machine.Traveller) -> None:
    for index in range(3):
        services.send_press(seat=seat(hidden, player(hidden, index)), to=None, text="Who am I?")
        services.send_press(seat=seat(hidden, player(hidden, index)), to=[(index + 1) % 3], text="I know you.")
    acts = player(hidden, state(hidden).active)
    deliver(hidden, acts, "\n".join(orders(letter("turn", acts).text, hidden)))
    services.propose_end(seat=seat(hidden, acts))
    forward(hidden, clock)
    for index in range(3):
        viewer = player(hidden, index)
        found = list(everything(viewer, hidden))
        assert {"turn", "press"} <= {where for where, _ in found}
        assert any("hidden" in text for _, text in found)
        for where, text in found:
            for other in set(range(3)) - {index}:
                assert NAMES[other].lower() not in text.lower(), (where, NAMES[other])


def test_who_organises_and_plays_sees_no_more_than_a_player(hidden: Game, olga: User) -> None:
    Game.objects.filter(pk=hidden.pk).update(organiser=player(hidden, 0))
    for where, text in everything(player(hidden, 0), Game.objects.get(pk=hidden.pk)):
        for other in (1, 2):
            assert NAMES[other].lower() not in text.lower(), (where, NAMES[other])


def test_who_organises_and_does_not_play_knows_and_at_the_end_everybody(hidden: Game, olga: User) -> None:
    watching = dict(everything(olga, hidden))
    page = watching[reverse("game", args=[hidden.key])]
    assert all(name in page for name in NAMES.values())
    assert NAMES[0] in letter("joined", olga, object_id=seat(hidden, player(hidden, 0)).pk).text
    viewer = player(hidden, 0)
    assert not anonymity.knows_players(hidden, None)
    for index in range(3):
        services.propose_end(seat=hidden.seats.get(index=index))
    over = Game.objects.get(pk=hidden.pk)
    assert anonymity.knows_players(over, None)
    shown = json.loads(dict(everything(viewer, over))[reverse("api-game", args=[hidden.key])])
    assert [one["player"] for one in shown["seats"]] == list(NAMES.values())
    assert NAMES[1] in letter("ended", viewer).text


@pytest.mark.parametrize(
    ("text", "held"),
    (
        ("Meet me at noon.", False),
        ("Yours, Adelheid", True),
        ("yours, ADELHEID!", True),
        ("Write to adelheid@example.org", True),
        ("Write to spare@work.example.", True),
        ("Adelheidis was a queen; so was Red.", False),
        ("Regards\nLovelace", True),
        ("We should attack Yellow.", False),
    ),
)
def test_press_that_names_its_writer_waits(hidden: Game, text: str, held: bool) -> None:
    ada = player(hidden, 0)
    EmailAddress.objects.create(user=ada, email="spare@work.example", verified=False)
    press = services.send_press(
        seat=seat(hidden, ada), to=[1], text=text, known_as=("Ada Lovelace <red>",) if "Lovelace" in text else ()
    )
    assert press.held == held
    assert Outgoing.objects.filter(kind="press").exists() != held
    assert [one.text for one in selectors.press_for(hidden, seat(hidden, player(hidden, 1)))] == (
        [] if held else [text]
    )


def test_what_seats_are_called_is_no_name(hidden: Game) -> None:
    ada = player(hidden, 0)
    ada.display_name = "Red Baron"
    ada.save()
    assert not anonymity.names_writer("Red attacks.", seat(hidden, ada))
    assert anonymity.names_writer("The baron attacks.", seat(hidden, ada))


def test_a_mail_gives_its_orders_while_its_press_waits_for_the_code(hidden: Game) -> None:
    acts = player(hidden, state(hidden).active)
    right = "\n".join(orders(letter("turn", acts).text, hidden))
    said = f"{right}\npress to all:\nBest wishes\n{acts.display_name}\nend press"
    assert deliver(hidden, acts, said).verdict == Incoming.Verdict.ACCEPTED
    assert len(seat(hidden, acts).sheets.get(turn=selectors.open_turn(hidden)).orders) == 2
    assert "waits: it names you" in words(letter("receipt", acts).text)
    assert not Outgoing.objects.filter(kind="press").exists()
    question = letter("press-held", acts)
    other = player(hidden, (state(hidden).active + 1) % 3)
    deliver(hidden, other, code_in_text(question.text))
    assert Press.objects.get().held
    assert deliver(hidden, acts, code_in_text(question.text)).verdict == Incoming.Verdict.ACCEPTED
    assert not Press.objects.get().held
    assert Outgoing.objects.filter(kind="press").count() == 2


def test_on_the_page_it_waits_for_its_writers_button(hidden: Game) -> None:
    ada, bert = player(hidden, 0), player(hidden, 1)
    client = Client()
    client.force_login(ada)
    client.post(reverse("game-press", args=[hidden.key]), {"press-public": "on", "press-text": "I am Adelheid"})
    press = Press.objects.get()
    assert press.held
    assert "Send it all the same" in client.get(reverse("game", args=[hidden.key])).content.decode()
    stranger = Client()
    stranger.force_login(bert)
    assert "Adelheid" not in stranger.get(reverse("game", args=[hidden.key])).content.decode()
    release = reverse("game-press-release", args=[hidden.key])
    assert stranger.post(release, {"press": press.pk}).status_code == 404
    assert client.get(release).status_code == 405
    client.post(release, {"press": press.pk})
    assert "Adelheid" in stranger.get(reverse("game", args=[hidden.key])).content.decode()


def test_in_other_games_people_may_sign(game: Game, ada: User) -> None:
    assert not services.send_press(seat=seat(game, ada), to=None, text="Yours, Ada").held


# --- the page that answers a question ---------------------------------------------------------------------------------


def page_of(question: Outgoing) -> str:
    """The link in a question."""
    text = letter(question.kind, question.recipient, pk=question.pk).text  # type: ignore[arg-type]
    (found,) = [word for word in text.split() if "/confirm/" in word]
    return found.removeprefix("https://play.example.org")


def test_the_link_in_a_question_asks_once_more_and_then_does_it_once(game: Game) -> None:
    acts = player(game, state(game).active)
    speak(acts, "en")
    right = "\n".join(orders(letter("turn", acts).text, game))
    held = deliver(game, acts, right, sender="new@phone.example")
    where = page_of(row("held", acts))
    guest = Client()
    for _twice in range(2):
        assert right.splitlines()[0] in guest.get(where).content.decode()
        assert guest.head(where).status_code == 200
    held.refresh_from_db()
    assert held.verdict == Incoming.Verdict.HELD, "to look changes nothing"
    assert "Done" in guest.post(where).content.decode()
    held.refresh_from_db()
    assert held.verdict == Incoming.Verdict.ACCEPTED
    assert len(seat(game, acts).sheets.get(turn=selectors.open_turn(game)).orders) == 2
    row("receipt", acts)
    for again in (guest.post(where), guest.get(where)):
        assert "Nothing to confirm" in again.content.decode()
    assert guest.post(where[:-3] + "xx/").status_code == 404


def test_a_seat_is_given_up_and_a_press_sent_by_the_page(hidden: Game) -> None:
    ada = player(hidden, 0)
    deliver(hidden, ada, "press to all:\nI am Adelheid\nend press")
    Client().post(page_of(row("press-held", ada)))
    assert not Press.objects.get().held
    deliver(hidden, ada, "resign")
    where = page_of(row("resign-confirm", ada))
    Client().get(where)
    assert hidden.seats.get(index=0).player == ada
    Client().post(where)
    assert hidden.seats.get(index=0).player is None
    assert "Nothing to confirm" in Client().post(where).content.decode()


def test_a_question_about_a_seat_that_changed_hands_does_nothing(game: Game) -> None:
    acts = player(game, state(game).active)
    speak(acts, "en")
    deliver(game, acts, "status", sender="new@phone.example")
    where = page_of(row("held", acts))
    index = seat(game, acts).index
    services.resign(seat=seat(game, acts), who=acts)
    text = Client().post(where).content.decode()
    assert "Nothing to confirm" in text
    assert game.seats.get(index=index).player is None


def test_who_organises_and_plays_does_not_read_on_his_desk_who_left(hidden: Game) -> None:
    Game.objects.filter(pk=hidden.pk).update(organiser=player(hidden, 0))
    services.resign(seat=seat(hidden, player(hidden, 1)), who=player(hidden, 1))
    client = Client()
    client.force_login(player(hidden, 0))
    desk = client.get(reverse("organiser")).content.decode()
    assert "Masks" in desk
    assert NAMES[1] not in desk
