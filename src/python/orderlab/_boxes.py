"""Black boxes as `probe` takes them: functions of Python, commands, functions of libraries."""

import importlib
import operator
import os
import shlex
import sys

import numpy as np

from . import _arrays
from ._errors import UnsupportedError

_FORMATS = {format: dtype for dtype, format in _arrays.FLOATS.items()}  # dtypes by the name of the format
_OF_PROCESSES = {  # keywords that say nothing of a function in this process
    "time_limit": "is of boxes in processes of their own; a function of this process is stopped by Ctrl-C",
    "box_threads": "is set as OMP_NUM_THREADS when the process of a box starts; that of f has started already",
    "lines": "is of a command",
}


def box_of(arguments):
    """Takes what names the black box out of the arguments of `probe`. A callable is returned as _calls.call takes it; of
    anything else the flags stay, and None is returned."""
    f = arguments.pop("f", None)
    dtype, dot = arguments.pop("dtype", None), arguments.pop("dot", None)
    if dtype is not None:
        if "format" in arguments:
            raise ValueError(f"dtype={dtype}, format={arguments['format']}: both are the format of the terms; give one")
        arguments["format"] = _format(dtype)
    for name in ("sizes", "box_threads"):
        _as_list(name, arguments)
    _as_range("offsets", arguments)
    if f is not None:
        other = next((name for name in ("command", "library", "python") if name in arguments), None)
        if other:
            raise ValueError(f"f, {other}: give one of them; both name the black box")
    if callable(f):
        return _callable(f, dot, arguments)
    if dot is not None:
        raise ValueError("dot: is of a callable; others say it by their name, such as library='libfoo.so:dot:blas'")
    if f is not None:
        _name_box(f, arguments)
    elif not arguments.keys() & {"command", "library", "python"}:
        raise ValueError("f: give the black box: a callable, a command or (library, symbol)")
    return None


def _name_box(f, arguments):
    """Has a box that is not of this process in the flag for it."""
    if isinstance(f, str):
        arguments["command"] = f
    elif isinstance(f, tuple) and len(f) == 2 and all(map(_arrays.is_path, f)):
        arguments["library"] = ":".join(map(os.fspath, f))
    elif isinstance(f, list) and f and all(map(_arrays.is_path, f)):
        arguments["command"] = shlex.join(map(os.fspath, f))
    else:
        raise TypeError("f: must be a callable, a command (a text, or a list of them) or a tuple (library, symbol), not "
                        f"{f!r}")


def _callable(f, dot, arguments):
    for name, why in _OF_PROCESSES.items():
        if name in arguments:
            raise ValueError(f"{name}: {why}")
    if dot is not None and not isinstance(dot, (bool, np.bool_)):
        raise TypeError(f"dot: must be True or False, not {dot!r}")
    axis = arguments.pop("axis", None)
    if axis is not None and (isinstance(axis, bool) or axis not in (0, 1)):
        raise ValueError(f"axis={axis}: must be 0 or 1; f gets an array of two dimensions")
    if axis is not None and dot:
        raise ValueError(f"axis={axis}, dot=True: give one of them")
    dtype = _dtype(arguments.get("format", "fp32"))
    return in_numpy(f), name_of(f), dtype, bool(dot), None if axis is None else int(axis)


def library_of(f):
    """The library whose arrays a function takes, where that is not NumPy: "torch", "jax", "cupy", or ""."""
    for one in (f, getattr(f, "__self__", None)):  # functions of torch are methods of a class that holds them
        module = getattr(one, "__module__", None) or ""
        library = module.partition(".")[0]
        if library in _CONVERTERS:
            return library
        if library == "jaxlib":
            return "jax"
    return ""


_CONVERTERS = {"torch": ("torch", "from_numpy"), "jax": ("jax.numpy", "asarray"), "cupy": ("cupy", "asarray")}


def in_numpy(f, x=None):
    """A function of another library, its own or that of the array `x`, as one of arrays of NumPy."""
    library = library_of(f) or library_of(type(x))
    if not library:
        return f
    module, name = _CONVERTERS[library]
    make = getattr(importlib.import_module(module), name)

    def convert(array):
        made = make(array)
        if getattr(made.dtype, "itemsize", array.dtype.itemsize) != array.dtype.itemsize:  # JAX, unless it is told
            raise UnsupportedError(f"dtype={array.dtype}: {library} makes {made.dtype} of it; "
                                   "of JAX, set jax_enable_x64")
        return made

    return lambda *arrays, **keywords: _arrays.as_numpy("f(x)", f(*map(convert, arrays), **keywords))[0]


def name_of(f):
    """As --python would call it, if it can; else its name alone."""
    module, name = getattr(f, "__module__", None), getattr(f, "__name__", None)
    if not isinstance(name, str):
        return type(f).__name__
    if module != "__main__" and getattr(sys.modules.get(module), name, None) is f:
        return f"{module}:{name}"
    return name


def _format(dtype):
    if isinstance(dtype, str) and dtype in {*_arrays.FLOATS, *_FORMATS}:
        return _arrays.FLOATS.get(dtype, dtype)
    try:
        return _arrays.FLOATS[np.dtype(dtype).name]
    except (KeyError, TypeError):
        raise ValueError(f"dtype={dtype}: must be float64, float32, float16 or bfloat16") from None


def _dtype(format):
    """The dtype of a format, or of the first of several (fp16:fp32); of one that NumPy lacks float32, as of another text, which
    the program will refuse."""
    format = format.split(":")[0]
    if format != "bf16":
        return np.dtype(_FORMATS.get(format, "float32"))
    try:
        import ml_dtypes
    except ImportError:
        raise ValueError("dtype=bfloat16: needs the package ml_dtypes, which is not installed") from None
    return np.dtype(ml_dtypes.bfloat16)


def _whole(name, value):
    try:
        if not isinstance(value, (bool, np.bool_)):
            return str(int(value) if isinstance(value, float) and value.is_integer() else operator.index(value))
    except TypeError:
        pass
    raise TypeError(f"{name}: {value!r} is not a whole number")


def _as_list(name, arguments):
    """Has numbers in a text with commas."""
    value = arguments.get(name)
    if value is None or isinstance(value, str):
        return
    texts = [_whole(name, one) for one in (value if np.iterable(value) else [value])]
    arguments[name] = ",".join(texts)
    if not texts:
        del arguments[name]


def _as_range(name, arguments):
    """Has a range of numbers in the text FIRST:LAST."""
    value = arguments.get(name)
    if value is None or isinstance(value, str):
        return
    if not isinstance(value, range):
        arguments[name] = _whole(name, value)
    elif value and value.step == 1:
        arguments[name] = f"{value[0]}:{value[-1]}"
    else:
        raise ValueError(f"{name}={value}: must be a range of at least one number, in steps of 1")
