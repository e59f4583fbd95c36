"""The exceptions and warnings of orderlab."""

import sys


class Error(Exception):
    """What orderlab cannot do. One line: what was asked, what is wrong, what would be right."""


class UsageError(Error, ValueError):
    """A wrong argument: an unknown name, a count out of range."""


class InputError(Error, ValueError):
    """A file or an array that cannot be read as what it should be."""


class UnsupportedError(Error, RuntimeError):
    """Well formed, but more than this version or this machine can do."""


class DeviceError(Error, RuntimeError):
    """An accelerator failed."""


class OrderlabWarning(UserWarning):
    """What went another way than asked."""


for _one in (Error, UsageError, InputError, UnsupportedError, DeviceError, OrderlabWarning):
    _one.__module__ = "orderlab"


def frames_within():
    """How many frames lie between a warning and the caller of the package."""
    frame, count = sys._getframe(1), 1
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "orderlab":
        frame, count = frame.f_back, count + 1
    return count
