"""Queries that are run for every mail and every turn, whose SQL Django writes once.

A queryset writes its SQL anew whenever it is run, which takes about five times as long as running it. A prepared query
is written once for each kind of database, with marks where its arguments belong; else it is run as any other, and its
rows become objects in the same way.
"""

from collections.abc import Callable, Sequence
from copy import copy
from typing import Any, NamedTuple

from django.db import connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

_MARK = 7_000_000_000_000
"""No constant of a query is so large."""


class _Written(NamedTuple):
    """A query whose SQL is written, with its compiler, and which argument each parameter is, if it is one."""

    rows: QuerySet[Any, Any]
    compiler: SQLCompiler
    sql: str
    converters: dict[int, Any]
    parameters: list[tuple[int | None, object]]


class Prepared[Row]:
    """A query by ids and words. `make` returns it for given arguments, and does nothing but compare columns to them.

    Calling it returns its rows. Raises `ValueError` at the first call if an argument is no parameter of the SQL.
    """

    def __init__(self, make: Callable[..., QuerySet[Any, Row]]) -> None:
        self._make = make
        self._written: dict[tuple[str, int], _Written] = {}

    def __call__(self, *arguments: int | str) -> list[Row]:
        """The rows for these arguments."""
        connection = connections["default"]
        key = connection.vendor, len(arguments)
        if key not in self._written:
            self._written[key] = self._write(arguments)
        written = self._written[key]
        bound = tuple(value if at is None else arguments[at] for at, value in written.parameters)
        compiler, rows = copy(written.compiler), written.rows.all()
        compiler.connection = connection
        vars(compiler).update(as_sql=lambda: (written.sql, bound), get_converters=lambda _: written.converters)
        vars(rows.query).update(get_compiler=lambda *_, **__: compiler)
        return list(rows)

    def first(self, *arguments: int | str) -> Row | None:
        """The first row for these arguments, if there is one."""
        return next(iter(self(*arguments)), None)

    def _write(self, arguments: Sequence[int | str]) -> _Written:
        marks = [_MARK + at if isinstance(one, int) else f"mark {_MARK + at}" for at, one in enumerate(arguments)]
        rows = self._make(*marks)
        compiler = rows.query.get_compiler(using="default")
        sql, parameters = compiler.as_sql()
        places = [(marks.index(one) if one in marks else None, one) for one in parameters]
        if {at for at, _ in places} - {None} != set(range(len(marks))):
            raise ValueError(f"Its arguments are no parameters: {sql}")
        columns = [column for column, *_ in compiler.select[: compiler.col_count]]
        return _Written(rows, compiler, sql, compiler.get_converters(columns), places)
