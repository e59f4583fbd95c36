"""probe_table: the orders of a function over sizes, shapes and dtypes."""

from __future__ import annotations

import html
import operator
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _boxes, _functions
from ._environment import computes
from ._record import html_table

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

_SHAPES = (2, 8, 9, 32, 100, 128, 129, 1000)


class OrderTable:
    """The order of a function for each dtype and shape; frozen. A row is a dictionary: dtype, shape, n (terms of one
    sum), verdict, order (None where it has no name), bits (of precision, of the additions), height, calls."""

    __slots__ = ("name", "rows")
    name: str
    rows: tuple[dict[str, Any], ...]

    def __init__(self, name: str, rows: Sequence[dict[str, Any]]) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "rows", tuple(rows))

    def __setattr__(self, name, value):
        raise AttributeError(f"OrderTable is frozen: {name} cannot be set")

    def __reduce__(self):
        return type(self), (self.name, self.rows)

    def __eq__(self, other):
        return isinstance(other, OrderTable) and (self.name, self.rows) == (other.name, other.rows)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    @property
    def changes(self) -> tuple[dict[str, Any], ...]:
        """The rows whose order differs from that of the row before, of the same dtype. Rows without a named order are
        not compared."""
        pairs = zip(self.rows, self.rows[1:])
        return tuple(row for before, row in pairs if row["dtype"] == before["dtype"] and row["order"] and before["order"]
                     and row["order"] != before["order"])

    def to_dict(self) -> list[dict[str, Any]]:
        """The rows, in a list."""
        return [dict(row) for row in self.rows]

    def to_dataframe(self) -> Any:
        """A pandas.DataFrame. ImportError where pandas is not installed."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def _cells(self):
        changed = [id(row) for row in self.changes]
        for row in self.rows:
            yield [row["dtype"], _shape_text(row["shape"]), str(row["n"]), row["order"] or row["verdict"],
                   "" if row["bits"] is None else str(row["bits"]), "" if row["height"] is None else str(row["height"]),
                   "changes" if id(row) in changed else ""]

    def __str__(self):
        table = [_HEAD, *self._cells()]
        widths = [max(len(line[column]) for line in table) for column in range(len(_HEAD))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in table]
        return "\n".join([f"orders of {self.name}", *lines, "", self._conclusion()])

    def _conclusion(self):
        unnamed = sum(not row["order"] for row in self.rows)
        said = []
        if self.changes:
            places = ", ".join(f"{row['dtype']} {_shape_text(row['shape'])}" for row in self.changes)
            said.append(f"The order changes at {places}.")
        elif unnamed < len(self.rows):
            said.append(f"The same order in each of {len(self.rows) - unnamed} rows of a dtype.")
        if unnamed:
            said.append(f"Rows without a named order: {unnamed}; these were not compared.")
        return " ".join(said)

    def __repr__(self):
        size = f"{len(self.rows)} rows, {len(self.changes)} changes"
        return f"<orderlab.OrderTable: {self.name}, {size}\n    {self._conclusion()}>"

    def _repr_html_(self):
        return html_table(_HEAD, self._cells()) + f"<p>{html.escape(self._conclusion())}</p>"


_HEAD = ["dtype", "shape", "n", "order", "bits", "height", ""]
OrderTable.__module__ = "orderlab"


def _shape_text(shape):
    return "x".join(map(str, shape)) if isinstance(shape, tuple) else str(shape)


@computes
def probe_table(f: Callable[..., object], shapes: Sequence[int | tuple[int, ...]] = _SHAPES,
                dtypes: Sequence[DTypeLike] = ("float32",), *, axis: int | None = None, expect: str | None = None,
                **options: Any) -> OrderTable:
    """In which order does a function add, for each shape and dtype? One probe for each, as a table.

    Parameters
    ----------
    f : callable
        A function of an array, of NumPy or of torch, JAX or CuPy, that returns its sum. With `axis` it is called as
        f(array, axis=axis), of torch as f(tensor, dim=axis).
    shapes : list of int or tuple
        Numbers of terms. With `axis` shapes of arrays: one sum along the axis is probed, all others are of the same
        terms.
    dtypes : list of dtype or str
        float64, float32, float16, or bfloat16, which needs ml_dtypes.
    axis : int
        Along which f adds; all `shapes` are then tuples.
    expect : str
        An order that each should have.
    **options
        Other keywords of orderlab.probe: repeats, seed, budget, ...

    Returns
    -------
    OrderTable
        rows, changes (where the order differs from that of the size before), to_dataframe().

    Examples
    --------
    >>> import numpy as np, orderlab
    >>> t = orderlab.probe_table(np.sum, shapes=(4, 8, 9, 100))
    >>> print(t)
    orders of numpy:sum
    dtype    shape  n    order  bits  height
    float32  4      4    numpy  24    3
    float32  8      8    numpy  24    3
    float32  9      9    numpy  24    4
    float32  100    100  numpy  24    18
    <BLANKLINE>
    The same order in each of 4 rows of a dtype.
    """
    if not callable(f):
        raise TypeError(f"f: must be callable, not {f!r}; orderlab.probe takes commands and libraries, one at a time")
    shapes, dtypes = ([*some] if np.iterable(some) and not isinstance(some, str) else [some]
                      for some in (shapes, dtypes))
    if not shapes or not dtypes:
        raise ValueError("shapes, dtypes: give at least one of each")
    rows = [_row(f, shape, dtype, axis, expect, options) for dtype in dtypes for shape in shapes]
    return OrderTable(_boxes.name_of(f), rows)


def _row(f, shape, dtype, axis, expect, options):
    g, n = (f, operator.index(shape)) if axis is None else _along(f, shape, axis)
    if expect is not None:
        options = {**options, "expect": expect}
    found = _functions.probe(g, n, dtype=dtype, sizes=[], **options)
    row = {"dtype": dtype if isinstance(dtype, str) else np.dtype(dtype).name, "shape": shape, "n": n,
           "verdict": found.verdict, "order": found.order,
           "bits": None if found.accumulator is None else found.accumulator.narrowest,
           "height": None if found.tree is None else found.tree.height, "calls": found.calls}
    return row if expect is None else {**row, "as_expected": found.as_expected}


def _along(f, shape, axis):
    """A function of the terms of one sum, which stand along the axis at every place of the shape."""
    if not isinstance(shape, tuple) or not all(isinstance(one, (int, np.integer)) and one > 0 for one in shape):
        raise ValueError(f"shapes: {shape!r}: with axis they are tuples of numbers from 1, such as (64, 1000)")
    if isinstance(axis, bool) or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        ends = f"from {-len(shape)} to {len(shape) - 1}"
        raise ValueError(f"axis={axis}: must be a whole number {ends} for shape {shape}")
    call = _boxes.in_numpy(f)
    keyword = "dim" if _boxes.library_of(f) == "torch" else "axis"
    column = [-1 if place == axis % len(shape) else 1 for place in range(len(shape))]

    def along(x):
        sums = call(np.ascontiguousarray(np.broadcast_to(x.reshape(column), shape)), **{keyword: axis})
        return np.asarray(sums).reshape(-1)[0]

    return along, shape[axis]
