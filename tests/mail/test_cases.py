"""Mails that must work, kind by kind: each letter in `cases/` is read as `manage.py mail explain` reads it.

The number in a letter's name is that of the case in the list of mails known to have broken other systems; docs/mail.md
says where the other numbers are tested. All letters answer `sent.eml`, and most give the orders `OWN`.
"""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from games.engine import registry
from postspiel.mail import explaining
from postspiel.mail.explaining import Explanation
from postspiel.mail.reading import caps, mime
from postspiel.mail.reading.judging import DOUBTS, UNREADABLE

CASES = Path(__file__).parent / "cases"
OWN = ("send A Green", "send D Blue")


@dataclass(frozen=True)
class Case:
    """What becomes of a letter. Of a held one, `orders` are those in its new text."""

    verdict: str = "accepted"
    orders: tuple[str, ...] = OWN
    reason: str = ""
    problems: int = 0


def held(doubt: str, *orders: str, problems: int = 0) -> Case:
    return Case("held", orders, DOUBTS[doubt], problems)


def dropped(why: str) -> Case:
    return Case("dropped", (), why)


NOTHING = Case("rejected", (), "It has no new orders.")
ENCRYPTED = Case("rejected", (), UNREADABLE["encrypted"])
KEEP = Case(orders=(*OWN, "keep A"))

OTHERS: dict[str, Case] = {
    "11-edited-quote": held("edited-quote"),
    "11-edited-quote-and-own": held("edited-quote", "send A Green"),
    "15-only-our-mail": NOTHING,
    "15-only-our-mail-quoted": NOTHING,
    "20-empty": NOTHING,
    "20-ok": NOTHING,
    "20-only-quote": NOTHING,
    "20-plus-one": NOTHING,
    "20-thanks-german": NOTHING,
    "21-forward": held("forwarded"),
    "21-forward-french": held("forwarded"),
    "21-forward-german": held("forwarded", "send A Green"),
    "21-forward-outlook": held("forwarded"),
    "21-forward-plain-subject": held("forwarded"),
    "28-attachment-alone": held("attachment"),
    "28-attachment-and-body": held("attachment", *OWN),
    "30-pgp-inline": ENCRYPTED,
    "30-pgp-mime": ENCRYPTED,
    "30-smime-opaque": ENCRYPTED,
    "34-qp-leftover": held("garbled", problems=2),
    "34-qp-undecoded": held("garbled", "send D Blue", problems=1),
    "35-gmail-reaction": dropped("a reaction"),
    "36-outlook-reaction": dropped("a reaction"),
    "36-outlook-reaction-german": dropped("a reaction"),
    "36-thumb-alone": NOTHING,
    "38-read-receipt": dropped("a report"),
    "39-nested-mail-alone": NOTHING,
    "40-raw-mime": Case("rejected", (), UNREADABLE["raw"]),
    "50-bodies-differ": held("bodies-differ", *OWN),
    "50-struck-through-in-html-only": held("bodies-differ", *OWN),
    "58-em-dash": KEEP,
    "58-en-dash": KEEP,
    "58-full": KEEP,
    "58-minus": KEEP,
    "58-nb-hyphen": KEEP,
    "58-small": KEEP,
    "64-line-separators": Case(orders=(*OWN, "keep A", "keep S", "keep P")),
    "65-quotes-fullwidth": Case(orders=(*OWN, "keep A", "keep S", "bribe S 2000")),
    "94-list": held("list", *OWN),
    "94-list-by-precedence": held("list", *OWN),
    "97-away-by-subject": dropped("a note of absence"),
    "97-away-by-subject-answered": dropped("a note of absence"),
    "97-away-by-subject-dutch": dropped("a note of absence"),
    "97-away-by-subject-french": dropped("a note of absence"),
    "97-away-by-subject-german": dropped("a note of absence"),
    "97-calendar-answer": dropped("a calendar answer"),
    "97-calendar-counter": dropped("a calendar answer"),
    "97-out-of-office": dropped("Auto-Submitted"),
    "97-x-autoreply": dropped("an autoresponder"),
    "103-hard-bounce": dropped("a report"),
    "103-qmail-bounce": dropped("a bounce"),
    "103-soft-bounce": dropped("a report"),
    "104-away-is-no-bounce": dropped("Auto-Submitted"),
    "106-broken-report": dropped("a report"),
    "109-challenge": dropped("a challenge"),
    "109-challenge-header": dropped("a challenge"),
    "110-helpdesk": dropped("Precedence"),
    "110-helpdesk-auto": dropped("Auto-Submitted"),
    "110-own-loop": dropped("our own mail came back"),
    "114-many-unknown": Case("partial", ("send A Green",), "Some lines could not be taken.", 40),
}
LETTERS = sorted((path.stem for path in CASES.glob("[0-9]*.eml")), key=lambda stem: (int(stem.split("-")[0]), stem))


def raw(name: str) -> bytes:
    return (CASES / f"{name}.eml").read_bytes()


def explained(letter: bytes) -> Explanation:
    return explaining.explain(letter, answering=[raw("sent")], title=registry.title("intrige"))


@pytest.mark.parametrize("name", LETTERS)
def test_each_known_kind_of_mail_is_read_as_it_must_be(name: str) -> None:
    wanted, found = OTHERS.get(name, Case()), explained(raw(name))
    assert (found.verdict, found.reason) == (wanted.verdict, wanted.reason)
    assert tuple(one.text for one in found.orders) == wanted.orders
    assert len(found.problems) == wanted.problems
    assert found.automatic == (wanted.verdict == "dropped")


def test_every_expectation_has_its_letter() -> None:
    assert set(OTHERS) < set(LETTERS)


def test_a_delivery_report_tells_whose_mailbox_failed_and_whether_for_good() -> None:
    (hard,) = explained(raw("103-hard-bounce")).bounce or ()
    assert (hard.address, hard.status, hard.hard) == ("ada@example.com", "5.1.1", True)
    (soft,) = explained(raw("103-soft-bounce")).bounce or ()
    assert (soft.address, soft.status, soft.hard) == ("ada@example.com", "4.2.2", False)
    for name in ("104-away-is-no-bounce", "106-broken-report", "107-human-sends-a-bounce", "107-human-about-a-bounce"):
        assert explained(raw(name)).bounce is None, name


def test_what_was_set_aside_is_shown() -> None:
    assert "Rose Street 7" in explained(raw("23-ignored-is-shown")).ignored
    assert "bribe A 7000" in explained(raw("22-inline-headers")).ignored
    assert "bribe A 1000" in explained(raw("14-no-separator")).ignored


def test_a_name_that_lies_about_its_address_is_not_believed() -> None:
    assert mime.read(raw("73-lying-name")).sender == "eve@example.com"


def test_problems_are_told_with_their_line_and_a_right_line_near_it() -> None:
    found = explained(b"From: ada@example.com\n\nHello,\nbribe A 500\nsend D Gren\n")
    (one,) = found.problems
    assert (found.verdict, one.line, one.text, one.suggestion) == ("partial", 3, "send D Gren", "send D Green")
    assert one.reason


def test_without_a_title_reading_stops_at_the_new_text() -> None:
    found = explaining.explain(raw("14-no-separator"), answering=[raw("sent")])
    assert (found.verdict, found.orders, found.new_text) == ("accepted", (), "send A Green\nsend D Blue")
    assert explaining.explain(b"From: a@b\n\n").verdict == "rejected"


def test_a_mail_that_costs_too_much_is_put_aside() -> None:
    for bomb in (
        b"a: b\n\n" + b"x" * caps.SIZE,
        b"a: " + b"b" * 70_000,
        b"a: b\n\n" + b"boundary=x\n" + b"\n--x" * 300,
    ):
        found = explained(bomb)
        assert (found.verdict, found.orders) == ("quarantined", ())
        assert found.reason


def test_the_command_prints_what_the_function_says(capsys: pytest.CaptureFixture[str]) -> None:
    paths = (str(CASES / "114-many-unknown.eml"), "--answering", str(CASES / "sent.eml"), "--title", "intrige")
    call_command("mail", "explain", *paths, "--json")
    told = json.loads(capsys.readouterr().out)
    assert list(told) == [
        "verdict", "reason", "new_text", "orders", "problems", "ignored", "automatic", "bounce",
    ]  # fmt: skip
    assert told["orders"] == [{"line": 41, "text": "send A Green"}]
    assert set(told["problems"][0]) == {"line", "text", "reason", "suggestion"}
    call_command("mail", "explain", *paths)
    said = capsys.readouterr().out
    assert said.startswith("partial: Some lines could not be taken.")
    assert "1: bribe Nobody0 100: “Nobody0” is not known (SCHOLAR). Perhaps: bribe A 100" in said


@pytest.mark.parametrize(
    ("raw", "verdict"),
    (
        (b"", "rejected"),
        (b"\n\nsend A Green\n", "accepted"),
        (b"send A Green\n", "accepted"),
        (bytes(range(256)) * 40, "rejected"),
        (b"\xff\xfeF\0r\0o\0m\0:\0", "rejected"),
        (b"From: a@b\n\nsend A\x1b[31m Green\0\n", "rejected"),
        (b"From: a@b\nContent-Type: text/plain; charset=iso-8859-1\n\nsend A Gr\xfcn\n", "accepted"),
        (b"From x@y Mon Jun 1 2026\nFrom: a@b\n\nsend A Green\n", "accepted"),
    ),
    ids=("empty", "no head", "text alone", "binary", "utf-16", "control signs", "latin-1", "out of a mailbox file"),
)
def test_whatever_a_file_holds_is_explained_without_control_signs(
    raw: bytes, verdict: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mail.eml"
    path.write_bytes(raw)
    call_command("mail", "explain", str(path), "--title", "intrige")
    said = capsys.readouterr().out
    assert said.startswith(verdict)
    assert not [sign for sign in said if ord(sign) < 32 and sign not in "\n\t"]


def test_the_command_answers_in_a_sentence_whatever_it_is_given() -> None:
    with pytest.raises(CommandError, match=r"nowhere\.eml cannot be read: No such file or directory\. Name a file"):
        call_command("mail", "explain", "nowhere.eml")
    with pytest.raises(CommandError, match=r"cannot be read: Is a directory\. Name a file"):
        call_command("mail", "explain", str(CASES / "20-ok.eml"), "--answering", str(CASES))
    with pytest.raises(CommandError, match="There is no title called “chess”"):
        call_command("mail", "explain", str(CASES / "20-ok.eml"), "--title", "chess")
