"""Whether mail comes and goes: DNS of the mail domain, the doors in, the way out (`manage.py doctor --mail`)."""

import ipaddress
import re
import smtplib
import socket
from collections.abc import Iterator

import dns.exception
import dns.resolver
import dns.reversename
from django.conf import settings
from django.utils.translation import gettext as _

from postspiel.config.checks import is_local
from postspiel.config.health import Finding
from postspiel.config.parts import address as host_and_port
from postspiel.mail import addresses, imap, wire

TIMEOUT = 5
"""Seconds for a name server, and for a door to say something."""


def examine_mail(resolver: dns.resolver.Resolver | None = None) -> list[Finding]:
    """Look at all that mail needs. `resolver` asks the name servers of this machine unless a test brings its own."""
    return [*_dns(resolver), *_doors(), _way_out(), *map(_mailbox, imap.places())]


def _dns(resolver: dns.resolver.Resolver | None) -> list[Finding]:
    domain = _domain()
    if is_local(domain):
        sentence = _("The mail domain is %(domain)s, which no other server knows.") % {"domain": domain}
        return [Finding(sentence, _("Set POSTSPIEL_MAIL_DOMAIN to the domain whose mail reaches this server."))]
    try:
        records = _Records(domain, resolver or dns.resolver.Resolver())
        return [records.mx(), records.spf(), records.dkim(), records.dmarc(), *records.names()]
    except dns.exception.DNSException as error:
        sentence = _("The name servers do not answer: %(error)s") % {"error": imap.said(error)}
        return [Finding(sentence, _("See whether this machine can reach a name server (/etc/resolv.conf)."))]


def _domain() -> str:
    """The domain that our mails come from."""
    single = settings.POSTSPIEL_MAIL_SCHEME == "single"
    domain: str = addresses.own().rpartition("@")[2] if single else settings.POSTSPIEL_MAIL_DOMAIN
    return domain


class _Records:
    """What the name servers know of a domain."""

    def __init__(self, domain: str, resolver: dns.resolver.Resolver) -> None:
        self._domain, self._resolver = domain, resolver
        resolver.lifetime = TIMEOUT
        self._exchanges = [
            str(one.exchange).rstrip(".")
            for one in sorted(self._ask(domain, "MX"), key=lambda one: int(one.preference))
        ]

    def mx(self) -> Finding:
        """Where other servers bring mail for the domain to (RFC 5321, 5.1; RFC 7505)."""
        named = {"domain": self._domain, "servers": ", ".join(self._exchanges)}
        if not self._exchanges and self._ips(self._domain):
            return Finding(_("%(domain)s has no MX record; mail for it goes to the host of that name.") % named)
        if not any(self._exchanges):
            mend = _("Add an MX record for %(domain)s that names the mail server which takes mail in for you.")
            return Finding(_("Nobody can write to %(domain)s: no mail server is named for it.") % named, mend % named)
        lost = [one for one in self._exchanges if not self._ips(one)]
        if lost:
            sentence = _("The mail server %(server)s of %(domain)s has no address.") % {**named, "server": lost[0]}
            return Finding(sentence, _("Add an A or AAAA record for it, or name another in the MX record."))
        return Finding(_("Mail for %(domain)s goes to %(servers)s.") % named)

    def spf(self) -> Finding:
        """Which servers may send for the domain (RFC 7208)."""
        found = [text for text in self._texts(self._domain) if re.match(r"v=spf1(\s|$)", text, re.IGNORECASE)]
        named = {"domain": self._domain, "record": found[0] if found else ""}
        mend = _("Publish one TXT record for %(domain)s, such as “v=spf1 mx -all”, that names the server which sends.")
        if len(found) != 1:
            sentence = (
                _("%(domain)s has no SPF record.") if not found else _("%(domain)s has more than one SPF record.")
            )
            return Finding(sentence % named, mend % named)
        if not re.search(r"(^|\s)([-~]all|redirect=\S+)(\s|$)", found[0], re.IGNORECASE):
            sentence = _("The SPF record of %(domain)s forbids nobody to send in its name: %(record)s")
            return Finding(sentence % named, _("Let it end with “-all” or “~all”."))
        return Finding(_("The SPF record of %(domain)s says who may send: %(record)s") % named)

    def dkim(self) -> Finding:
        """The key that mails are signed with (RFC 6376, 3.6)."""
        selector = settings.POSTSPIEL_MAIL_DKIM
        name = f"{selector}._domainkey.{self._domain}"
        if not selector:
            return Finding(_("DKIM was not looked at: POSTSPIEL_MAIL_DKIM names no selector."))
        keys = [text for text in self._texts(name) if re.search(r"(^|;)\s*p\s*=\s*[A-Za-z0-9+/=]", text)]
        if keys:
            return Finding(_("The DKIM key is published at %(name)s.") % {"name": name})
        mend = _("Publish there, as a TXT record, the public key that your mail server signs with.")
        return Finding(_("No DKIM key is published at %(name)s.") % {"name": name}, mend)

    def dmarc(self) -> Finding:
        """What others are to do with mail that only claims to be ours (RFC 7489, 6.6.3)."""
        labels = self._domain.split(".")
        for parent in (".".join(labels[number:]) for number in range(max(1, len(labels) - 1))):
            found = [text for text in self._texts(f"_dmarc.{parent}") if text.lower().startswith("v=dmarc1")]
            if found:
                told = {"domain": parent, "record": found[0]}
                return Finding(_("The DMARC record of %(domain)s is: %(record)s") % told)
        mend = _("Publish a TXT record for _dmarc.%(domain)s, such as “v=DMARC1; p=quarantine”.")
        named = {"domain": self._domain}
        return Finding(_("%(domain)s has no DMARC record.") % named, mend % named)

    def names(self) -> Iterator[Finding]:
        """Whether the addresses that we send from have names that lead back to them."""
        hosts = [str((settings.POSTSPIEL_SMTP or {}).get("host", "")), *self._exchanges]
        ips = next(filter(None, (self._public(host) for host in hosts if host)), [])
        yield from map(self._name, ips)

    def _name(self, ip: str) -> Finding:
        names = [str(one.target).rstrip(".") for one in self._ask(str(dns.reversename.from_address(ip)), "PTR")]
        told = {"ip": ip, "name": ", ".join(names)}
        mend = _("Ask whoever gave you the address to let its name (PTR) be that of the mail server.")
        if not names:
            return Finding(_("The sending address %(ip)s has no name (PTR).") % told, mend)
        if not any(ip in self._ips(name) for name in names):
            return Finding(_("The sending address %(ip)s is called %(name)s, which does not lead back.") % told, mend)
        return Finding(_("The sending address %(ip)s is called %(name)s.") % told)

    def _public(self, host: str) -> list[str]:
        return [ip for ip in self._ips(host) if ipaddress.ip_address(ip).is_global]

    def _ips(self, host: str) -> list[str]:
        try:
            return [str(ipaddress.ip_address(host))]
        except ValueError:
            return [str(one.address) for kind in ("A", "AAAA") for one in self._ask(host, kind)]

    def _texts(self, name: str) -> list[str]:
        return [b"".join(one.strings).decode("utf-8", "replace") for one in self._ask(name, "TXT")]

    def _ask(self, name: str, kind: str):  # type: ignore[no-untyped-def]
        """Return the records, or none; raises `DNSException` if no server answers."""
        try:
            return list(self._resolver.resolve(name, kind, search=False))
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer, dns.name.LabelTooLong, dns.name.EmptyLabel):
            return []


def _doors() -> Iterator[Finding]:
    yield _door("SMTP", "POSTSPIEL_MAIL_LISTEN")
    if settings.POSTSPIEL_MAIL_LMTP:
        yield _door("LMTP", "POSTSPIEL_MAIL_LMTP")


def _door(protocol: str, setting: str) -> Finding:
    place = getattr(settings, setting)
    told = {"protocol": protocol, "place": place, "setting": setting}
    try:
        with _reach(place) as talk:
            greets = talk.recv(200).startswith(b"220")
    except OSError as error:
        sentence = _("Nobody takes mail in by %(protocol)s at %(place)s: %(error)s")
        mend = _("Start manage.py run; it listens where %(setting)s says.")
        return Finding(sentence % {**told, "error": imap.said(error)}, mend % told)
    if not greets:
        mend = _("Set %(setting)s to an address that nothing else uses.")
        return Finding(_("What answers at %(place)s does not speak %(protocol)s.") % told, mend % told)
    return Finding(_("Mail is taken in by %(protocol)s at %(place)s.") % told)


def _reach(place: str) -> socket.socket:
    if "/" not in place:
        return socket.create_connection(host_and_port(place), TIMEOUT)
    talk = socket.socket(socket.AF_UNIX)
    talk.settimeout(TIMEOUT)
    try:
        talk.connect(place)
    except OSError:
        talk.close()
        raise
    return talk


def _way_out() -> Finding:
    if settings.POSTSPIEL_SMTP is None:
        mend = _("Set POSTSPIEL_SMTP=smtp+tls://user:password@mail.example.org:587.")
        return Finding(_("No mail leaves this server: POSTSPIEL_SMTP is not set."), mend)
    told = {"server": "{host}:{port}".format(**settings.POSTSPIEL_SMTP)}
    try:
        offers = wire.offers()
    except (wire.Unreachable, smtplib.SMTPException) as error:
        mend = _("See whether POSTSPIEL_SMTP is right and that server runs.")
        return Finding(_("%(server)s sends no mail for us: %(error)s") % {**told, "error": imap.said(error)}, mend)
    if offers.encrypted or is_local(str(settings.POSTSPIEL_SMTP["host"])):
        return Finding(_("%(server)s sends our mail; sign-in and encryption work as set.") % told)
    mend = _("Begin POSTSPIEL_SMTP with smtp+tls:// (STARTTLS) or smtps://.")
    hint = _("Find a server that offers TLS: mails and passwords would travel in clear text.")
    return Finding(_("Mail goes to %(server)s in clear text.") % told, mend if offers.tls else hint)


def _mailbox(place: imap.Place) -> Finding:
    told = {"place": str(place), "folder": place.move}
    try:
        with imap.opened(place) as box:
            moves = not place.move or box.folder.exists(place.move)
    except imap.TROUBLE as error:
        mend = _("See whether POSTSPIEL_MAIL_IMAP names the right server, user, password and folder.")
        return Finding(_("%(place)s cannot be read: %(error)s") % {**told, "error": imap.said(error)}, mend)
    if not moves:
        mend = _("Make the folder, or leave out ?move= in POSTSPIEL_MAIL_IMAP.")
        return Finding(_("Read mail of %(place)s cannot be moved: there is no folder %(folder)s.") % told, mend)
    return Finding(_("%(place)s can be read.") % told)
