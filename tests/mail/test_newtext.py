"""New text, rule by rule. `KREML` is a mail of ours; each case is an answer to it, or to nothing that we know."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from postspiel.mail.reading import NewText, comparable, new_text, quotations
from postspiel.mail.reading.newtext import Ours
from postspiel.mail.reading.plain import fold
from tests.mail import kinds

KREML = """\
Kreml, turn 4: you are Red.
The snow lies deep on Tuesday the 8th and the guards are tired.
Read more at https://play.example.org/games/abcdefghijklmnopqrstuvwxyz/positions/of/everybody
These orders are open to you:

bid 1000 tower
move bear to gate
done

Deadline: Wednesday, 20:00 (Europe/Berlin)
"""


def found(text: str, *ours: str) -> NewText:
    return new_text(text, map(comparable, ours or (KREML,)), kinds.is_order)


def orders(text: str, *ours: str) -> list[str]:
    return [line.strip() for line in found(text, *ours).text.split("\n") if kinds.is_order(line)]


def quoted(text: str = KREML, prefix: str = "> ") -> str:
    return "\n".join(f"{prefix}{line}".rstrip() for line in text.strip().split("\n"))


def test_a_new_line_may_begin_as_introductions_do() -> None:
    text = "On turn 5 I shall go.\nbid 7 tower\nOn 9 May 2029 at 10:00 the general wrote:\nmove bear to gate\n"
    assert orders(text) == ["bid 7 tower", "move bear to gate"]


@pytest.mark.parametrize(
    "intro",
    (
        "On Mon, May 7, 2029 at 10:12 AM Kreml <\nkreml+token@play.example.org> wrote:",
        "On Mon, May 7, 2029 at 10:12\u202fAM Kreml <kreml@play.example.org>\nwrote:",
        "Am 07.05.2029 um 10:12 schrieb „Kreml“ <kreml@play.example.org\n>:",
        "Am Montag, 7. Mai 2029, 10:12:00 CEST schrieb Kreml:",
        "Le lun. 7 mai 2029 à 10:12, Kreml <kreml@play.example.org> a écrit\u00a0:",
        "Kreml <kreml@play.example.org> schrieb am Mo., 7. Mai 2029:",
        "2029-05-07 10:12 GMT+02:00 Kreml <kreml@play.example.org>:",
        "> On 7 May 2029, at 10:12, Kreml <kreml@play.example.org> wrote:",
        "Kreml (kreml@play.example.org) said:\n\n",
        "-----Original Message-----",
        "----- Ursprüngliche Nachricht -----",
        "From: Kreml\nSent: Monday\nTo: Ada\nSubject: turn 4",
        "*Von:* Kreml <kreml@play.example.org>\n*Gesendet:* Montag\n*An:* Ada\n*Betreff:* Zug 4",
        "De : Kreml\nEnvoyé : lundi 7 mai\nÀ : Ada\nObjet : tour 4",
        "_______________________________\nFrom: Kreml\nDate: Monday\nTo: Ada\nCc: Ben\nSubject: turn 4",
    ),
)
@pytest.mark.parametrize("prefix", ("> ", ">", "| ", "", "KR> ", "    KR> "))
def test_introductions_in_three_languages_are_known_whole_or_broken(intro: str, prefix: str) -> None:
    mail = f"bid 7 tower\ndone\n\n{intro}\n{quoted(prefix=prefix)}\n"
    assert orders(mail) == ["bid 7 tower", "done"]
    assert "These orders are open" in found(mail).ignored
    if not prefix and "@" not in intro and "schrieb" in intro:
        return  # a sentence about a letter looks the same
    strange = "You are invited to my party.\nbid 9 gate\nCome soon, all of you."
    assert orders(f"bid 7 tower\ndone\n\n{intro}\n{quoted(strange, prefix)}\n") == ["bid 7 tower", "done"]


def test_orders_under_an_answered_quotation_count() -> None:
    assert orders(f"On Mon, May 7, 2029, Kreml wrote:\n{quoted()}\n\nbid 7 tower\ndone\n") == ["bid 7 tower", "done"]
    between = quoted().replace("> Deadline", "bid 7 tower\n> Deadline")
    assert orders(f"Am 7. Mai 2029 schrieb Kreml:\n{between}\n") == ["bid 7 tower"]


def test_a_rule_cuts_nothing_if_we_drew_it_or_if_own_orders_stand_below_it() -> None:
    ruled = "Kreml, turn 4\n\nYour orders\n--------------------\n\nbid 1000 tower\ndone\n\nThe end of our mail.\n"
    assert orders(f"{ruled}\n\nbid 1000 tower\ndone\n", ruled) == ["bid 1000 tower", "done"]
    assert orders("Your orders\n--------------------\n\nbid 7 tower\ndone\n", ruled) == ["bid 7 tower", "done"]
    assert orders("Mine\n____________________\nare:\nbid 7 tower\ndone\n") == ["bid 7 tower", "done"]
    assert "Ltd" in found("bid 7 tower\n____________________\nSome Company Ltd\n").ignored


def test_a_program_may_leave_no_separator_at_all() -> None:
    assert orders(f"bid 7 tower\n{KREML}") == ["bid 7 tower"]
    assert orders(f"{KREML}\nbid 7 tower") == ["bid 7 tower"]


def test_our_own_mail_alone_holds_no_orders() -> None:
    for mail in (KREML, quoted(), f"\n\n{quoted(KREML, '>> ')}", "Ok!\n\n" + quoted(), "+1", ""):
        assert orders(mail) == []


def test_orders_copied_out_of_our_mail_are_the_players() -> None:
    assert orders("bid 1000 tower\nmove bear to gate\ndone") == ["bid 1000 tower", "move bear to gate", "done"]
    assert orders("These orders are open to you:\n\nbid 1000 tower\ndone") == ["bid 1000 tower", "done"]
    assert orders(f"bid 1000 tower\ndone\n\nAm 7. Mai 2029 schrieb Kreml:\n{quoted()}") == ["bid 1000 tower", "done"]


def test_quotes_broken_anew_are_still_ours() -> None:
    broken = quoted().replace("on Tuesday the 8th", "on\nTuesday the 8th").replace("xyz/positions", "\nxyz/positions")
    assert orders(f"bid 7 tower\n\n{broken}\n") == ["bid 7 tower"]
    leaked = quoted().replace("/abcdefghijklm", "\nabcdefghijklm")
    result = found(f"bid 7 tower\n\n{leaked}\n")
    assert result.text == "bid 7 tower"


def test_an_order_changed_inside_the_quotation_is_pointed_out() -> None:
    changed = quoted().replace("bid 1000 tower", "bid 1500 tower")
    result = found(f"{changed}\n")
    assert (result.text, result.edited_quote) == ("", ("bid 1500 tower",))
    assert found(quoted()).edited_quote == ()
    assert found(quoted().replace("snow", "rain")).edited_quote == ()
    assert found(quoted(changed)).edited_quote == (), "an older quotation in a quotation is somebody else's matter"
    assert found(quoted("A private mail\nbid 4 gate\nbye")).edited_quote == (), "not a quotation of our mail"


@pytest.mark.parametrize(
    "block",
    (
        "From: Kreml\nTo: Ada\nSent: Monday, 7 May\nSubject: turn 4",
        "Sent: Monday\nFrom: Kreml\nTo: Ada",
        "Von: Kreml\nDatum: Montag\nAn: Ada\nSent: Monday\nBetreff: Zug 4",
        "De : Kreml\nSent : lundi 7 mai\nÀ : Ada\nObjet : tour 4",
    ),
)
def test_a_quoted_block_of_header_lines_is_no_changed_order(block: str) -> None:
    answer = f"bid 7 tower\n\n{quoted(block)}\n>\n{quoted()}\n"
    assert (orders(answer), found(answer).edited_quote) == (["bid 7 tower"], ())
    below = answer.replace("\n>\n", "\n> bid 9 gate\n>\n", 1)
    assert found(below).edited_quote == ("bid 9 gate",), "right below the block"
    alone = answer.replace(quoted(block), "> Sent: Monday\n> Subject: turn 4")
    assert found(alone).edited_quote == ("Sent: Monday",), "two labels are no block"


def test_a_forwarded_mail_is_known_as_one() -> None:
    for mark in (
        "---------- Forwarded message ---------",
        "-------- Weitergeleitete Nachricht --------",
        "Begin forwarded message:",
        "Anfang der weitergeleiteten Nachricht:",
        "Début du message transféré :",
    ):
        mail = f"See below\n\n{mark}\nFrom: Kreml\nDate: Monday\nSubject: Turn 4\nTo: Ada\n\n{KREML}"
        assert found(mail).forwarded, mark
        assert orders(mail) == []
        assert orders(mail, "another mail of ours") == []
    assert not found(f"bid 7 tower\n\n{quoted()}").forwarded


def test_a_hash_is_never_a_cut() -> None:
    assert orders("##########\n# my plan\nbid 7 tower\n####\ndone") == ["bid 7 tower", "done"]


def test_a_dash_is_no_signature_but_the_separator_is() -> None:
    assert orders("bid 7 tower\n-not sure-\n--really\n---\ndone") == ["bid 7 tower", "done"]
    result = found("bid 7 tower\n-- \nAda\nmove on, they said\n")
    assert result.text == "bid 7 tower"
    assert "move on" in result.ignored


def test_a_signature_ends_where_the_quotation_begins() -> None:
    mail = f"bid 7 tower\n-- \nAda\n\nOn 7 May 2029, Kreml wrote:\n{quoted()}\n\ndone\n"
    assert orders(mail) == ["bid 7 tower", "done"]


@pytest.mark.parametrize(
    "signature",
    (
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Get Outlook for iOS",
        "Outlook für Android herunterladen",
        "Gesendet mit der GMX Mail App",
        "Von meinem/meiner Galaxy gesendet",
        "Sent from Yahoo Mail for iPhone",
        "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
        "Envoyé depuis mon téléphone",
    ),
)
def test_what_phones_add_is_no_part_of_the_text(signature: str) -> None:
    result = found(f"bid 7 tower\n\n{signature}\n\n{quoted()}")
    assert result.text == "bid 7 tower"
    assert signature in result.ignored


def test_orders_that_look_like_header_lines_are_orders() -> None:
    def is_order(line: str) -> bool:
        return line.startswith(("From:", "To:", "Ships:"))

    text = "From: Paris\nTo: Burgundy\nShips: 40\nthank you"
    assert new_text(text, (comparable(KREML),), is_order).text == text
    assert found(text).text == text, "two labels are not enough"


def test_an_order_that_passed_a_mailbox_file_is_restored() -> None:
    def is_order(line: str) -> bool:
        return line.startswith("From Paris")

    assert new_text("hello\n>From Paris to Burgundy\nbye", (), is_order).text == "hello\nFrom Paris to Burgundy\nbye"
    assert new_text("> hello\n>From Paris to Burgundy\nbye", (), is_order).text == "bye"


@pytest.mark.parametrize(
    ("text", "new"),
    (
        ("bid 1\n-- \nAda\nbid 2 more", "bid 1"),
        ("bid 1\n--\nAda", "bid 1"),
        ("Hello\n--\nbid 1\nbid 2", "Hello\n--\nbid 1\nbid 2"),
        ("bid 1\n--\nbid 2\n-- \nbid 9", "bid 1\n--\nbid 2"),
    ),
)
def test_two_dashes_without_a_space_end_a_text_only_below_its_orders(text: str, new: str) -> None:
    assert new_text(text, (), kinds.is_order).text == new


def test_nothing_is_lost() -> None:
    mail = f"Hello\nbid 7 tower\n-- \nAda\n\nOn 7 May 2029, Kreml wrote:\n{quoted()}"
    result = found(mail)
    both = (result.text + "\n" + result.ignored).split("\n")
    assert sorted(filter(None, both)) == sorted(line.rstrip() for line in mail.split("\n") if line)


def test_a_very_long_mail_is_read_as_far_as_is_useful() -> None:
    result = found("bid 7 tower\n" + "nonsense and more\n" * 20_000 + "done\n")
    assert result.text.startswith("bid 7 tower")
    assert result.ignored.endswith("done\n") or result.ignored.endswith("done")


PIECES = f"""{KREML}{quoted()}
bid 7 tower
done
--
>
From: a
To: b
Subject: c
On 7 May 2029 a@b wrote:
Am 7. schrieb
x@y:
______________________________
Sent from my x
>From me
""".split("\n")
LINES = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=40)), max_size=40)


@given(lines=LINES, ours=st.sampled_from(((), (comparable(KREML),))))
def test_every_text_is_read_and_nothing_new_is_made_up(lines: list[str], ours: tuple[str, ...]) -> None:
    from postspiel.mail.reading.plain import lines_of, tidy

    text = "\n".join(lines)
    result = new_text(text, ours, kinds.is_order)
    there = lines_of(tidy(text))
    for line in result.text.split("\n"):
        assert line in there or f">{line}" in there or not line
    again = new_text(result.text, ours, kinds.is_order)
    assert {line for line in again.text.split("\n") if kinds.is_order(line)} <= set(result.text.split("\n"))


def test_the_end_of_a_quoted_line_is_no_order_though_it_begins_like_one() -> None:
    ours = "Write to us.\nLines with help or\nstatus, or with bid tower, send you a list.\nbid 1000 tower\ndone"
    assert orders("> Write to us.\n> status, or with\nbid tower, send you a list.\n> done\n", ours) == []
    assert orders("> status, or with bid tower, send you a list.\nbid 1000 tower\n> done\n", ours) == ["bid 1000 tower"]


def test_a_word_of_ours_on_a_thousand_lines_is_no_trouble() -> None:
    """Each of them might go on with the one above it."""
    assert found("bid 7 tower\n" + "P\n" * 3000, "You have P P P P at home.").text == "bid 7 tower"


@pytest.mark.parametrize(
    "lines",
    (
        ("-" * 30,),
        ("On Mon, 1 Jun 2026, a@b wrote:",),
        ("From: a", "Sent: b", "Subject: c", ""),
        (*KREML.split("\n"), "On Mon, 1 Jun 2026, a@b wrote:"),
    ),
)
def test_thousands_of_introductions_take_no_second(lines: tuple[str, ...]) -> None:
    started = time.process_time()
    found("\n".join(lines * (5000 // len(lines))))
    assert time.process_time() - started < 1


@given(st.lists(st.sampled_from((*fold(KREML).split(), "snow", "lie"))).map(" ".join))
def test_a_line_is_ours_if_its_words_stand_so_in_our_mail(line: str) -> None:
    ours = Ours(map(comparable, (KREML, "bid 1000\n\ntower\n")))
    assert ours.has(line) == (bool(line) and f" {line} " in f" {fold(KREML)} \0 bid 1000 tower ")


@given(st.text(st.characters(codec="utf-8")) | st.text("\u0300\u0338\u00a8\u1100\u1161 a>", max_size=6))
def test_a_quoted_line_folds_as_what_it_quotes_behind_its_mark(text: str) -> None:
    line = f"> {text}"
    assert quotations.folded(line, "> ", fold(text)) == fold(line)
