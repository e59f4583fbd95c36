"""Functions of Python made of the program's commands: a keyword for every flag, one way to call them all."""

import functools
import inspect
import numbers
import os
import re
import warnings

import numpy as np

from . import _arrays, _core
from ._errors import OrderlabWarning

# Flags that are called otherwise in Python, and flags that it has other means for.
NAMES = {"--input": "x", "--with": "y", "--from": "from_"}
OUTPUT = {"--json", "--csv", "--quiet", "--color", "--html", "--npy", "--dot", "--newick", "--order-file", "--which"}


class Parameter:
    """A flag of a command as a keyword of a function."""

    def __init__(self, flag):
        self.flag = flag["name"]
        self.name = NAMES.get(self.flag, self.flag.lstrip("-").replace("-", "_").lower())
        self.kind = flag["kind"]
        self.repeats = flag["repeats"]
        self.fallback = flag["fallback"]
        self.words = flag["words"]
        self.help = flag["help"]

    def texts(self, value):
        """The value as texts of a command line."""
        if self.kind == "toggle":
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError(f"{self.name}: must be True or False, not {value!r}")
            return [] if value else None
        if self.repeats and isinstance(value, (list, tuple)):
            return [self._text(one) for one in value]
        return [self._text(value)]

    def _text(self, value):
        if isinstance(value, (bool, np.bool_)) or value is None:
            raise TypeError(f"{self.name}: must not be {value!r}")
        if isinstance(value, numbers.Integral):
            return str(int(value))
        if isinstance(value, (float, np.floating)):
            value = float(value)
            return str(int(value)) if self.kind == "count" and value.is_integer() else repr(value)
        if isinstance(value, np.dtype) or (isinstance(value, type) and issubclass(value, np.generic)):
            return _arrays.format_name(value)
        if _arrays.is_path(value):
            return os.fspath(value)
        if isinstance(value, tuple):  # a shape, or a range
            return (":" if self.name == "range" else "x").join(str(int(one)) for one in value)
        raise TypeError(f"{self.name}: must be a number or a text, not {type(value).__name__}")

    def documented(self):
        default = f" Default: {self.fallback}." if self.fallback else ""
        kind = {"toggle": "bool", "count": "int", "fraction": "float", "file": "path"}.get(self.kind, "str")
        if self.words:
            kind = " | ".join(repr(word) for word in self.words)
        if self.repeats:
            kind = f"{kind} or list of them"
        return f"{self.name} : {kind}\n    {self.help[0].upper()}{self.help[1:]}.{default}\n"


@functools.lru_cache(maxsize=None)
def parameters(command):
    """The keywords that a command's flags give, by name."""
    flags = _core.command(command)["flags"]
    if command == "check":  # --values names a file of results there; single ones are texts of --value
        flags = [flag for flag in flags if flag["name"] != "--value"]
    elif any(flag["name"] == "--input" for flag in flags):  # a list of terms is an array
        flags = [flag for flag in flags if flag["name"] != "--values"]
    return {one.name: one for one in map(Parameter, flags) if one.flag not in OUTPUT}


_MENTIONED = re.compile(r"--([a-z][a-z-]*)(?: ((?:[^\s:,;]*[A-Z0-9(./'_|\[<][^\s:,;]*|[^\s:,;]+(?=:))))?")


def in_python(message):
    """A message of the program with keywords in place of flags: "--samples 0: must be" as "samples=0: must be"."""

    def named(match):
        name = NAMES.get(f"--{match[1]}", match[1].replace("-", "_"))
        return f"{name}={match[2]}" if match[2] else name

    return _MENTIONED.sub(named, message)


def call(command, texts, arrays=(), progress=None):
    """Runs a command: (exit status, report or None, standard output). Raises what the program would print."""
    given = [(flag, *_arrays.for_core(array)) for flag, array in arrays]
    try:
        status, report, out, err = _core.run(command, texts, given, _shown(progress))
    except (ValueError, RuntimeError) as error:
        if type(error).__module__ != "orderlab":
            raise
        raise type(error)(in_python(str(error))) from None
    for line in err.splitlines():
        if line.startswith("orderlab: "):
            warnings.warn(in_python(line.removeprefix("orderlab: ")), OrderlabWarning, stacklevel=4)
    return status, report, out


def _shown(progress):
    if progress is True:
        return _bar()
    if progress is None or progress is False or callable(progress):
        return progress or None
    raise TypeError(f"progress: must be True, or a function of (stage, done, total, fraction), not {progress!r}")


def _bar():
    """A bar of tqdm where that is installed; else nothing."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    bars = {}

    def show(stage, done, total, fraction):
        bar = bars.get(stage)
        if bar is None:
            for other in bars.values():
                other.close()
            bar = bars[stage] = tqdm(total=total, desc=stage, leave=False)
        bar.update(done - bar.n)

    return show


_PROGRESS = """progress : bool or callable
    True for a bar of tqdm, where that is installed; or a function, which is called as
    progress(stage, done, total, fraction) on the calling thread, at most ten times a second.
"""


def command(name=None, *, leading=(), extra=()):
    """Decorates a function of (arguments: dict) as the function of a command.

    The new function takes the parameters `leading` by position, and all that the command's flags give by keyword;
    `extra` are more keywords, each with its documentation.
    """

    def decorated(function):
        called = name or function.__name__
        known = parameters(called)
        extras = dict(extra)
        keywords = [one for one in {**known, **extras} if one not in leading]
        optional = [inspect.Parameter(one, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None) for one in leading]
        by_name = [inspect.Parameter(one, inspect.Parameter.KEYWORD_ONLY, default=None) for one in keywords]
        progress = inspect.Parameter("progress", inspect.Parameter.KEYWORD_ONLY, default=None)
        returns = function.__annotations__.get("return", inspect.Signature.empty)
        signature = inspect.Signature([*optional, *by_name, progress], return_annotation=returns)

        @functools.wraps(function)
        def run(*args, **kwargs):
            try:
                bound = signature.bind(*args, **kwargs)
            except TypeError as error:
                raise TypeError(f"{function.__name__}() {error}") from None
            return function({key: value for key, value in bound.arguments.items() if value is not None})

        del run.__wrapped__
        run.__signature__ = signature
        run.__annotations__ = {"return": returns} if returns is not inspect.Signature.empty else {}
        texts = [extras[one] if one in extras else known[one].documented() for one in [*leading, *keywords]]
        head = inspect.cleandoc(function.__doc__)
        summary, _, rest = head.partition("\n\n")
        body = "Parameters\n----------\n" + "".join(texts) + _PROGRESS
        run.__doc__ = f"{summary}\n\n{body}\n{rest}" if rest else f"{summary}\n\n{body}"
        return run

    return decorated
