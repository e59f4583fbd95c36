"""The exceptions of orderlab."""


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
