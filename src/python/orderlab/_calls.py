"""Functions of Python made of the program's commands: a keyword for every flag, one way to call them all."""

import functools
import inspect
import numbers
import operator
import os
import re
import sys
import warnings

import numpy as np

from . import _arrays, _core, _parts
from ._environment import computes
from ._errors import OrderlabWarning, frames_within

# Flags that are called otherwise in Python, and flags that it has other means for.
NAMES = {"--input": "x", "--with": "y", "--self": "initial"}
ARRAYS = {*_arrays.READERS, "rhs", "file"}  # that may be given in place of files
OUTPUT = {"--list", "--json", "--csv", "--quiet", "--color", "--html", "--npy", "--dot", "--newick", "--order-file",
          "--which"}


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
        if isinstance(value, (np.dtype, type)) and self.name == "format":
            return _arrays.format_name(value)
        if _arrays.is_path(value):
            if self.kind == "file" and os.fspath(value).split("::")[0] == "-":
                raise ValueError(f"{self.name}=-: standard input is for the command line; give an array or a file")
            return os.fspath(value)
        if isinstance(value, (tuple, list)) and self.name in ("shape", "range"):
            return (":" if self.name == "range" else "x").join(str(operator.index(one)) for one in value)
        if isinstance(value, (tuple, list)):
            raise TypeError(f"{self.name}: takes one value, not a {type(value).__name__} of them")
        raise TypeError(f"{self.name}: must be a number or a text, not {type(value).__name__}")

    def documented(self):
        default = f" Default: {self.fallback}." if self.fallback else ""
        kind = {"toggle": "bool", "count": "int", "fraction": "float", "file": "path"}.get(self.kind, "str")
        if self.name in ARRAYS:
            kind = "array or path"
        if self.words:
            kind = " or ".join(repr(word) for word in self.words)
        if self.repeats:
            kind = f"{kind} or list of them"
        return f"{self.name} : {kind}\n    {in_python(self.help)}.{default}\n"

    @property
    def default(self):
        """The value that leaving the keyword out means, as a caller would write it; None where that is not a single value."""
        if self.kind == "toggle":
            return False
        if not self.fallback or " " in self.fallback:
            return None
        for read in (int, float, _power_of_two):
            try:
                return read(self.fallback)
            except ValueError:
                pass
        return self.fallback

    @property
    def annotation(self):
        """The type of a value, for stubs."""
        if self.words:
            one = f"Literal[{', '.join(repr(word) for word in self.words)}]"
        elif self.name in ARRAYS:
            one = "Terms | Path"
        else:
            kinds = {"toggle": "bool", "count": "int | float | str", "fraction": "float | str", "file": "Path"}
            one = kinds.get(self.kind, "str | float | tuple[int, ...]")
        return f"{one} | Sequence[{one}] | None" if self.repeats else f"{one} | None"


def _power_of_two(text):
    base, _, exponent = text.partition("^")
    if base != "2":
        raise ValueError
    return 2 ** int(exponent)


@functools.lru_cache(maxsize=None)
def parameters(command):
    """The keywords that a command's flags give, by name."""
    flags = _core.command(command)["flags"]
    if command == "check":  # --values names a file of results there; single ones are texts of --value
        flags = [flag for flag in flags if flag["name"] != "--value"]
    elif any(flag["name"] == "--input" for flag in flags):  # a list of terms is an array
        flags = [flag for flag in flags if flag["name"] != "--values"]
    return {one.name: one for one in map(Parameter, flags) if one.flag not in OUTPUT}


# Words that may follow the name of a flag in a sentence; another word there is its value.
_ENGLISH = {"a", "alone", "and", "are", "as", "at", "beside", "by", "draws", "for", "from", "gives", "has", "in", "instead",
            "is", "it", "itself", "must", "need", "needs", "not", "of", "once", "or", "says", "takes", "than", "that",
            "to", "which", "with"}
_MENTIONED = re.compile(r"(?<![\w/.-])(--[a-z][a-z-]*)(?: ([^\s;,]*[^\s;,:]))?")


@functools.lru_cache(maxsize=None)
def _all_flags():
    return {flag["name"] for name in _core.command_names() for flag in _core.command(name)["flags"]}


def in_python(text):
    """A text of the program in words of Python: "--samples 0: must be" as "samples=0: must be"."""

    def named(match):
        flag, value = match[1], match[2]
        if flag not in _all_flags():
            return match[0]
        name = NAMES.get(flag, flag[2:].replace("-", "_"))
        if value is None:
            return name
        return f"{name} {value}" if value in _ENGLISH else f"{name}={value}"

    text = _MENTIONED.sub(named, text)
    text = re.sub(r"\b(\w+)=an array\b", r"\1", text)
    text = re.sub(r"`orderlab list (\w+)`", r'orderlab.list("\1")', text)
    return re.sub(r",? or - for (text on )?(standard input|stdin)", "", text)


class PartDrawn(Exception):
    """(range, what it is of, bytes): raised by a call that draws a part for others, in place of an answer."""


class DrawsMissing(Exception):
    """(range, what it is of): raised in place of an answer, which needs draws that others have to make."""


def call(command, texts, arrays=(), progress=None, box=None, divided=None):
    """Runs a command: (exit status, report or None, standard output). Raises what the program would print.

    `box` is the black box of `probe` if that is a function of Python: (function, name, dtype, whether it takes two arrays,
    axis or None). It is called on this thread, and what it raises is raised as it is.
    `divided`: what this process draws of samples that several share, (a range or None, [(range, bytes of others)])."""
    given = [(flag, *array) for flag, array in arrays]
    texts = [(flag, [os.fsencode(text) for text in values]) for flag, values in texts]
    shown = _shown(progress)
    try:
        status, report, out, err, draws = _core.run(command, texts, given, shown, box, divided)
    except (ValueError, RuntimeError) as error:
        if type(error).__module__ != "orderlab" or error.__traceback__.tb_next is not None:  # the caller's raised it
            raise
        raise type(error)(in_python(str(error))) from None
    finally:
        if isinstance(shown, _Bar):
            shown.close()
    if draws is not None:
        raise DrawsMissing(*draws[:2]) if draws[2] is None else PartDrawn(*draws)
    for line in err.splitlines():
        if line.startswith("orderlab: "):
            warnings.warn(in_python(line.removeprefix("orderlab: ")), OrderlabWarning, stacklevel=frames_within())
    return status, report, out


def _shown(progress):
    if progress is True:
        return _Bar()
    if progress is None or progress is False or callable(progress):
        return progress or None
    raise TypeError(f"progress: must be True, or a function of (stage, done, total, fraction), not {progress!r}")


class _Bar:
    """A bar for the stage that runs: that of tqdm where it is installed, else a line on standard error."""

    def __init__(self):
        try:
            from tqdm.auto import tqdm
        except ImportError:
            tqdm = _Line
        self._make, self._stage, self._bar = tqdm, None, None

    def __call__(self, stage, done, total, fraction):
        if stage != self._stage:
            self.close()
            self._stage, self._bar = stage, self._make(total=total, desc=stage, leave=False)
        self._bar.update(done - self._bar.n)

    def close(self):
        if self._bar is not None:
            self._bar.close()
        self._stage = self._bar = None


class _Line:
    """What _Bar needs of tqdm. A carriage return begins the line again, in terminals and in notebooks."""

    def __init__(self, total, desc, leave):
        self.n, self._total, self._stage = 0, total, desc

    def update(self, more):
        self.n += more
        bar = "#" * round(30 * self.n / self._total) if self._total else ""
        self._write(f"{self._stage}: [{bar:30}] {self.n} of {self._total}")

    def close(self):
        self._write("")

    def _write(self, text):
        sys.stderr.write(f"\r{text:79}\r{text}")
        sys.stderr.flush()


_PROGRESS = """progress : bool or callable
    True for a bar, of tqdm where that is installed; or a function, which is called as
    progress(stage, done, total, fraction) on the calling thread, at most ten times a second.
"""


def command(*, leading=(), extra=(), keeps=None, draws=False):
    """Decorates a function of (arguments: dict) as the function of a command.

    The new function takes the parameters `leading` by position, and all that the command's flags give by keyword;
    `extra` are more keywords, each with its documentation. `keeps` is the keyword for a file in which the command keeps
    parts of its work that merge exactly, and `draws` says that others can draw its samples: with either it takes an
    executor too.
    """

    def decorated(function):
        name, shares = function.__name__, draws or keeps is not None
        known = parameters(name)
        extras = {**dict(extra), **(_parts.KEYWORDS if shares else {})}
        keywords = [one for one in {**known, **extras} if one not in leading]
        defaults = {one: parameter.default for one, parameter in known.items()}
        by_place, by_name = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        described = [inspect.Parameter(one, kind, default=defaults.get(one))
                     for kind, ones in ((by_place, leading), (by_name, [*keywords, "progress"])) for one in ones]
        returns = function.__annotations__.get("return", inspect.Signature.empty)
        returns = eval(returns, function.__globals__) if isinstance(returns, str) else returns
        signature = inspect.Signature(described, return_annotation=returns)
        names = frozenset(signature.parameters)

        @functools.wraps(function)
        @computes
        def run(*args, **kwargs):
            arguments = dict(zip(leading, args))
            if len(args) > len(leading) or not names >= kwargs.keys() or arguments.keys() & kwargs.keys():
                try:
                    signature.bind(*args, **kwargs)
                except TypeError as error:
                    why = _parts.no_parts(name) if "executor" in kwargs and not shares else error
                    raise TypeError(f"{name}() {why}") from None
            arguments.update(kwargs)
            arguments = {key: value for key, value in arguments.items() if value is not None}
            _arrays.read_arrays(arguments)
            if shares and "executor" in arguments:
                return _parts.in_parts(run, name, keeps, arguments)
            if shares and "parts" in arguments:
                raise ValueError("parts: is of work that an executor does; give executor")
            return function(arguments)

        del run.__wrapped__
        run.of_read = computes(function)  # of a dict of arguments whose arrays are read
        run.__signature__ = signature
        run.__annotations__ = {"return": returns} if returns is not inspect.Signature.empty else {}
        texts = [extras[one] if one in extras else known[one].documented() for one in [*leading, *keywords]]
        head = inspect.cleandoc(function.__doc__)
        summary, _, rest = head.partition("\n\n")
        body = "Parameters\n----------\n" + "".join(texts) + _PROGRESS
        run.__doc__ = f"{summary}\n\n{body}\n{rest}" if rest else f"{summary}\n\n{body}"
        return run

    return decorated
