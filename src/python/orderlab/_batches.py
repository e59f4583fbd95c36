"""assert_batch_invariant: rows computed in batches of several sizes, compared as bits."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ._determinism import difference, outputs_of
from ._environment import computes
from ._explanation import explanation, judged
from ._functions import probe

_MOST_PROBED = 4096  # terms of a row: probe calls f about twice as often


def assert_batch_invariant(f: Callable[[Any], object], rows: Any, batches: Sequence[int] = (1, 8, 64), *,
                           order: str | None = None, err_msg: str = "", verbose: bool = True, **options: Any) -> None:
    """Raises an AssertionError if the outputs of a row depend on the number of rows that are computed with it.

    Without `order` the outputs of a row must have the same bits with every batch size. With `order` they may differ, but
    each has to be a sum of its row that the order explains.

    Parameters
    ----------
    f : callable
        Takes an array of b rows. Returns an array, or a tuple or list of arrays, with b as their first dimension.
    rows : array
        The rows, or requests, along the first dimension. Every batch has successive rows; the last one is filled up with
        the first rows, whose outputs are not compared again.
    batches : list of int
        Batch sizes, two or more. All are compared with the first.
    order : str or None
        An order, such as "random": f sums each row, and results of rows are judged as by assert_explained.
    err_msg : str
        Printed at the top of a failure.
    verbose : bool
        Whether a failure says in which order each batch size adds a row, where f sums rows of at most 4096 floats. That
        takes some thousand calls of f.
    **options
        With `order`: all other keywords of assert_explained. Each row is judged by itself, in up to a second.

    Raises
    ------
    AssertionError
        At the first batch size that differs: the output, both bit patterns, the difference in ulps, the order of each
        batch size. With `order` at the first row that has a result which the order does not explain.
    TypeError, ValueError
        If the arguments are wrong, or an output has another number of rows than its batch.

    Examples
    --------
    >>> import numpy as np
    >>> from orderlab.testing import assert_batch_invariant
    >>> x = np.random.default_rng(1).random((16, 512), dtype=np.float32)
    >>> assert_batch_invariant(lambda rows: rows.sum(axis=1), x, batches=(1, 4, 8))
    >>> def split(rows):                            # as split-K does where there are few rows
    ...     parts = 4 if len(rows) < 4 else 1
    ...     return rows.reshape(len(rows), parts, -1).sum(axis=2).sum(axis=1)
    >>> assert_batch_invariant(split, x, batches=(1, 4), order="random")
    >>> assert_batch_invariant(split, x, batches=(1, 4), verbose=False)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    AssertionError: batch size 4 gives other bits than batch size 1
    the result[...
    """
    __tracebackhide__ = True
    rows, sizes = _checked(f, rows, batches)
    if options and order is None:
        raise TypeError(f"{', '.join(sorted(options))}: only with `order`, which judges sums")
    outputs = [_in_batches(f, rows, size) for size in sizes]
    if order is not None:
        return _judge(outputs, rows, order, err_msg, verbose, options)
    for size, those in zip(sizes[1:], outputs[1:]):
        text = difference(outputs[0], those, (f"with batch size {sizes[0]}", f"with batch size {size}"))
        if text:
            lines = [err_msg] if err_msg else []
            lines += [f"batch size {size} gives other bits than batch size {sizes[0]}", text]
            if verbose:
                lines += _orders(f, rows, (outputs[0], those), (sizes[0], size))
            raise AssertionError("\n".join(lines))


def _checked(f, rows, batches):
    if not callable(f):
        raise TypeError(f"f: must be callable, not {type(f).__name__}")
    rows = np.asarray(rows)
    if rows.ndim == 0:
        raise ValueError("rows: has no dimension; rows are along the first one")
    if not len(rows):
        raise ValueError("rows: is empty; give at least one row along the first dimension")
    sizes = list(batches) if np.iterable(batches) else [batches]
    for size in sizes:
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise ValueError(f"batches: {size!r}: batch sizes are whole numbers from 1")
    if len(set(sizes)) < 2:
        raise ValueError("batches: give two different sizes or more; one has nothing to be compared with")
    return rows, sizes


def _in_batches(f, rows, size):
    """Outputs of all rows as (name, array)."""
    parts = []
    for begin in range(0, len(rows), size):
        places = np.arange(begin, begin + size) % len(rows)
        outputs = outputs_of(f(rows[places]))
        parts.append([(name, _rows_of(name, array, size)[:len(rows) - begin]) for name, array in outputs])
    if len({len(part) for part in parts}) > 1:
        raise ValueError(f"f: returned different numbers of outputs with batch size {size}")
    return [(column[0][0], np.concatenate([array for _, array in column])) for column in zip(*parts)]


def _rows_of(name, array, size):
    if array.ndim == 0 or len(array) != size:
        raise ValueError(f"f: {name} has shape {array.shape} for a batch of {size} rows; "
                         f"its first dimension must be {size}")
    return array


def _judge(outputs, rows, order, err_msg, verbose, options):
    __tracebackhide__ = True
    for columns in outputs:
        if len(columns) != 1 or columns[0][1].ndim != 1:
            raise ValueError("order: is for a function that returns one sum for each row")
    confidence = options.pop("confidence", 0.999)
    if not 0 < confidence < 1:
        raise ValueError(f"confidence={confidence}: must lie between 0 and 1, both excluded, such as 0.999")
    options["confidence"] = 1 - (1 - confidence) / len(rows)  # of all rows together it is what was asked for
    for i, row in enumerate(rows):
        sums = np.array([columns[0][1][i] for columns in outputs])
        check = judged(sums, row, order, **options)
        if not check.explained:
            message = f"row {i}" + (f": {err_msg}" if err_msg else "")
            del options["confidence"]
            raise AssertionError(explanation(check, row, order, err_msg=message, verbose=verbose, **options))


def _is_sum(rows, outputs):
    return all(len(columns) == 1 and columns[0][1].ndim == 1 and columns[0][1].dtype.kind == "f" for columns in outputs) \
        and rows.ndim == 2 and rows.dtype.kind == "f" and rows.shape[1] <= _MOST_PROBED


@computes
def _orders(f, rows, outputs, sizes):
    """In which order each batch size adds a row; nothing where f does not sum rows, or refuses those of a probe."""
    if not _is_sum(rows, outputs):
        return []
    try:
        found = [probe(lambda x, size=size: f(np.stack([x] * size))[0], rows.shape[1], sizes=[], dtype=rows.dtype)
                 for size in sizes]
    except Exception:  # f's, of inputs that the test did not give it
        return []
    first, second = (one.order or one.verdict for one in found)
    if first == second or any(one.verdict == "not a sum" for one in found):
        return []
    return [f"Batch size {sizes[0]} adds a row of {rows.shape[1]} terms as {first}, batch size {sizes[1]} as {second}."]
