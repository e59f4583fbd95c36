#!/usr/bin/env python3
"""Prints stubs of the Python package as its commands make it: the functions with the keywords of their flags.

usage: make_function_stubs.py functions > orderlab/_functions.pyi
       make_function_stubs.py names > orderlab/__init__.pyi

The build does that. Needs the package, whose module has the table of commands, on PYTHONPATH.
"""

import inspect
import re
import sys
from typing import Any
from unittest import mock

sys.path.pop(0)  # this folder, where the package has no module of C++
sys.modules["numpy"] = mock.MagicMock()  # nothing is computed here, and who builds the package may have none

import orderlab
from orderlab import _calls, _functions

LEADING = {"x": "Terms | Path | None", "order": "str | Sequence[str] | None", "axis": "int | str | None",
           "executor": "Executor | None", "parts": "int | None",
           "accumulate": "str | DTypeLike | None", "result": "str | DTypeLike | None", "keep_results": "bool | None",
           "f": "Callable[..., object] | str | Sequence[Path] | None", "dtype": "DTypeLike | None",
           "sizes": "int | Sequence[int] | str | None", "offsets": "int | range | str | None",
           "box_threads": "int | Sequence[int] | str | None", "dot": "bool | None",
           "expect": "str | None", "time_limit": "float | str | None",
           "values": "Terms | str | Path | None", "matrix": "Any", "a": "ArrayLike | Path | None",
           "b": "ArrayLike | Path | None", "format": "str | DTypeLike | None",
           "progress": "bool | Callable[[str, int, int, float], object] | None", "config": "Path | None",
           "store": "Path | None", "stores": "Path | Sequence[Path] | None", "db": "Path | None",
           "output": "Path | None"}
_NONE = "None = None"
_ONE_SUM = {"op": _NONE, "axis": 'Literal["all"] | None = None'}
_BY_GROUP = ({"by": "str"}, "results.Groups")


def _of_operations(kind):
    return [({"op": "str"}, kind), ({"op": _NONE, "axis": "int"}, kind)]


def _without_groups(*overloads):
    return [({"by": _NONE, **given}, kind) for given, kind in overloads]


# What functions return, by what they are given, where that decides it: types of some parameters, with their defaults
# where they need not be given. The first that fits counts.
OVERLOADS = {
    "sample": [_BY_GROUP, *_without_groups(*_of_operations("results.OperationSample"),
                                           ({**_ONE_SUM, "order": "str | None = None"}, "results.Sample"),
                                           ({**_ONE_SUM, "order": "Sequence[str] = ..."},
                                            "results.Sample | results.SampledOrders"))],
    "enumerate": [_BY_GROUP, *_without_groups(*_of_operations("results.OperationEnumeration"),
                                              (_ONE_SUM, "results.Enumeration"))],
    "sum": [*_of_operations("results.OperationSum"), (_ONE_SUM, "results.Sum")],
    "check": [_BY_GROUP, *_without_groups(*_of_operations("results.OperationCheck"),
                                          ({**_ONE_SUM, "against": "str"}, "results.DifferenceCheck"),
                                          ({**_ONE_SUM, "against": _NONE, "order": 'Literal["any"] = ...'},
                                           "results.OrderCheck"),
                                          ({**_ONE_SUM, "against": _NONE}, "results.Check"))],
    "tolerance": [_BY_GROUP, *_without_groups(*_of_operations("results.OperationTolerance"),
                                              (_ONE_SUM, "results.Tolerance"))],
    "solve": [({"shard": "str"}, "str"), ({"shard": _NONE}, "results.Solve")],
    "train": [({"shard": "str"}, "str"), ({"shard": _NONE}, "results.Training")],
    "infer": [({"model": "str | PathLike[str]"}, "results.ModelRuns"), ({"model": _NONE}, "results.Flips")],
    "fit": [({"op": "str"}, "results.OperationFit"), ({"op": _NONE}, "results.Fit")],
    "probe": [({"fused": "Literal[True]"}, "results.FusedProbe"),
              ({"fused": "Literal[False] | None = False"}, "results.Probe"),
              ({"fused": "bool"}, "results.Probe | results.FusedProbe")],
    "merge": [({"counts": "Path"}, "results.Sample | results.SampledOrders"), ({"counts": _NONE}, "str")],
}
HEAD = '''# Made by src/python/make_function_stubs.py when the package was built.
'''


def functions():
    lines = [HEAD + '''from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, overload

from numpy.typing import ArrayLike, DTypeLike

from . import results

Path: TypeAlias = str | PathLike[str]


class SupportsDLPack(Protocol):
    """An array of a library that has DLPack: torch, JAX, CuPy."""

    def __dlpack__(self, *, stream: Any = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...


class SupportsArrayInterface(Protocol):
    """An array that says where its numbers lie."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


class Executor(Protocol):
    """An executor of concurrent.futures, of mpi4py.futures, or a client of Dask."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any: ...


Terms: TypeAlias = ArrayLike | SupportsDLPack | SupportsArrayInterface
''']
    for name, function in vars(_functions).items():
        if not hasattr(function, "__signature__"):
            continue
        returns = inspect.formatannotation(function.__annotations__.get("return", Any))
        returns = re.sub(r"orderlab\.(results|_documents)\.", "results.", returns).replace("typing.", "")
        body = "\n".join(f"    {line}".rstrip() for line in function.__doc__.splitlines())
        *overloads, last = OVERLOADS.get(name, [({}, returns)])
        marked = "@overload\n" if overloads else ""
        for given, kind in overloads:
            word = given.get("order", "").startswith("Literal")  # one of the texts that another overload takes
            lines.append(f"\n{marked}def {name}({'  # type: ignore' if word else ''}\n"
                         f"{parameters(function, given)}) -> {kind}: ...\n")
        lines.append(f"\n{marked}def {name}(\n{parameters(function, last[0])}) -> {last[1]}:\n"
                     f'    r"""{body.strip()}\n    """\n')
    return "".join(lines)


def parameters(function, given):
    """The parameters of a function, a line each; `given` has types and defaults of some."""
    known = _calls.parameters(function.__name__)
    unknown = given.keys() - function.__signature__.parameters.keys()
    if unknown:
        sys.exit(f"{function.__name__} has no parameter {unknown}")
    parts, keyword = [], False
    for parameter in function.__signature__.parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keyword:
            keyword = True
            parts.append("*")
        kind = LEADING.get(parameter.name) or known[parameter.name].annotation
        parts.append(f"{parameter.name}: {given.get(parameter.name, f'{kind} = {parameter.default!r}')}")
    return "".join(f"    {part},\n" for part in parts)


def names():
    lines = [HEAD]
    lines.append(f"from . import {', '.join(f'{name} as {name}' for name in orderlab._SUBMODULES)}\n")
    for module, its in orderlab._MODULES.items():
        lines += [f"from .{module} import {name} as {name}\n" for name in its]
    return "".join(lines) + "\n__version__: str\nbits_version: int\n"


if __name__ == "__main__":
    made = {"functions": functions, "names": names}.get(sys.argv[1] if len(sys.argv) == 2 else "")
    if made is None:
        sys.exit(__doc__)
    sys.stdout.write(made())
