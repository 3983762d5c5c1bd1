"""`manage.py doctor --mail`, with a name server, mail servers and a mailbox of its own."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.resolver
import dns.rrset
import pytest
from aiosmtpd.controller import Controller
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from postspiel.config import mail_health
from postspiel.config.management.commands import doctor as command
from tests.mail.imap_server import Mailbox, imap_server
from tests.support.server import free_port

DOMAIN = "games.example.org"
RECORDS = {
    ("games.example.org", "MX"): ["10 mx.example.org.", "20 spare.example.org."],
    ("mx.example.org", "A"): ["8.8.4.4"],
    ("spare.example.org", "AAAA"): ["2001:4860:4860::8888"],
    ("games.example.org", "TXT"): ['"unrelated"', '"v=spf1 mx " "-all"'],
    ("k1._domainkey.games.example.org", "TXT"): ['"v=DKIM1; k=rsa; p=MIGf" "MA0G"'],
    ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=quarantine"'],
    ("4.4.8.8.in-addr.arpa", "PTR"): ["mx.example.org."],
}


class NameServer:
    """A name server on loopback that knows `records` and nothing else."""

    def __init__(self) -> None:
        self.records = dict(RECORDS)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def resolver(self) -> dns.resolver.Resolver:
        """One that asks here."""
        found = dns.resolver.Resolver(configure=False)
        found.nameservers, found.port = ["127.0.0.1"], self._socket.getsockname()[1]
        return found

    def stop(self) -> None:
        self._socket.sendto(b"", self._socket.getsockname())
        self._thread.join(10)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            raw, client = self._socket.recvfrom(4096)
            if not raw:
                return
            self._socket.sendto(self._answer(dns.message.from_wire(raw)).to_wire(), client)

    def _answer(self, query: dns.message.Message) -> dns.message.Message:
        answer = dns.message.make_response(query)
        asked = query.question[0]
        name, kind = asked.name.to_text(omit_final_dot=True).lower(), dns.rdatatype.to_text(asked.rdtype)
        if found := self.records.get((name, kind)):
            answer.answer.append(dns.rrset.from_text(asked.name, 60, "IN", kind, *found))
        elif not any(known == name for known, _kind in self.records):
            answer.set_rcode(dns.rcode.NXDOMAIN)
        return answer


@pytest.fixture
def names() -> Iterator[NameServer]:
    server = NameServer()
    yield server
    server.stop()


@contextmanager
def smtp_server() -> Iterator[int]:
    port = free_port()
    controller = Controller(object(), hostname="127.0.0.1", port=port)
    controller.start()
    try:
        yield port
    finally:
        controller.stop()


@pytest.fixture
def host(settings: Settings) -> Iterator[Mailbox]:
    """A host whose mail is well in every way: the door, the way out, a mailbox."""
    with smtp_server() as door, smtp_server() as out, imap_server() as box:
        settings.POSTSPIEL_MAIL_DOMAIN = DOMAIN
        settings.POSTSPIEL_MAIL_FROM = f"Postspiel <postspiel@{DOMAIN}>"
        settings.POSTSPIEL_MAIL_SCHEME = "plus"
        settings.POSTSPIEL_MAIL_DKIM = "k1"
        settings.POSTSPIEL_MAIL_LISTEN = f"127.0.0.1:{door}"
        settings.POSTSPIEL_MAIL_LMTP = ""
        settings.POSTSPIEL_SMTP = {
            "host": "127.0.0.1", "port": out, "use_ssl": False, "use_tls": False, "username": "", "password": "",
        }  # fmt: skip
        settings.POSTSPIEL_IMAP = [
            {"host": "127.0.0.1", "port": box.port, "security": "none", "username": "games", "password": "sesame"}
        ]
        yield box


def wrong(names: NameServer) -> list[tuple[str, str]]:
    """What is wrong, each with its mend."""
    return [(one.sentence, one.mend) for one in mail_health.examine_mail(names.resolver()) if not one.ok]


def test_a_host_whose_mail_is_well(host: Mailbox, names: NameServer, settings: Settings) -> None:
    told = [one.sentence for one in mail_health.examine_mail(names.resolver())]
    assert wrong(names) == []
    assert told == [
        "Mail for games.example.org goes to mx.example.org, spare.example.org.",
        "The SPF record of games.example.org says who may send: v=spf1 mx -all",
        "The DKIM key is published at k1._domainkey.games.example.org.",
        "The DMARC record of example.org is: v=DMARC1; p=quarantine",
        "The sending address 8.8.4.4 is called mx.example.org.",
        f"Mail is taken in by SMTP at {settings.POSTSPIEL_MAIL_LISTEN}.",
        f"127.0.0.1:{settings.POSTSPIEL_SMTP['port']} sends our mail; sign-in and encryption work as set.",
        f"INBOX of games at 127.0.0.1:{host.port} can be read.",
    ]


@pytest.mark.parametrize(
    ("name", "kind", "records", "sentence"),
    (
        ("games.example.org", "MX", [], "Nobody can write to games.example.org"),
        ("games.example.org", "MX", ["0 ."], "Nobody can write to games.example.org"),
        ("games.example.org", "MX", ["10 gone.example.org."], "The mail server gone.example.org of"),
        ("games.example.org", "TXT", [], "games.example.org has no SPF record."),
        ("games.example.org", "TXT", ['"v=spf1 -all"', '"v=spf1 mx -all"'], "games.example.org has more than one SPF"),
        ("games.example.org", "TXT", ['"v=spf1 mx +all"'], "The SPF record of games.example.org forbids nobody"),
        ("games.example.org", "TXT", ['"v=spf10 -all"'], "games.example.org has no SPF record."),
        ("k1._domainkey.games.example.org", "TXT", [], "No DKIM key is published at k1._domainkey.games"),
        ("k1._domainkey.games.example.org", "TXT", ['"v=DKIM1; p="'], "No DKIM key is published at k1._domainkey"),
        ("_dmarc.example.org", "TXT", [], "games.example.org has no DMARC record."),
        ("4.4.8.8.in-addr.arpa", "PTR", [], "The sending address 8.8.4.4 has no name (PTR)."),
        ("4.4.8.8.in-addr.arpa", "PTR", ["box.example.org."], "The sending address 8.8.4.4 is called box.example.org,"),
    ),
)
def test_what_dns_lacks_is_named_with_its_mend(
    host: Mailbox, names: NameServer, name: str, kind: str, records: list[str], sentence: str
) -> None:
    names.records[name, kind] = records
    if kind == "MX" and records != ["10 gone.example.org."]:
        names.records["mx.example.org", "A"] = []
    ((said, mend),) = wrong(names)
    assert said.startswith(sentence)
    assert mend


def test_a_domain_without_mx_is_its_own_mail_server(host: Mailbox, names: NameServer) -> None:
    names.records[DOMAIN, "MX"], names.records[DOMAIN, "A"] = [], ["8.8.4.4"]
    assert wrong(names) == []


def test_a_selector_that_nobody_named_is_no_fault(host: Mailbox, names: NameServer, settings: Settings) -> None:
    settings.POSTSPIEL_MAIL_DKIM = ""
    assert wrong(names) == []
    assert any("DKIM was not looked at" in one.sentence for one in mail_health.examine_mail(names.resolver()))


def test_silent_name_servers_and_local_domains_end_the_look_at_dns(
    host: Mailbox, names: NameServer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_health, "TIMEOUT", 0.2)
    resolver = names.resolver()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
        silent.bind(("127.0.0.1", 0))
        resolver.port = silent.getsockname()[1]
        first = mail_health.examine_mail(resolver)[0]
    assert first.sentence.startswith("The name servers do not answer: ")
    settings.POSTSPIEL_MAIL_DOMAIN = "localhost"
    ((sentence, mend),) = wrong(names)
    assert sentence == "The mail domain is localhost, which no other server knows."
    assert "POSTSPIEL_MAIL_DOMAIN" in mend


def test_a_single_mailbox_is_judged_by_its_own_domain(host: Mailbox, names: NameServer, settings: Settings) -> None:
    settings.POSTSPIEL_MAIL_SCHEME, settings.POSTSPIEL_MAIL_DOMAIN = "single", "elsewhere.example"
    assert wrong(names) == []


def test_doors_that_do_not_answer(host: Mailbox, names: NameServer, settings: Settings, tmp_path: Path) -> None:
    settings.POSTSPIEL_MAIL_LISTEN = f"127.0.0.1:{host.port}"
    settings.POSTSPIEL_MAIL_LMTP = str(tmp_path / "lmtp")
    (first, second) = wrong(names)
    assert first[0] == f"What answers at 127.0.0.1:{host.port} does not speak SMTP."
    assert second[0].startswith(f"Nobody takes mail in by LMTP at {tmp_path}/lmtp: ")
    assert "POSTSPIEL_MAIL_LMTP" in second[1]


@pytest.mark.parametrize(
    ("change", "sentence"),
    (
        ({"use_tls": True}, "sends no mail for us: "),
        ({"username": "u", "password": "hunter2"}, "sends no mail for us: "),
        ({"port": 1}, "sends no mail for us: The mail server was not reached"),
        (None, "No mail leaves this server"),
    ),
)
def test_a_way_out_that_is_closed(
    host: Mailbox, names: NameServer, settings: Settings, change: dict[str, Any] | None, sentence: str
) -> None:
    settings.POSTSPIEL_SMTP = {**settings.POSTSPIEL_SMTP, **change} if change else None
    ((said, mend),) = wrong(names)
    assert sentence in said
    assert "hunter2" not in said
    assert "POSTSPIEL_SMTP" in mend


def test_passwords_do_not_leave_in_clear_text(
    host: Mailbox, names: NameServer, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    monkeypatch.setattr(mail_health, "is_local", lambda _host: False)
    ((said, mend),) = wrong(names)
    assert said == f"Mail goes to 127.0.0.1:{settings.POSTSPIEL_SMTP['port']} in clear text."
    assert "offers TLS" in mend


@pytest.mark.parametrize(
    ("change", "sentence"),
    (
        ({"password": "hunter2"}, "cannot be read: "),
        ({"folder": "Nowhere"}, "cannot be read: "),
        ({"move": "Nowhere"}, "there is no folder Nowhere."),
        ({"port": 1}, "cannot be read: "),
    ),
)
def test_mailboxes_that_do_not_open(
    host: Mailbox, names: NameServer, settings: Settings, change: dict[str, Any], sentence: str
) -> None:
    settings.POSTSPIEL_IMAP = [settings.POSTSPIEL_IMAP[0] | {"move": "Done"}, settings.POSTSPIEL_IMAP[0] | change]
    ((said, mend),) = wrong(names)
    assert sentence in said
    assert "hunter2" not in said
    assert mend


@pytest.mark.parametrize(
    ("language", "sentence", "ending"),
    (
        ("en", "WRONG  games.example.org has no SPF record.\n       Publish one TXT", "1 of 8 are wrong."),
        ("de", "FALSCH  games.example.org hat keinen SPF-Eintrag.\n        ", "1 von 8 stimmen nicht."),
    ),
)
def test_the_command_says_it_in_both_languages_and_to_machines(
    host: Mailbox,
    names: NameServer,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    sentence: str,
    ending: str,
) -> None:
    names.records[DOMAIN, "TXT"] = []
    monkeypatch.setattr(command, "examine_mail", lambda: mail_health.examine_mail(names.resolver()))
    said = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("doctor", "--mail", "--language", language, stdout=said)
    assert sentence in said.getvalue()
    assert (str(failed.value), failed.value.returncode) == (ending, 1)
    machine = StringIO()
    with pytest.raises(CommandError):
        call_command("doctor", "--mail", "--json", stdout=machine)
    assert [one["ok"] for one in json.loads(machine.getvalue())].count(False) == 1
