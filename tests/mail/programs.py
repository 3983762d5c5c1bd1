"""Real mail programs and a real database, each an instance of its own with a folder and ports of its own."""

import os
import pwd
import re
import shutil
import smtplib
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.server import ROOT, free_port

PATH = f"{os.environ['PATH']}:/usr/sbin:/usr/lib/dovecot"
PROGRAMS = ("dovecot", "postfix", "swaks", "msmtp", "openssl")
EXIM = shutil.which("exim4", path=f"{PATH}:/opt/exim4/usr/sbin") or ""
"""Debian installs one mail server only; beside Postfix, `.ci/run` unpacks Exim there."""
EXIM_USER = "Debian-exim"
ROOT_ONLY = "Postfix is started by root only"

DOVECOT = """
base_dir = {folder}/run
log_path = {folder}/dovecot.log
protocols = imap
listen = 127.0.0.1
ssl = yes
ssl_cert = <{folder}/cert.pem
ssl_key = <{folder}/key.pem
first_valid_uid = 1
mail_location = maildir:{folder}/mail/%u
passdb {{
  driver = static
  args = password=sesame
}}
userdb {{
  driver = static
  args = uid={user} gid={group} home={folder}/mail/%u
}}
service imap-login {{
  inet_listener imap {{
    port = 0
  }}
  inet_listener imaps {{
    port = {port}
    ssl = yes
  }}
}}
"""

MAIN = """
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/postfix.log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.net
mydestination =
mynetworks = 127.0.0.0/8
alias_maps =
smtputf8_enable = no
virtual_mailbox_domains = example.com, box.example.org
virtual_mailbox_maps = inline:{{ {{ @example.com = players/ }}, {{ @box.example.org = box/ }} }}
virtual_mailbox_base = {folder}/mail
virtual_minimum_uid = 1
virtual_uid_maps = static:{user}
virtual_gid_maps = static:{group}
address_verify_poll_count = 1
address_verify_negative_refresh_time = 1s
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
smtpd_client_connection_count_limit = 0
"""

MASTER = """
{port}     inet  n  -  n  -  -  smtpd
pickup     unix  n  -  n  60 1  pickup
cleanup    unix  n  -  n  -  0  cleanup
qmgr       unix  n  -  n  1  1  qmgr
rewrite    unix  -  -  n  -  -  trivial-rewrite
bounce     unix  -  -  n  -  0  bounce
defer      unix  -  -  n  -  0  bounce
trace      unix  -  -  n  -  0  bounce
verify     unix  -  -  n  -  1  verify
flush      unix  n  -  n  1000? 0 flush
proxymap   unix  -  -  n  -  -  proxymap
smtp       unix  -  -  n  -  -  smtp
relay      unix  -  -  n  -  -  smtp
error      unix  -  -  n  -  -  error
retry      unix  -  -  n  -  -  error
virtual    unix  -  n  n  -  -  virtual
lmtp       unix  -  -  n  -  -  lmtp
anvil      unix  -  -  n  -  1  anvil
showq      unix  n  -  n  -  -  showq
postlog    unix-dgram n - n - 1 postlogd
"""


EXIM_CONF = """
primary_hostname = mx.example.net
exim_path = {exim}
spool_directory = {folder}/spool
log_file_path = {folder}/log/%slog
pid_file_path = {folder}/spool/pid
tls_advertise_hosts =
keep_environment =
domainlist relay_to_domains = play.example.org
acl_smtp_rcpt = rcpt
acl_smtp_data = data

begin acl
rcpt:
  require domains = +relay_to_domains
  {verify}
  accept
data:
  accept

{documented}

begin retry
* * F,1h,1s
"""


def missing() -> str:
    """Why the programs cannot be run here; "" if they can."""
    lacking = [name for name in PROGRAMS if not shutil.which(name, path=PATH)]
    if lacking:
        return f"not installed: {', '.join(lacking)} (Debian: apt-get install dovecot-imapd postfix swaks msmtp)"
    return "" if os.geteuid() == 0 else ROOT_ONLY


def as_documented(socket: Path) -> str:
    """What docs/hosting-mail.md says that a host writes into main.cf, with another domain and socket."""
    page = (ROOT / "docs/hosting-mail.md").read_text(encoding="utf-8")
    block = page.partition("In `/etc/postfix/main.cf`:\n\n```ini\n")[2].partition("```")[0]
    assert "transport_maps" in block
    return block.replace("games.example.org", "play.example.org").replace("/srv/postspiel/mail/lmtp", str(socket))


def exim_missing() -> str:
    """Why Exim cannot be run here; "" if it can."""
    if not EXIM:
        return "not installed: exim4 (Debian's package unpacked into /opt/exim4, as .ci/run does)"
    if EXIM_USER not in {user.pw_name for user in pwd.getpwall()}:
        return f"no user {EXIM_USER}, whom Debian's Exim was built for"
    return "" if os.geteuid() == 0 else "Exim is started by root only"


def exim_as_documented(folder: Path, lmtp: int) -> str:
    """A configuration of Exim with what docs/hosting-mail.md says that belongs into it, and another domain and port."""
    page = (ROOT / "docs/hosting-mail.md").read_text(encoding="utf-8").partition("## Exim")[2]
    block = page.partition("```text\n")[2].partition("```")[0]
    (verify,) = re.findall(r"`(require verify = [^`]+)`", page.partition("\n## ")[0])
    assert "begin routers" in block
    assert "2424" in block
    documented = block.replace("games.example.org", "play.example.org").replace("2424", str(lmtp))
    return EXIM_CONF.format(exim=EXIM, folder=folder, verify=verify, documented=documented)


@contextmanager
def exim(lmtp: int) -> Iterator[int]:
    """An Exim that hands mail over to `lmtp`; the port at which it takes mail."""
    with tempfile.TemporaryDirectory(prefix="ps") as name:
        folder, port = Path(name), free_port()
        folder.chmod(0o755)
        (folder / "conf").write_text(exim_as_documented(folder, lmtp), encoding="ascii")
        for its in ("spool", "log"):
            (folder / its).mkdir()
            shutil.chown(folder / its, EXIM_USER)
        server = subprocess.Popen([EXIM, "-C", folder / "conf", "-bdf", "-q1s", "-oX", f"127.0.0.1:{port}"])
        try:
            wait_for(lambda: answers(port))
            yield port
        finally:
            server.terminate()
            server.wait(20)


def answers(port: int) -> bool:
    """Whether a mail server answers there."""
    try:
        with smtplib.SMTP("127.0.0.1", port, timeout=5) as client:
            return client.noop()[0] == 250
    except OSError:
        return False


def wait_for(what: Callable[[], object], seconds: float = 60) -> None:
    """Wait until `what` is true."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)


class Programs:
    """A Postfix and a Dovecot that share a folder of mail.

    Postfix takes mail by SMTP at `smtp` and passes what is for play.example.org on to the socket `lmtp`; mail for
    example.com goes to the Maildir `players`, mail for box.example.org to the Maildir that Dovecot offers at `imap`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.smtp, self.imap = free_port(), free_port()
        self.lmtp, self.cert = folder / "lmtp", folder / "cert.pem"
        nobody = pwd.getpwnam("nobody")
        (folder / "mail").mkdir()
        os.chown(folder / "mail", nobody.pw_uid, nobody.pw_gid)
        self._fields = {"folder": folder, "user": nobody.pw_uid, "group": nobody.pw_gid}

    def start(self) -> None:
        """Start both and wait until they answer."""
        self._certify()
        (self.folder / "dovecot.conf").write_text(DOVECOT.format(**self._fields, port=self.imap), encoding="ascii")
        (self.folder / "postfix").mkdir()
        main = MAIN.format(**self._fields) + as_documented(self.lmtp)
        (self.folder / "postfix/main.cf").write_text(main, encoding="ascii")
        master = MASTER.format(port=f"127.0.0.1:{self.smtp}")
        (self.folder / "postfix/master.cf").write_text(master.lstrip(), encoding="ascii")
        (self.folder / "queue").mkdir()
        self.run("dovecot", "-c", self.folder / "dovecot.conf")
        self.run("postfix", "-c", self.folder / "postfix", "start")
        wait_for(lambda: answers(self.smtp))

    def stop(self) -> None:
        """Stop both."""
        self.run("postfix", "-c", self.folder / "postfix", "stop")
        self.run("doveadm", "-c", self.folder / "dovecot.conf", "stop")

    def run(self, *command: object) -> str:
        """What a program prints."""
        words, variables = [str(word) for word in command], {**os.environ, "PATH": PATH}
        # Into a file: a server that goes on in the background would hold a pipe open.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(words, env=variables, stdout=said, stderr=subprocess.STDOUT, check=False, timeout=60)
            said.seek(0)
            printed = said.read()
        assert done.returncode == 0, f"{words}: {printed}{self._logs()}"
        return printed

    def is_idle(self) -> bool:
        """Whether Postfix has delivered all that it took."""
        return self.run("postqueue", "-c", self.folder / "postfix", "-j") == ""

    def to_players(self) -> list[bytes]:
        """The mails that Postfix delivered to players."""
        return [path.read_bytes() for path in (self.folder / "mail/players/new").glob("*")]

    def _certify(self) -> None:
        self.run(
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
            *("-addext", "subjectAltName=DNS:localhost", "-keyout", self.folder / "key.pem", "-out", self.cert),
        )

    def _logs(self) -> str:
        return "".join(path.read_text(errors="replace")[-2000:] for path in self.folder.glob("*.log"))


@contextmanager
def programs() -> Iterator[Programs]:
    """Both programs, running."""
    # Not pytest's own folder, which others may not enter.
    with tempfile.TemporaryDirectory(prefix="ps") as name:
        folder = Path(name)
        folder.chmod(0o755)
        running = Programs(folder)
        running.start()
        try:
            yield running
        finally:
            running.stop()


class Cluster:
    """A PostgreSQL server of its own that can be stopped and started without disturbing anybody."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        self._bin = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        shutil.chown(folder, "postgres")
        self._run("initdb", "-D", folder / "data", "-U", "postgres", "-A", "trust", "--no-sync")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1"
        self._run("pg_ctl", "-w", "-D", self.folder / "data", "-l", self.folder / "log", "-o", options, "start")

    def stop(self, how: str = "immediate") -> None:
        """Stop it; `immediate` is like a crash."""
        self._run("pg_ctl", "-w", "-D", self.folder / "data", "-m", how, "stop")

    def _run(self, program: str, *arguments: object) -> None:
        command = ["runuser", "-u", "postgres", "--", str(self._bin / program), *map(str, arguments)]
        subprocess.run(command, cwd="/", check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A running PostgreSQL server."""
    with tempfile.TemporaryDirectory(prefix="ps") as name:
        running = Cluster(Path(name))
        running.start()
        try:
            yield running
        finally:
            running.stop()
