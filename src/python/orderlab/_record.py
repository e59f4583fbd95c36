"""Findings as frozen objects that read like the JSON of the command line."""

import functools
import json
import operator
import textwrap
from collections.abc import Iterable, Iterator, KeysView
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ._environment import computes

_WIDTH = 100  # of a repr
_MOST_TEXT = 20_000  # characters of a text in a notebook
_NOT_FINITE = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}


class ConfidenceInterval(NamedTuple):
    """An interval, as scipy.stats has it."""

    low: float
    high: float


def frozen(array):
    array.flags.writeable = False
    return array


def _is_number(value):
    if isinstance(value, str):
        return value in _NOT_FINITE
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@computes
def read(value, kind=None):
    """A value of JSON: numbers, texts, arrays, records. JSON has no number for inf and NaN; their texts become floats."""
    if isinstance(value, dict):
        if value.keys() == {"low", "high"}:
            return ConfidenceInterval(read(value["low"]), read(value["high"]))
        return (kind or Record)(value)
    if isinstance(value, str):
        return _NOT_FINITE.get(value, value)
    if not isinstance(value, list):
        return value
    if value and all(_is_number(one) for one in value):
        return frozen(np.array([_NOT_FINITE.get(one, one) for one in value]))
    return tuple(read(one, kind) for one in value)


def schema_folder():
    import importlib.resources

    return importlib.resources.files("orderlab") / "schemas"


def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a command's document, as a dictionary: "sample", "sample_operation", "check", ...; "shared" has
    what several refer to. ValueError for another name."""
    folder = schema_folder()
    names = sorted(file.name.removesuffix(".json") for file in folder.iterdir() if file.name.endswith(".json"))
    if name not in names:
        raise ValueError(f"schema {name!r}: there is none; there are {', '.join(names)}")
    found: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    return found


@functools.lru_cache(maxsize=None)
def _keys_of(document):
    return frozenset(schema(document)["properties"])


class Record:
    """A part of a finding: `record.name` or `record["name"]`; frozen. `to_dict()` gives plain objects."""

    __slots__ = ("_values", "_seen")
    _kinds: dict[str, type] = {}  # classes of records in it, by key

    def __init__(self, values):
        object.__setattr__(self, "_values", values)
        object.__setattr__(self, "_seen", {})

    def __getitem__(self, key: str) -> Any:
        seen = self._seen
        if key not in seen:
            seen[key] = read(self._all()[key], self._kinds.get(key))
        return seen[key]

    if not TYPE_CHECKING:  # type checkers know the names from the stubs

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            values = self._all()
            if name in values:
                return self[name]
            import difflib

            near = difflib.get_close_matches(name, [*values], 1)
            hint = f"; did you mean {near[0]}?" if near else f"; there are {', '.join(values)}"
            raise AttributeError(f"{type(self).__name__} has no {name}{hint}")

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name):
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def _all(self):
        return self._values

    def keys(self) -> KeysView[str]:
        return self._all().keys()

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __contains__(self, key: object) -> bool:
        return key in self._all()

    def __dir__(self):
        return [*super().__dir__(), *(key for key in self._all() if key.isidentifier())]

    def __eq__(self, other):
        return isinstance(other, Record) and self._all() == other._all()

    __hash__ = None  # type: ignore[assignment]

    @computes
    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{key}={value!r}' for key, value in self._all().items())})"

    def __reduce__(self):
        return type(self), (self._all(),)

    @computes
    def to_dict(self) -> dict[str, Any]:
        """The same as dictionaries, lists, numbers and texts."""
        copy: dict[str, Any] = json.loads(json.dumps(self._all()))
        return copy


def html_table(head, rows):
    """A table of texts."""
    import html

    def line(cells, tag):
        return "<tr>" + "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return f"<table><thead>{line(head, 'th')}</thead><tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>"


class _Documented:
    """The docstring of a class of results: its summary, and the keys of its document with types and meanings, as its
    JSON Schema has them. Read when somebody asks."""

    def __init__(self, summary):
        self._summary = summary

    def __get__(self, instance, owner):
        if owner._document is None:
            return self._summary
        shared = schema("shared")["$defs"]
        lines = [self._summary, "", "Attributes", "----------"]
        for key, one in schema(owner._document)["properties"].items():
            while "$ref" in one and "description" not in one:
                one = shared[one["$ref"].rpartition("/")[2]]
            kind = _kind_of(one, shared)
            lines += [f"{key} : {kind}" if kind else key, f"    {one.get('description', '')}".rstrip()]
        return "\n".join(lines)


def _kind_of(one, shared):
    """The type of a value of a schema, in words of Python."""
    while "$ref" in one:
        one = shared.get(one["$ref"].rpartition("/")[2], {})
    if "anyOf" in one:
        return " or ".join(dict.fromkeys(filter(None, (_kind_of(each, shared) for each in one["anyOf"]))))
    if "enum" in one:
        return " or ".join(repr(word) for word in one["enum"])
    words = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "array or tuple",
             "object": "Record", "null": "None"}
    kinds = one.get("type", [])
    return " or ".join(words[kind] for kind in ([kinds] if isinstance(kinds, str) else kinds))


class _Kept:
    """A report as bytes, for one that comes from another process."""

    def __init__(self, report):
        self._parts = {"json": report.json(), "csv": report.csv(), "text": report.text(80), "charts": report.charts(), "arrays": report.arrays(), "newick": report.newick(),
                       "dot": report.dot()}

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *ignored: self._parts.get(name, "")  # no page: it has all of Vega


class Result(Record):
    """What a command found. Prints as the command does; attributes are the keys of its JSON."""

    __slots__ = ("_report", "_status", "_out")
    _document: str | None = None  # name of its schema
    _brief: dict[str, str] = {}  # what repr shows: names, and attributes with the format of a number behind a colon
    _concludes = True  # whether it shows the last paragraph of the text, too

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if isinstance(cls.__dict__.get("__doc__"), str):
            cls.__doc__ = _Documented(cls.__doc__)

    def __init__(self, report, status=0, out=b""):
        super().__init__(None)
        object.__setattr__(self, "_report", report)
        object.__setattr__(self, "_status", status)
        object.__setattr__(self, "_out", out)

    def _all(self):
        if self._values is None:
            object.__setattr__(self, "_values", computes(json.loads)(self._report.json()))
        return self._values

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if not name.startswith("__") and name not in self._all() and name in _keys_of(self._document):
                return None  # a key that this document has not
            return super().__getattr__(name)

    def to_json(self) -> bytes:
        """The bytes that the command line writes with --json."""
        return self._report.json()

    def to_csv(self) -> str:
        """The text that the command line writes with --csv."""
        return self._report.csv()

    def to_html(self) -> str:
        """A page with charts, which needs no network: what --html writes. Empty for results without charts, and for those
        that were pickled."""
        return self._report.html()

    @computes
    def charts(self) -> dict[str, dict[str, Any]]:
        """Charts as Vega-Lite specs (dicts), the most telling first, by name; none for results without charts."""
        return {name.removesuffix(".vl.json"): json.loads(spec) for name, spec in self._report.charts()}

    def chart(self, name: str | None = None) -> dict[str, Any]:
        """One chart as a Vega-Lite spec (a dict, which altair.Chart.from_dict takes): the first, or that of a name."""
        charts = self.charts()
        if not charts:
            raise ValueError(f"{type(self).__name__} has no charts")
        if name is None:
            return next(iter(charts.values()))
        if name not in charts:
            raise ValueError(f"chart {name!r}: there is none; there are {', '.join(charts)}")
        return charts[name]

    def __str__(self):
        return self._report.text(80).rstrip("\n")

    @computes
    def __repr__(self):
        """Two or three lines: the conclusion, and the numbers."""
        shown = ", ".join(self._shown())
        lines = textwrap.wrap(f"<orderlab.{type(self).__name__}: {shown}", _WIDTH, subsequent_indent="    ",
                              max_lines=2, break_on_hyphens=False, break_long_words=False, placeholder=" ...")
        if self._concludes:
            conclusion = " ".join(str(self).rpartition("\n\n")[2].split())
            lines.append(textwrap.shorten(conclusion, _WIDTH - 5, placeholder=" ..."))
        return "\n    ".join(line.strip() for line in lines) + ">"

    def _shown(self):
        """What repr shows, as name=value; what this result has not is left out."""
        for name, path in self._brief.items():
            path, _, format = path.partition(":")
            try:
                value = operator.attrgetter(path)(self)
            except (AttributeError, RuntimeError, ValueError):  # absent, or there is none, such as a tolerance
                continue
            if isinstance(value, np.ndarray):
                value = tuple(value.tolist())
            if value is not None:
                yield f"{name}={value:{format}}" if format else f"{name}={value!r}"

    def __eq__(self, other):
        return type(self) is type(other) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self):
        return type(self), (_Kept(self._report), self._status, self._out)

    def to_dataframe(self) -> Any:
        """The table that to_csv writes, as a pandas.DataFrame. ImportError where pandas is not installed."""
        import io

        import pandas

        return pandas.read_csv(io.StringIO(self.to_csv()), float_precision="round_trip")

    def _small_chart(self):
        """What _repr_html_ and plot draw, as one of _charts; None where there is nothing to draw."""
        return None

    @computes
    def plot(self, ax: Any = None, *, backend: str = "matplotlib") -> Any:
        """Draws the result. Returns the axes of Matplotlib, those given or new ones; with backend="altair" the chart of
        chart() as an altair.Chart. ImportError where the library is not installed, ValueError where there is no
        chart."""
        if backend == "altair":
            import altair

            return altair.Chart.from_dict(self.chart())
        if backend != "matplotlib":
            raise ValueError(f"backend={backend!r}: must be 'matplotlib' or 'altair'")
        from . import _charts

        chart = self._small_chart()
        if chart is None:
            raise ValueError(f"{type(self).__name__} has no chart")
        if ax is None:
            from matplotlib import pyplot

            _, ax = pyplot.subplots()
        _charts.draw(chart, ax)
        return ax

    @computes
    def _repr_html_(self) -> str:
        """The text, and one chart of a few kB. The page with all charts, to_html(), is about 1 MB."""
        import html

        from . import _charts

        chart = self._small_chart()
        text = str(self)
        text = text if len(text) <= _MOST_TEXT else text[:_MOST_TEXT].rpartition("\n")[0] + "\n..."
        return f"<div>{_charts.svg(chart) if chart else ''}<pre>{html.escape(text)}</pre></div>"

    def _repr_mimebundle_(self, include: Iterable[str] | None = None,
                          exclude: Iterable[str] | None = None) -> dict[str, str]:
        bundle = {"text/plain": str(self), "text/html": self._repr_html_()}
        return {key: value for key, value in bundle.items()
                if (not include or key in include) and (not exclude or key not in exclude)}


for _one in list(vars().values()):
    if isinstance(_one, type) and _one.__module__ == __name__ and not _one.__name__.startswith("_"):
        _one.__module__ = "orderlab"
