"""Arguments of Python as command lines: what functions of several commands share."""

import contextlib
import os

import numpy as np

from . import _arrays, _calls


def formats(arguments):
    """Has `accumulate` and `result` in `format`."""
    accumulate, result = arguments.pop("accumulate", None), arguments.pop("result", None)
    if accumulate is None and result is None:
        return
    x = arguments.get("x")
    if _arrays.is_path(x) and "format" not in arguments:
        raise ValueError(f"accumulate, result: give format= too; that of the terms in {x} is not known here")
    own = _arrays.format_of(x) or "fp64"
    terms, accumulate, result = (one and _arrays.format_name(one) for one in
                                 (arguments.get("format", own), accumulate, result))
    if ":" in terms:
        raise ValueError(f"format={terms}: has the formats of partial sums and results; leave out accumulate and result")
    accumulate = accumulate or ("fp32" if terms in _arrays.OF_TERMS_ALONE else terms)
    arguments["format"] = f"{terms}:{accumulate}" + (f":{result}" if result else "")


def axis(arguments):
    """Has `axis` in `op`; of a file, which says how many dimensions there are, the program looks at it."""
    axis = arguments.get("axis")
    if axis is None:
        return
    if axis == "all" or ("op" not in arguments and _arrays.is_path(arguments.get("x"))):
        if not _arrays.is_path(arguments.get("x")):
            del arguments["axis"]  # all numbers of an array are one sum
        return
    del arguments["axis"]
    if "op" in arguments:
        raise ValueError(f"axis={axis}: op={arguments['op']} has its own; give one of them")
    x = arguments.get("x")
    if x is None:
        raise ValueError(f"axis={axis}: is of an array; give x, or op='sum(axis={axis})' with shape")
    dimensions = x.array.ndim
    whole = isinstance(axis, (int, np.integer)) and not isinstance(axis, bool)
    if not whole or not -dimensions <= axis < dimensions:
        raise ValueError(f"axis={axis}: must be a whole number from {-dimensions} to {dimensions - 1} for x")
    arguments["op"] = f"sum(axis={axis % dimensions})"


def is_operation(arguments):
    return (arguments.get("op") or "sum") != "sum" or arguments.get("axis") not in (None, "all")


def given(name, arguments):
    """Texts and arrays of a command line."""
    known = _calls.parameters(name)
    texts, arrays = [], []
    for key, value in arguments.items():
        parameter = known[key]
        if isinstance(value, _arrays.Given):
            arrays.append((parameter.flag, value))
        elif (values := parameter.texts(value)) is not None:
            texts.append((parameter.flag, values))
    return texts, arrays


def ask(name, kind, arguments, more=(), keep=(), box=None):
    """Calls a command for its report."""
    progress, divided = arguments.pop("progress", None), arguments.pop("divided", None)
    texts, arrays = given(name, arguments)
    texts += [("--quiet", []), *more]
    status, report, out = _calls.call(name, texts, [*arrays, *keep], progress, box, divided)
    return kind(report, status, out)


def do(name, arguments, more=()):
    """Calls a command for what it prints."""
    progress = arguments.pop("progress", None)
    texts, arrays = given(name, arguments)
    return _calls.call(name, [*texts, *more], arrays, progress)[2].decode()


def _as_text(value):
    """A result as the command line reads it, or None for anything but a number or a text. Numbers are exact: all their digits
    are written, since a decimal of few digits stands for all numbers that print so."""
    if isinstance(value, str):
        return value
    if isinstance(value, np.floating) and not isinstance(value, float):  # narrower than a decimal says
        value = float(value)
        return value.hex() if np.isfinite(value) else repr(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return f"{float(value):.16e}" if isinstance(value, float) or abs(value) < 2**53 else repr(value)
    return None


def results_given(value):
    """A number, texts, or a list of them as texts; None for an array or a file of them."""
    if isinstance(value, os.PathLike) or isinstance(value, np.ndarray):
        return None
    if isinstance(value, (str, int, float, np.number)):
        value = [value]
    texts = [_as_text(one) for one in value] if isinstance(value, (list, tuple)) else [None]
    return None if not texts or None in texts else texts


@contextlib.contextmanager
def files(arguments, **writers):
    """Writes what is no path into files of a folder of its own, while a command reads them."""
    with contextlib.ExitStack() as stack:
        folder = None
        for name, (ending, write) in writers.items():
            value = arguments.get(name)
            if value is None or _arrays.is_path(value):
                continue
            import tempfile

            folder = folder or stack.enter_context(tempfile.TemporaryDirectory(prefix="orderlab-"))
            arguments[name] = os.path.join(folder, name + ending)
            write(name, value, arguments[name])
        try:
            yield
        except (ValueError, RuntimeError) as error:
            if folder is None or folder not in str(error):
                raise
            message = str(error)
            for name in writers:  # a file that the caller does not know of
                message = message.replace(str(arguments.get(name)), name)
            raise type(error)(message) from None


def write_matrix(name, value, path):
    """A matrix of SciPy, or an array with two dimensions, as a Matrix Market file."""
    if hasattr(value, "tocoo"):
        matrix = value.tocoo()
        shape, rows, columns, entries = matrix.shape, matrix.row, matrix.col, _arrays.numbers(name, matrix.data).floats()
    else:
        array = _arrays.numbers(name, value).floats()
        if array.ndim != 2:
            raise ValueError(f"{name}: has {array.ndim} dimensions; a matrix has 2")
        shape = array.shape
        rows, columns = np.nonzero(array)
        entries = array[rows, columns]
    with open(path, "w", encoding="ascii") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n")
        file.write(f"{shape[0]} {shape[1]} {len(entries)}\n")
        for row, column, entry in zip(rows, columns, entries):
            file.write(f"{row + 1} {column + 1} {float(entry)!r}\n")


def write_npy(name, value, path):
    np.save(path, _arrays.numbers(name, value).floats())


def write_orders(name, value, path):
    """Arrival orders, one a row."""
    orders = np.atleast_2d(_arrays.integers(name, value).array)
    np.savetxt(path, orders, fmt="%d", delimiter=",")


@contextlib.contextmanager
def order_files(arguments, name):
    """Writes the arrays of a list into files of a folder of its own, while a command reads them."""
    given = arguments.get(name)
    values = list(given) if isinstance(given, (list, tuple)) else [given]
    arrays = {f"{name}_{i}": value for i, value in enumerate(values) if value is not None and not _arrays.is_path(value)}
    with files(arrays, **{key: (".csv", write_orders) for key in arrays}):
        arguments[name] = [arrays.get(f"{name}_{i}", value) for i, value in enumerate(values) if value is not None]
        yield


def scores(name, value):
    """Scores as a list of the command line; a path stays."""
    if _arrays.is_path(value):
        return value
    scores = np.asarray(value, dtype=np.float64)
    if scores.ndim != 1 or scores.size == 0:
        raise ValueError(f"{name}: must be a list of scores, one for each run, not an array of shape {scores.shape}")
    return ",".join(repr(float(one)) for one in scores)
