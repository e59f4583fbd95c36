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
HEAD = '''# Made by src/python/make_function_stubs.py when the package was built.
'''


def functions():
    lines = [HEAD + '''from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias

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
        known = _calls.parameters(name)
        parts, keyword = [], False
        for parameter in function.__signature__.parameters.values():
            if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not keyword:
                keyword = True
                parts.append("*")
            kind = LEADING.get(parameter.name) or known[parameter.name].annotation
            parts.append(f"{parameter.name}: {kind} = {parameter.default!r}")
        returns = inspect.formatannotation(function.__annotations__.get("return", Any))
        returns = re.sub(r"orderlab\.(results|_documents)\.", "results.", returns).replace("typing.", "")
        body = "\n".join(f"    {line}".rstrip() for line in function.__doc__.splitlines())
        lines.append(f"\ndef {name}(\n" + "".join(f"    {part},\n" for part in parts) + f") -> {returns}:\n"
                     f'    r"""{body.strip()}\n    """\n')
    return "".join(lines)


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
