"""Calls a function of Python for a box of orderlab, which runs this with `python3 -c` and talks to it.

Arguments: MODULE FUNCTION FORMAT N OFFSET AXIS PRODUCTS, the last two "-" where there is none. Descriptor 3 is the memory
that both share, laid out as src/box/served_box.hpp says; descriptor 4 brings a byte a call and takes the answers.
"""

import importlib
import mmap
import os
import struct
import sys

HEADER, TOGETHER, PAGE = 4096, 64, 4096
CHANGED = 8 * TOGETHER  # where the header says that an input was changed
LOOKS = 100  # calls whose inputs are compared: a comparison can take longer than a sum
WITH_LISTS = ("builtins", "math", "statistics")  # modules whose functions take any iterable
WITH_TENSORS = "torch"  # the module whose functions take no arrays of numpy
CODES = {"fp64": "d", "fp32": "f", "fp16": "e", "bf16": "H"}


class Problem(Exception):
    """Why there is no answer."""


def in_one_line(error):
    return f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")


def find(module, function):
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name and f"{module}.".startswith(f"{error.name}."):
            raise Problem(f"{sys.executable} has no module {error.name}; "
                          "ORDERLAB_PYTHON names another interpreter") from None
        raise Problem(f"cannot be imported: {in_one_line(error)}") from None
    except Exception as error:
        raise Problem(f"cannot be imported: {in_one_line(error)}") from None
    for name in function.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            raise Problem(f"no function {function} in {module}") from None
    if not callable(found):
        raise Problem(f"{function} of {module} is not a function")
    return found


def lists(memory, starts, code, count):
    """Makes the arguments of a call: lists of Python's floats."""
    def numbers(start):
        values = struct.unpack_from(f"={count}{code}", memory, start)
        if code == "H":
            values = struct.unpack(f"={count}f", struct.pack(f"={count}I", *(bits << 16 for bits in values)))
        return list(values)

    def arguments():
        given = [numbers(start) for start in starts]
        copies = [list(x) for x in given]  # same objects: even a NaN equals itself
        return given, lambda: given != copies
    return arguments


def arrays(memory, starts, form, shape, offset, tensors):
    """Makes the arguments of a call: arrays, or tensors of the same memory, `offset` elements behind a page's begin."""
    try:
        import numpy
    except ImportError as error:
        raise Problem(f"{sys.executable} has no numpy: {in_one_line(error)}") from None
    if form == "bf16" and tensors:
        dtype = "i2"  # as torch shall look at it
    elif form == "bf16":
        try:
            from ml_dtypes import bfloat16 as dtype
        except ImportError:
            raise Problem(f"bf16 needs the package ml_dtypes, which {sys.executable} does not have") from None
    else:
        dtype = {"fp64": "f8", "fp32": "f4", "fp16": "f2"}[form]
    dtype = numpy.dtype(dtype)
    size = dtype.itemsize * int(numpy.prod(shape))

    def work():
        room = numpy.empty(size + offset * dtype.itemsize + PAGE, numpy.uint8)
        begin = -room.ctypes.data % PAGE + offset * dtype.itemsize
        return room[begin:begin + size]

    shared = [numpy.frombuffer(memory, numpy.uint8, size, start) for start in starts]
    bytes_of = [work() for _ in starts]
    views = [x.view(dtype).reshape(shape) for x in bytes_of]
    if tensors:
        import torch
        views = [torch.from_numpy(x) for x in views]
        if form == "bf16":
            views = [x.view(torch.bfloat16) for x in views]

    def arguments():
        for to, source in zip(bytes_of, shared):
            to[:] = source
        return views, lambda: not all(map(numpy.array_equal, bytes_of, shared))
    return arguments


def numbers_of(result, axis):
    if axis is None:
        return [float(result)]
    results = [float(x) for x in result]
    if len(results) != TOGETHER:
        raise Problem(f"answered {len(results)} numbers along axis {axis}; {TOGETHER} are needed")
    return results


def main():
    module, function, form, n, offset, axis, products = sys.argv[1:]
    n, axis = int(n), None if axis == "-" else int(axis)
    size = n * struct.calcsize(CODES[form]) * (1 if axis is None else TOGETHER)
    starts = [HEADER] if products == "-" else [HEADER, -(-(HEADER + size) // PAGE) * PAGE]
    memory = mmap.mmap(3, 0)
    called = find(module, function)
    if module in WITH_LISTS:
        arguments = lists(memory, starts, CODES[form], n)
    else:
        shape = {None: (n,), 0: (n, TOGETHER), 1: (TOGETHER, n)}[axis]
        tensors = module.split(".")[0] == WITH_TENSORS
        arguments = arrays(memory, starts, form, shape, int(offset), tensors)
    keywords = {} if axis is None else {"axis": axis}
    os.write(4, b"d")
    calls = 0
    while os.read(4, 1):
        given, changed = arguments()
        try:
            results = numbers_of(called(*given, **keywords), axis)
        except Problem:
            raise
        except Exception as error:
            raise Problem(f"raised {in_one_line(error)}") from None
        struct.pack_into(f"={len(results)}d", memory, 0, *results)
        calls += 1
        if calls <= LOOKS and changed():
            struct.pack_into("=Q", memory, CHANGED, 1)
        os.write(4, b"d")


try:
    main()
except Problem as problem:
    os.write(4, b"p" + str(problem).encode("utf-8", "replace")[:4000])
    os._exit(1)
