"""The floating-point environment: round to nearest, with subnormal numbers and without traps, whatever the process has. A
library that is linked with -ffast-math changes that of whoever loads it; then json reads 1e-310 as 0."""

import functools

from . import _core


def computes(function):
    """Decorates a function that computes, or reads or prints numbers. Callables of the caller that _core calls have the
    caller's environment."""

    @functools.wraps(function)
    def run(*args, **kwargs):
        with _core.FloatEnvironment():
            return function(*args, **kwargs)

    return run
