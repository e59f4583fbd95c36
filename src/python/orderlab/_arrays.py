"""Arrays of every library as commands take them: C order, aligned, native byte order. What is so already is not
copied."""

import functools
import os
import sys
import warnings
from typing import NamedTuple

import numpy as np

from ._errors import OrderlabWarning, frames_within

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

_ON_THE_CPU = (1, 3, 11, 13)  # devices of DLPack whose memory NumPy reads: CPU, and memory of the host that a GPU sees


class Given(NamedTuple):
    """An array as orderlab._core takes it. Numbers of bf16 are their bits, those of 8 bits are held as float16."""

    array: np.ndarray
    format: str  # "" for integers


    def floats(self):
        """The numbers with a dtype of NumPy."""
        return (self.array.astype(np.uint32) << 16).view(np.float32) if self.format == "bf16" else self.array


def is_path(value):
    return isinstance(value, (str, os.PathLike))


def format_name(value):
    """A format as text: a name stays, a dtype or a type of NumPy or torch gives its own; longdouble is fp80 where it is
    x87's."""
    if isinstance(value, str):
        return value
    if _library(value) == "torch":
        return str(value).removeprefix("torch.")
    extended = np.dtype(value) == np.longdouble and np.finfo(np.longdouble).nmant == 63
    return "fp80" if extended else np.dtype(value).name


@functools.lru_cache(maxsize=64)
def _format_of_dtype(dtype):
    """The format of a dtype, or None. NumPy takes longer to make its name than a sum takes."""
    return FLOATS.get(dtype.name)


def is_bfloat16(array):
    return array.dtype.name == "bfloat16"  # ml_dtypes has it, which is not needed


def _library(value):
    """The library of an object's type: "torch", "pandas", "jaxlib", ..."""
    return type(value).__module__.partition(".")[0]


def as_numpy(name, value):
    """An array of any library as one of NumPy, where it lies if that is possible, and the format of its numbers if that
    is not its dtype. Arrays of an accelerator are copied, with a warning. TypeError, ValueError."""
    if isinstance(value, np.ndarray):
        return value, None
    if _library(value) == "torch":
        return _of_torch(name, value)
    _refuse_missing(name, value)
    on_device = hasattr(value, "__cuda_array_interface__") or _device(value) not in (None, *_ON_THE_CPU)
    if on_device:
        _tell_of_copy(name, value)
        copied = value.to_numpy() if hasattr(value, "to_numpy") else value.get() if hasattr(value, "get") else value
        return np.asarray(copied), None  # cuDF has the first, CuPy the second, JAX __array__ that copies
    nullable = getattr(getattr(value, "dtype", None), "numpy_dtype", None)  # Float32 of pandas: an array of objects
    if nullable is not None and hasattr(value, "to_numpy"):
        return value.to_numpy(dtype=nullable), None
    if any(hasattr(value, one) for one in ("__array__", "__array_interface__", "__array_struct__")):
        return np.asarray(value), None
    if hasattr(value, "__dlpack__"):
        try:
            return np.from_dlpack(value), None
        except (BufferError, RuntimeError, TypeError) as error:
            raise TypeError(f"{name}: cannot be read by DLPack ({error}); convert it to an array of NumPy") from None
    return np.asarray(value), None


def _device(value):
    """The kind of device that DLPack says; None where it says none."""
    return int(value.__dlpack_device__()[0]) if hasattr(value, "__dlpack_device__") else None


def _tell_of_copy(name, value):
    warnings.warn(f"{name}: the {type(value).__name__} was copied from its device to the host", OrderlabWarning,
                  stacklevel=frames_within())


def _refuse_missing(name, value):
    """ValueError for a column with missing values, which are not numbers."""
    missing = getattr(value, "null_count", 0)  # of polars a function, of pyarrow a number
    missing = missing() if callable(missing) else missing
    if hasattr(missing, "row"):  # of a DataFrame of polars: a frame with one row
        missing = sum(missing.row(0))
    if not missing and hasattr(getattr(value, "dtype", None), "numpy_dtype"):
        missing = int(value.isna().sum())
    if isinstance(missing, int) and missing:
        raise ValueError(f"{name}: has {missing} missing values; leave them out, as .dropna() or .drop_nulls() does")


def _of_torch(name, tensor):
    """A tensor. NumPy has no bfloat16 and no float8 of its own."""
    torch = sys.modules["torch"]  # a tensor is one of its types, or of what builds on it
    if not isinstance(tensor, torch.Tensor):
        return np.asarray(tensor), None
    if tensor.device.type != "cpu":
        _tell_of_copy(name, tensor)
    tensor = tensor.detach().cpu()
    format = FLOATS.get(format_name(tensor.dtype))
    if format == "bf16":
        return tensor.contiguous().view(torch.int16).numpy().view(np.uint16), format
    if format in ("e4m3", "e5m2"):
        return tensor.to(torch.float16).numpy(), format
    return tensor.numpy(), None


def format_of(value):
    """The format of an array's numbers; None where it has none."""
    if value is None or is_path(value):
        return None
    if isinstance(value, Given):
        return value.format or None
    if _library(value) == "torch" and hasattr(value, "dtype"):
        return FLOATS.get(format_name(value.dtype))
    dtype = getattr(value, "dtype", None)
    return _format_of_dtype(dtype if isinstance(dtype, np.dtype) else as_numpy("x", value)[0].dtype)


def _plain(name, value):
    """`value` as an array that holds numbers, and their format if that is not its dtype. TypeError, ValueError."""
    if np.ma.isMaskedArray(value):
        raise TypeError(f"{name}: is a masked array; give .compressed(), or .filled(0)")
    try:
        array, format = as_numpy(name, value)
    except ValueError as error:  # lists of different lengths
        if str(error).startswith(f"{name}: "):
            raise
        raise ValueError(f"{name}: is not an array of numbers ({error})") from None
    if array.dtype == object:
        raise TypeError(f"{name}: holds Python objects; convert it with np.asarray({name}, dtype=np.float64)")
    if array.ndim == 0:
        raise ValueError(f"{name}: is one number, not an array of them; give [{name}] for an array of one")
    if array.size == 0:
        raise ValueError(f"{name}: is empty (shape {array.shape}); give at least 1 number")
    return array, format


def _as_given(array):
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    flags = array.flags
    return array if flags.c_contiguous and flags.aligned else np.require(array, requirements=["C", "A"])


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
    if isinstance(value, Given):
        return value
    array, format = _plain(name, value)
    if isinstance(value, (list, tuple)) and array.dtype.kind == "i":
        array = exact_floats(name, array)
    format = format or _format_of_dtype(array.dtype)
    if format is None:
        known = "float16, float32 or float64"
        raise TypeError(f"{name}: holds {array.dtype}, not {known}; convert it with .astype(np.float64)")
    array = _as_given(array)
    if format == "bf16":
        array = array.view(np.uint16)
    elif array.dtype.itemsize == 1:
        array = array.astype(np.float16)
    return Given(array, format)


def results(name, value):
    """Results of runs, one or several."""
    array, format = as_numpy(name, value)
    if format:
        return Given(_as_given(np.atleast_1d(array)), format)
    return numbers(name, np.atleast_1d(array) if array.ndim == 0 else value)


def integers(name, value):
    """An array of int64."""
    if isinstance(value, Given):
        return value
    array, _ = _plain(name, value)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name}: holds {array.dtype}, not integers; convert it with .astype(np.int64)")
    if array.dtype.kind == "u" and array.dtype.itemsize == 8 and array.max() > np.uint64(2**63 - 1):
        raise ValueError(f"{name}: holds {array.max()}, beyond 2^63 - 1, the largest index")
    return Given(_as_given(array.astype(np.int64, copy=False)), "")


READERS = {"x": numbers, "y": numbers, "initial": numbers, "actual": numbers, "index": integers, "weights": numbers}
"""Keywords of functions that arrays may be given to in place of files, with what reads them."""


def read_arrays(arguments):
    """Has each array of the arguments as it is given to _core."""
    for name, read in READERS.items():
        if name in arguments and not is_path(arguments[name]):
            arguments[name] = read(name, arguments[name])
