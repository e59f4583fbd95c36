"""Arrays as commands take them: C order, aligned, native byte order. What is so already is not copied."""

import os

import numpy as np

FLOATS = {
    "float64": "fp64",
    "float32": "fp32",
    "float16": "fp16",
    "bfloat16": "bf16",
    "float8_e4m3fn": "e4m3",
    "float8_e5m2": "e5m2",
}
"""Formats of terms, by the name of the dtype."""

OF_TERMS_ALONE = ("tf32", "e4m3", "e5m2")
"""Formats that partial sums cannot have: they are fp32 unless said."""


def is_path(value):
    return isinstance(value, (str, os.PathLike))


def format_name(value):
    """A format as text: a name stays, a dtype or a type of NumPy gives its own; longdouble is fp80 where it is x87's."""
    if isinstance(value, str):
        return value
    extended = np.dtype(value) == np.longdouble and np.finfo(np.longdouble).nmant == 63
    return "fp80" if extended else np.dtype(value).name


def is_bfloat16(array):
    return array.dtype.name == "bfloat16"  # ml_dtypes has it, which is not needed


def _plain(name, value):
    """`value` as an array that holds numbers. TypeError, ValueError."""
    if np.ma.isMaskedArray(value):
        raise TypeError(f"{name}: is a masked array; give .compressed(), or .filled(0)")
    try:
        array = np.asarray(value)
    except ValueError as error:  # lists of different lengths
        raise ValueError(f"{name}: is not an array of numbers ({error})") from None
    if array.dtype == object:
        raise TypeError(f"{name}: holds Python objects; convert it with np.asarray({name}, dtype=np.float64)")
    if array.ndim == 0:
        raise ValueError(f"{name}: is one number, not an array of them; give [{name}] for an array of one")
    if array.size == 0:
        raise ValueError(f"{name}: is empty (shape {array.shape}); give at least 1 number")
    return array


def _as_given(array):
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    return np.require(array, requirements=["C", "A"])


def exact_floats(name, integers):
    """Integers as float64. ValueError for one that is not exact there."""
    floats = integers.astype(np.float64)
    with np.errstate(invalid="ignore"):
        inexact = (floats >= 2.0**63) | (floats.astype(integers.dtype) != integers)
    if inexact.any():
        raise ValueError(f"{name}: {integers[inexact].flat[0]} is not exact in float64")
    return floats


def numbers(name, value):
    """An array of a dtype of FLOATS, where it lies if that is possible. Whole numbers of a list become
    float64."""
    array = _plain(name, value)
    if isinstance(value, (list, tuple)) and array.dtype.kind == "i":
        array = exact_floats(name, array)
    if array.dtype.name not in FLOATS:
        known = "float16, float32 or float64"
        raise TypeError(f"{name}: holds {array.dtype}, not {known}; convert it with .astype(np.float64)")
    return _as_given(array)


def integers(name, value):
    """An array of int64."""
    array = _plain(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: holds {array.dtype}, not integers; convert it with .astype(np.int64)")
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max() > np.uint64(2**63 - 1):
        raise ValueError(f"{name}: holds {array.max()}, beyond 2^63 - 1, the largest index")
    return _as_given(array.astype(np.int64, copy=False))


def for_core(array):
    """The array as orderlab._core takes it, and its format: "" for integers. Numbers of 8 bits are held as float16."""
    form = FLOATS.get(array.dtype.name, "")
    if is_bfloat16(array):
        return array.view(np.uint16), form
    return (array.astype(np.float16) if array.dtype.itemsize == 1 and form else array), form
