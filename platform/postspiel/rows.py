"""Rows of models by SQL that is written once: for what every order mail does (docs/decisions/0008-rows.md).

The ORM writes the SQL of a query anew each time, which costs a mail several times what its database does. Here a
`Select` or an `Update` is made once, when its module is loaded; its columns are those that the model has, so that a new
field is never forgotten, and values are prepared and read by the fields themselves. No signals are sent.

SQL calls the model's table `this` and a joined one by its path (`seat__player`), and has a `%s` for each value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from functools import cache, cached_property, lru_cache
from typing import Any, NamedTuple

from django.core.exceptions import ObjectDoesNotExist
from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.backends.utils import CursorWrapper
from django.db.models import Field, Model, Value
from django.db.models.base import ModelState

type Read = Callable[[Any], Any]

_PLAIN = frozenset({bool, bytes, int, str, type(None)})
"""Types of values that every database takes as they are."""

_AS_THEY_ARE = frozenset(
    {
        models.BigAutoField,
        models.BooleanField,
        models.CharField,
        models.EmailField,
        models.ForeignKey,
        models.PositiveBigIntegerField,
        models.PositiveIntegerField,
        models.PositiveSmallIntegerField,
        models.SmallIntegerField,
        models.TextField,
    }
)
"""Fields whose values need no preparing: most of those of most rows."""


class Select[M: Model]:
    """Rows of a model, and the rows that foreign keys of theirs name: `joined` are paths as in `select_related`.

    `rest` is what follows the tables, WHERE first. With `only` the key and these fields are read; the others are loaded
    when somebody asks for them.
    """

    def __init__(self, model: type[M], rest: str, *joined: str, only: Sequence[str] = ()) -> None:
        self._model, self._rest, self._joined, self._only = model, rest, joined, tuple(only)

    def all(self, *values: object) -> list[M]:
        """Return the rows, in the order of the SQL."""
        return [self._made(row) for row in execute(self._sql, values)]

    def among(self, values: Sequence[object]) -> list[M]:
        """Return the rows for any of the values, which the only `%s` of the SQL stands for: `IN (%s)`."""
        marks = ", ".join(["%s"] * len(values))
        return [self._made(row) for row in execute(self._sql.replace("%s", marks), values)] if values else []

    def first(self, *values: object) -> M | None:
        """Return the first row, or None."""
        return next(iter(self.all(*values)), None)

    def get(self, *values: object) -> M:
        """Return the first row; raises `ObjectDoesNotExist` if there is none."""
        found = self.first(*values)
        if found is None:
            raise ObjectDoesNotExist(f"No {self._model.__name__} of {values}.")
        return found

    def values(self, *values: object) -> list[list[Any]]:
        """Return what the fields in `only` hold, the key before them, without making objects of the rows."""
        return [self._tables[0].columns.read(row) for row in execute(self._sql, values)]

    @cached_property
    def _tables(self) -> list[_Table]:
        tables = [_Table("this", "", "", self._model, _columns(self._model, self._only), optional=False)]
        for path in self._joined:
            tables.append(_joined(path, {table.alias: table for table in tables}))
        return tables

    @cached_property
    def _sql(self) -> str:
        columns = ", ".join(f'"{table.alias}"."{column}"' for table in self._tables for column in table.columns.names)
        return f"SELECT {columns} FROM {' '.join(map(_from, self._tables))} {self._rest}"  # noqa: S608 - no value in it

    def _made(self, row: Sequence[Any]) -> M:
        made: dict[str, Any] = {}
        begin = 0
        for table in self._tables:
            values = row[begin : (begin := begin + len(table.columns.names))]
            made[table.alias] = one = table.columns.made(table.model, values)
            if table.key and (of := made[table.of]) is not None:
                of._state.fields_cache[table.key] = one
        found: M = made["this"]
        return found


class Update[M: Model]:
    """A conditional change: `change` is what follows SET, `where` is what follows WHERE."""

    def __init__(self, model: type[M], change: str, where: str) -> None:
        self._model = model
        self._sql = f'UPDATE "{model._meta.db_table}" AS this SET {change} WHERE {where}'  # noqa: S608 - no value in it

    def __call__(self, *values: object) -> int:
        """Change the rows; return how many they were."""
        return _changed(self._sql, values)

    def taken(self, *values: object) -> M | None:
        """Change one row and return it as it is now; None if there was none to change."""
        columns = _columns(self._model)
        names = ", ".join(f'"{name}"' for name in columns.names)
        rows = execute(f"{self._sql} RETURNING {names}", values)
        return columns.made(self._model, rows[0]) if rows else None


def insert[M: Model](model: type[M], **values: object) -> M:
    """Insert a new row and return it, as a manager's `create` does; raises `KeyError` for a name that is no field's."""
    row = _inserted(model, values, once=False)
    assert row is not None  # noqa: S101 - the database raises instead
    return row


def insert_once[M: Model](model: type[M], **values: object) -> M | None:
    """Insert a new row and return it; None, and nothing happens, if a unique constraint says that it is there."""
    return _inserted(model, values, once=True)


def _inserted[M: Model](model: type[M], values: Mapping[str, object], *, once: bool) -> M | None:
    row = _new(model, values)
    found = execute(_insert(model, once=once), _prepared(row))
    if not found:
        return None
    row.pk = found[0][0]
    return _stored(row)


def _new[M: Model](model: type[M], values: Mapping[str, object]) -> M:
    """A row that is not stored yet, with the defaults of the model."""
    row, names = _bare(model), _attributes(model)
    fixed, made = _defaults(model)
    held = vars(row)
    held |= fixed
    held |= {field.attname: field.get_default() for field in made}
    for name, value in values.items():
        if isinstance(value, Model):
            row._state.fields_cache[name] = value
        held[names[name]] = value.pk if isinstance(value, Model) else value
    return row


def _bare[M: Model](model: type[M]) -> M:
    """An object without values, as pickle makes one: the model's own way to set them costs half of all reading."""
    row = model.__new__(model)
    row._state = ModelState()
    return row


def _stored[M: Model](row: M) -> M:
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return row


def update(row: Model, *names: str) -> None:
    """Write these fields of a row, as `save(update_fields=names)` does; raises `ObjectDoesNotExist` if it is gone."""
    if not _changed(_update(type(row), names), [*_prepared(row, names), row.pk]):
        raise ObjectDoesNotExist(f"{type(row).__name__} {row.pk} is gone.")


def execute(sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
    """Run a statement and return its rows as the database gives them."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        _run(cursor, sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
        return found


def _changed(sql: str, values: Sequence[object]) -> int:
    """Run a statement and return how many rows it changed."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        _run(cursor, sql, values)
        return int(cursor.rowcount)


def _run(cursor: CursorWrapper, sql: str, values: Sequence[object]) -> None:
    named, names = _named(sql)
    ops = cursor.db.ops
    plain: list[Any] = [value if type(value) in _PLAIN else _adapted(value, ops) for value in values]
    cursor.execute(named, dict(zip(names, plain, strict=True)))


@lru_cache(1000)
def _named(sql: str) -> tuple[str, tuple[str, ...]]:
    """A statement with names for its values: for SQLite Django searches one without for `%s`, each time."""
    parts = sql.split("%s")
    names = tuple(f"v{number}" for number in range(len(parts) - 1))
    return "".join(part + f"%({name})s" for part, name in zip(parts, names, strict=False)) + parts[-1], names


def _adapted(value: object, ops: BaseDatabaseOperations) -> Any:
    if isinstance(value, datetime):
        return ops.adapt_datetimefield_value(value)
    return value.value if isinstance(value, Enum) else value


def _prepared(row: Model, names: tuple[str, ...] = ()) -> list[Any]:
    """What is written of a row: these fields of a stored one, all of a new one."""
    database, held, add = connections[DEFAULT_DB_ALIAS], vars(row), not names
    return [
        held[field.attname] if plain else field.get_db_prep_save(field.pre_save(row, add=add), database)
        for field, plain in _written(type(row), names)
    ]


@cache
def _written(model: type[Model], names: tuple[str, ...]) -> tuple[tuple[Field[Any, Any], bool], ...]:
    """The fields of these names, or all but the key; whether the value of each needs no preparing."""
    by_name = {field.name: field for field in _fields(model)}
    fields = [by_name[name] for name in names] or [field for field in by_name.values() if not field.primary_key]
    return tuple((field, _is_plain(field)) for field in fields)


def _is_plain(field: Field[Any, Any]) -> bool:
    if type(field) is models.DateTimeField:
        return not (field.auto_now or field.auto_now_add)  # a time is adapted like any value
    return type(field) in _AS_THEY_ARE


class _Columns(NamedTuple):
    """The columns of a model, and how to read those whose values are not yet what the model holds."""

    names: tuple[str, ...]
    attributes: tuple[str, ...]
    reads: tuple[tuple[int, Read], ...]
    key: int

    def made[M: Model](self, model: type[M], row: Sequence[Any]) -> M | None:
        """Return the object of a row; None if an optional table had none."""
        if row[self.key] is None:
            return None
        made = _bare(model)
        vars(made).update(zip(self.attributes, self.read(row), strict=True))
        return _stored(made)

    def read(self, row: Sequence[Any]) -> list[Any]:
        """Return what the fields hold, of what the columns hold."""
        values = list(row)
        for index, read in self.reads:
            if values[index] is not None:
                values[index] = read(values[index])
        return values


class _Table(NamedTuple):
    """A table of a `Select`: under which name, whose foreign key (`of`, `key`) leads to it."""

    alias: str
    of: str
    key: str
    model: type[Model]
    columns: _Columns
    optional: bool


def _joined(path: str, known: dict[str, _Table]) -> _Table:
    before, _, key = path.rpartition("__")
    of = known[before or "this"]
    field = of.model._meta.get_field(key)
    model = field.related_model
    assert isinstance(model, type)  # noqa: S101 - not a generic relation
    return _Table(path, of.alias, key, model, _columns(model), of.optional or bool(field.null))


def _from(table: _Table) -> str:
    named = f'"{table.model._meta.db_table}" AS "{table.alias}"'
    if not table.of:
        return named
    join = "LEFT JOIN" if table.optional else "JOIN"
    return f'{join} {named} ON "{table.alias}".id = "{table.of}".{table.key}_id'


@cache
def _fields(model: type[Model]) -> tuple[Field[Any, Any], ...]:
    return tuple(field for field in model._meta.get_fields() if isinstance(field, Field) and field.concrete)


@cache
def _attributes(model: type[Model]) -> dict[str, str]:
    """The attribute that holds what is meant by a field's name, or by its attribute's own."""
    fields = _fields(model)
    return {field.name: field.attname for field in fields} | {field.attname: field.attname for field in fields}


@cache
def _defaults(model: type[Model]) -> tuple[dict[str, Any], tuple[Field[Any, Any], ...]]:
    """What a new row holds at first: values that are always the same, and the fields that make one each time."""
    fields = _fields(model)
    fixed = {field.attname: field.get_default() for field in fields if not callable(field.default)}
    return fixed, tuple(field for field in fields if callable(field.default))


@cache
def _columns(model: type[Model], only: tuple[str, ...] = ()) -> _Columns:
    fields = [field for field in _fields(model) if not only or field.primary_key or field.name in only]
    reads = ((index, _reader(field)) for index, field in enumerate(fields))
    return _Columns(
        names=tuple(str(field.column) for field in fields),
        attributes=tuple(field.attname for field in fields),
        reads=tuple((index, read) for index, read in reads if read is not None),
        key=next(index for index, field in enumerate(fields) if field.primary_key),
    )


def _reader(field: Field[Any, Any]) -> Read | None:
    """How a field reads what its column holds, by the database's converters and its own; None for most."""
    column = Value(None, output_field=field)
    steps = [*connection.ops.get_db_converters(column), *field.get_db_converters(connection)]

    def read(value: Any) -> Any:
        for step in steps:
            value = step(value, column, connection)
        return value

    return read if steps else None


@cache
def _insert(model: type[Model], *, once: bool) -> str:
    names = [f'"{field.column}"' for field, _plain in _written(model, ())]
    marks = ", ".join(["%s"] * len(names))
    conflict = "ON CONFLICT DO NOTHING " if once else ""
    return f'INSERT INTO "{model._meta.db_table}" ({", ".join(names)}) VALUES ({marks}) {conflict}RETURNING "id"'  # noqa: S608


@cache
def _update(model: type[Model], names: tuple[str, ...]) -> str:
    change = ", ".join(f'"{field.column}" = %s' for field, _plain in _written(model, names))
    return f'UPDATE "{model._meta.db_table}" SET {change} WHERE "id" = %s'  # noqa: S608 - no value in it
