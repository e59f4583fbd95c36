"""The floating-point environment: round to nearest, with subnormal numbers and without traps, whatever the process has. A
library that is linked with -ffast-math changes that of whoever loads it; then json reads 1e-310 as 0."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

from . import _core

_F = TypeVar("_F", bound=Callable[..., Any])


def computes(function: _F) -> _F:
    """Decorates a function that computes, or reads or prints numbers. Callables of the caller that _core calls have the
    caller's environment."""

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        with _core.FloatEnvironment():
            return function(*args, **kwargs)

    return cast(_F, run)
