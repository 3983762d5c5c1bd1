"""Games and all that belongs to them: rows are the truth, the broker is a doorbell (DESIGN section 4)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class Game(models.Model):
    """One played game of a title. The seed stays secret until the game ends; its SHA-256 is public from the start.

    ``press_opened``: when the game has ended, everybody may read its private press too. ``paused``: since when its time
    stands still; its open turn is then due at no time.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        RUNNING = "running"
        ENDED = "ended"
        CANCELLED = "cancelled"

    class PressMode(models.TextChoices):
        """What press may be sent: none, only to everybody, or to single seats and groups too."""

        OFF = "off"
        PUBLIC = "public"
        PRIVATE = "private"

    key = models.CharField(max_length=40, unique=True)
    title = models.CharField(max_length=40)
    name = models.CharField(max_length=80)
    options = models.JSONField(default=dict, blank=True)
    size = models.PositiveSmallIntegerField()
    schedule = models.JSONField(default=dict, blank=True)
    policy = models.JSONField(default=dict, blank=True)
    organiser = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="organised")
    listed = models.BooleanField(default=True)
    strict_mail = models.BooleanField(default=False)
    press_mode = models.CharField(max_length=10, choices=PressMode, default=PressMode.PRIVATE)
    press_opened = models.BooleanField(default=False)
    anonymous = models.BooleanField(default=False)
    imported = models.BooleanField(default=False)
    invitation = models.CharField(max_length=40, unique=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    rules = models.PositiveSmallIntegerField()
    seed = models.BinaryField(max_length=32)
    commitment = models.CharField(max_length=64)
    created = models.DateTimeField()
    started = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    paused = models.DateTimeField(null=True, blank=True)
    final_state = models.BinaryField(null=True, blank=True)
    outcome = models.JSONField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(fields=("status", "-created"), name="game_status"),
            models.Index(fields=("organiser", "status"), name="game_of_organiser"),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.title} {self.key})"

    @property
    def hides_players(self) -> bool:
        """Whether nobody is to know who holds which seat: in anonymous games, until they have ended."""
        return self.anonymous and self.status != Game.Status.ENDED


class Assistant(models.Model):
    """Somebody who may run a game beside its organiser."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="assistants")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="assists")
    since = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "user"), name="assistant_once"),)

    def __str__(self) -> str:
        return f"assistant {self.user_id} of game {self.game_id}"


class Feed(models.Model):
    """A calendar that a person subscribes to: the deadlines of all his games (``game`` None), or those of one.

    Who knows the token may read it; a new token revokes the old one.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feeds")
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.CASCADE, related_name="feeds")
    token = models.CharField(max_length=40, unique=True)
    made = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("user", "game"), name="feed_once"),
            models.UniqueConstraint(fields=("user",), condition=Q(game=None), name="feed_of_all_once"),
        )

    def __str__(self) -> str:
        return f"calendar of person {self.user_id}, game {self.game_id}"


class Seat(models.Model):
    """A place in a game. A player holds it, or a bot plays it, or (neither) it is open and played by defaults.

    ``vacant``: since when the seat of somebody who left waits for another player, while a caretaker (a bot, or the
    defaults) keeps it. ``misses``: how many turns its player has missed in a row, without those that are excused.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="seats"
    )
    bot = models.CharField(max_length=40, blank=True)
    always_done = models.BooleanField(default=False)
    joined = models.DateTimeField(null=True, blank=True)
    vacant = models.DateTimeField(null=True, blank=True)
    misses = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = (models.Index(fields=("vacant",), condition=Q(vacant__isnull=False), name="seat_vacant"),)
        constraints = (
            models.UniqueConstraint(fields=("game", "index"), name="seat_once"),
            models.UniqueConstraint(
                fields=("game", "player"), condition=Q(player__isnull=False), name="seat_player_once"
            ),
            models.CheckConstraint(condition=Q(player=None) | Q(bot=""), name="seat_player_or_bot"),
            models.CheckConstraint(condition=Q(player=None) | Q(vacant=None), name="seat_player_or_vacant"),
        )

    def __str__(self) -> str:
        return f"seat {self.index} of game {self.game_id}"


class Turn(models.Model):
    """What one deadline ends. ``state`` is the position the turn starts from; number 0, the set-up, has none.

    ``due`` is when the turn is to be resolved: its deadline, or earlier once everybody is final. ``owing``, reckoned
    with it, is how many players owe a sheet and have handed in nothing. Advancing claims the row (open -> done) and
    makes the next; a rolled-back branch is kept as superseded. ``kept`` are the orders, by seat, that stayed in force
    when it was resolved. ``taken_back``: it was resolved once, and a rollback took that back.
    """

    class Status(models.TextChoices):
        OPEN = "open"
        DONE = "done"
        SUPERSEDED = "superseded"

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    rules = models.PositiveSmallIntegerField()
    state = models.BinaryField()
    state_hash = models.CharField(max_length=64)
    opened = models.DateTimeField()
    earliest = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    due = models.DateTimeField(null=True, blank=True)
    reminder = models.DateTimeField(null=True, blank=True)
    owing = models.PositiveSmallIntegerField(default=0)
    closed = models.DateTimeField(null=True, blank=True)
    kept = models.JSONField(default=dict, blank=True)
    taken_back = models.BooleanField(default=False)
    revision = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game", "number"), condition=~Q(status="superseded"), name="turn_number_once"
            ),
            models.UniqueConstraint(fields=("game",), condition=Q(status="open"), name="turn_one_open"),
        )
        indexes = (
            models.Index(fields=("due",), condition=Q(status="open"), name="turn_due"),
            models.Index(fields=("reminder",), condition=Q(status="open"), name="turn_reminder"),
            models.Index(fields=("deadline", "id"), condition=Q(status="open"), name="turn_deadline"),
        )

    def __str__(self) -> str:
        return f"turn {self.number} of game {self.game_id} ({self.status})"


class Sheet(models.Model):
    """What a seat has handed in for a turn. ``orders`` holds also what was in force already (standing, ahead of time).

    ``asked`` and ``owes`` are what the title said when the turn opened: may this seat order something, must it.
    ``player`` answers for what is owed; ``missed``: it never came; ``excused``: why nobody holds that against him.
    """

    class Excuse(models.TextChoices):
        """He was absent; the policy has some for free; it belongs to a row of misses that counts once."""

        ABSENCE = "absence"
        FREE = "free"
        ONCE = "once"

    class Status(models.TextChoices):
        NONE = "none"
        ON_FILE = "on_file"
        FINAL = "final"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="sheets")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="sheets")
    status = models.CharField(max_length=10, choices=Status, default=Status.NONE)
    orders = models.JSONField(default=list, blank=True)
    digest = models.CharField(max_length=64, blank=True)
    asked = models.BooleanField(default=False)
    owes = models.BooleanField(default=False)
    automatic = models.BooleanField(default=False)
    missed = models.BooleanField(default=False)
    excused = models.CharField(max_length=10, choices=Excuse, blank=True)
    player = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="owed"
    )
    updated = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("turn", "seat"), name="sheet_once"),)
        indexes = (models.Index(fields=("player", "-id"), condition=Q(owes=True), name="sheet_owed"),)

    def __str__(self) -> str:
        return f"sheet of seat {self.seat_id} for turn {self.turn_id} ({self.status})"


class Submission(models.Model):
    """What somebody sent for a sheet, word for word, and what was made of it. Never changed, never thrown away."""

    class Door(models.TextChoices):
        MAIL = "mail"
        FORM = "form"
        API = "api"
        ORGANISER = "organiser"

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="submissions")
    turn = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.SET_NULL, related_name="submissions")
    door = models.CharField(max_length=10, choices=Door)
    writer = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    incoming = models.OneToOneField("mail.Incoming", null=True, blank=True, on_delete=models.SET_NULL)
    text = models.TextField(blank=True)
    ignored = models.TextField(blank=True)
    reading = models.JSONField(default=dict, blank=True)
    applied = models.BooleanField(default=False)
    received = models.DateTimeField()

    def __str__(self) -> str:
        return f"submission {self.pk} of seat {self.seat_id} by {self.door}"


class Event(models.Model):
    """One thing that happened in a turn, with those who may know it (``to`` None: everybody)."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="events")
    index = models.PositiveIntegerField()
    kind = models.CharField(max_length=40)
    data = models.JSONField(default=dict, blank=True)
    to = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("turn", "index"), name="event_once"),)

    def __str__(self) -> str:
        return f"event {self.kind} of turn {self.turn_id}"


class Roll(models.Model):
    """One recorded random number of a turn."""

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="rolls")
    index = models.PositiveIntegerField()
    label = models.CharField(max_length=80)
    sides = models.PositiveIntegerField()
    value = models.PositiveIntegerField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("turn", "index"), name="roll_once"),)

    def __str__(self) -> str:
        return f"roll {self.label} = {self.value} of {self.sides}"


class Press(models.Model):
    """A message between players, relayed by the platform. ``to`` lists seat indices; None is public press.

    One that is ``held`` names its writer in an anonymous game: it reaches nobody until he says that he wants that.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="press")
    turn = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.SET_NULL, related_name="press")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="press")
    to = models.JSONField(null=True, blank=True)
    text = models.TextField()
    sent = models.DateTimeField()
    held = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "press"
        indexes = (models.Index(fields=("game", "-id"), name="press_of_game"),)

    def __str__(self) -> str:
        return f"press {self.pk} of game {self.game_id}"


class Channel(models.Model):
    """What an address for press stands for: from which seat to which others ("1,2", or "*" for everybody)."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="channels")
    audience = models.CharField(max_length=40)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("seat", "audience"), name="channel_once"),)

    def __str__(self) -> str:
        return f"press from seat {self.seat_id} to {self.audience}"


class DeadlineChange(models.Model):
    """A deadline that was moved: who, why, from when to when. The turn's own row holds the deadline in force.

    ``given_back``: time in which the game had stood still; it does not count for the cap on moving.
    ``cause``: by hand, or because a player is absent, or a new one takes a seat over, or by the outage brake. ``seat``
    is the one that an absence is charged to; whose it is, is nobody else's business.
    """

    class Cause(models.TextChoices):
        HAND = "hand"
        ABSENCE = "absence"
        REPLACEMENT = "replacement"
        OUTAGE = "outage"
        CLOCK = "clock"
        BOUNCES = "bounces"
        SILENCE = "silence"
        RELEASE = "release"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="deadline_changes")
    old = models.DateTimeField()
    new = models.DateTimeField()
    who = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    why = models.CharField(max_length=200, blank=True)
    cause = models.CharField(max_length=20, choices=Cause, default=Cause.HAND)
    seat = models.ForeignKey(Seat, null=True, blank=True, on_delete=models.SET_NULL, related_name="moved")
    given_back = models.BooleanField(default=False)
    made = models.DateTimeField()

    def __str__(self) -> str:
        return f"deadline of turn {self.turn_id}: {self.old} -> {self.new}"


class StandBy(models.Model):
    """Somebody who stands by to take over a seat in a game of a title; who has waited longest is written to first."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="stands_by")
    title = models.CharField(max_length=40)
    since = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("user", "title"), name="stand_by_once"),)
        indexes = (models.Index(fields=("title", "since"), name="stand_by_of_title"),)

    def __str__(self) -> str:
        return f"{self.user_id} stands by for {self.title}"


class Occupancy(models.Model):
    """Who held a seat, from which turn to which (None: still). Of a seat's players one ``scores``: its result is his.

    ``why`` he left: "resigned", "missed", "removed", "replaced"; empty while he holds the seat.
    """

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="occupancies")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="occupancies")
    from_turn = models.PositiveIntegerField()
    until_turn = models.PositiveIntegerField(null=True, blank=True)
    why = models.CharField(max_length=20, blank=True)
    scores = models.BooleanField(default=True)

    class Meta:
        verbose_name_plural = "occupancies"
        constraints = (
            models.UniqueConstraint(fields=("seat",), condition=Q(until_turn=None), name="occupancy_one_now"),
            models.UniqueConstraint(fields=("seat",), condition=Q(scores=True), name="occupancy_one_scores"),
        )

    def __str__(self) -> str:
        return f"seat {self.seat_id} held by {self.user_id} from turn {self.from_turn}"


class Hold(models.Model):
    """Turns that are held back because something seems to be wrong with the server and not with the players.

    With a game: its open turn was given more time; that is over with the turn, or when the organiser releases it.
    Without: no turn of any game is resolved until the host releases it, or until the cause is gone. ``since`` is from
    when on players lost time.
    """

    class Reason(models.TextChoices):
        OUTAGE = "outage"
        CLOCK = "clock"
        BOUNCES = "bounces"
        SILENCE = "silence"

    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.CASCADE, related_name="holds")
    turn = models.ForeignKey(Turn, null=True, blank=True, on_delete=models.CASCADE, related_name="holds")
    reason = models.CharField(max_length=10, choices=Reason)
    since = models.DateTimeField()
    made = models.DateTimeField()
    released = models.DateTimeField(null=True, blank=True)
    released_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("reason",), condition=Q(game=None, released=None), name="hold_of_all_once"),
            models.UniqueConstraint(fields=("game",), condition=Q(released=None), name="hold_of_game_once"),
        )

    def __str__(self) -> str:
        return f"hold of {f'game {self.game_id}' if self.game_id else 'all games'}: {self.reason}"


class Act(models.Model):
    """What people (or the platform) did with a game: created, joined, started, extended, reminded, resigned, ended."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="acts")
    who = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL)
    kind = models.CharField(max_length=30)
    data = models.JSONField(default=dict, blank=True)
    made = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("game", "-id"), name="act_of_game"),)

    def __str__(self) -> str:
        return f"{self.kind} in game {self.game_id}"


class Ballot(models.Model):
    """A player's word in a vote of the players, which is carried if all who hold seats agree.

    ``motion``: "end" ends the game, "pause" lets it stand still, "prolong" moves the deadline of the open turn.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="ballots")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="ballots")
    motion = models.CharField(max_length=20, default="end")
    cast = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=("game", "seat", "motion"), name="ballot_once"),)

    def __str__(self) -> str:
        return f"{self.motion} by seat {self.seat_id}"


class Result(models.Model):
    """How a game ended, in the one ordered list that ladders, competitions and reports read (by ``id``).

    ``entries`` has one object a seat: ``{"seat", "user" (id or null), "bot", "place", "score"}``.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="result")
    title = models.CharField(max_length=40)
    entries = models.JSONField(default=list)
    decided = models.BooleanField(default=True)
    annulled = models.BooleanField(default=False)
    ended = models.DateTimeField()

    class Meta:
        indexes = (models.Index(fields=("title", "id"), name="result_of_title"),)

    def __str__(self) -> str:
        return f"result of game {self.game_id}"


class Heartbeat(models.Model):
    """When something happened last: a sweep of due turns ("sweep"), the first one for a while ("resumed"), one whose
    clock was believed ("trusted").
    """

    name = models.CharField(max_length=20, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at:%Y-%m-%d %H:%M:%S}"
