"""Arguments by their content, and results that are kept by it: who asks the same again is answered at once."""

import hashlib
import os
import re
from collections import OrderedDict
from threading import Lock

_SPEED_ONLY = ("threads", "progress")  # keywords that change no result
_MOST = 1000  # results that are kept
_MOST_BYTES = 1 << 28  # of all of them together
_AROUND_NAMES = re.compile(r"::|[(),'\"]")  # what stands beside the name of a file in a text: "trace('FILE')"


def key_of(command, arrays, options):
    """A digest of all that decides a result; None where some of it cannot be told from other values."""
    digest = hashlib.blake2b(command.encode(), digest_size=16)
    try:
        deciding = [item for item in sorted(options.items()) if item[0] not in _SPEED_ONLY]
        for value in [*arrays, *(one for item in deciding for one in item)]:
            _feed(digest, value)
    except TypeError:
        return None
    return digest.digest()


def _feed(digest, value):
    """A value by its content: an array by dtype, shape and bytes, a file by its path, size and time. TypeError for a
    value of an unknown type, and for a text that names a file within it, as an order may."""
    import numpy as np

    digest.update(f"{type(value).__name__} ".encode())
    if value is None or isinstance(value, (bool, int, float, str, os.PathLike, np.dtype, type)):
        digest.update(f"{value!r};".encode())
        if isinstance(value, (str, os.PathLike)):
            _feed_files(digest, os.fsdecode(value))
    elif isinstance(value, (list, tuple)):
        digest.update(f"{len(value)};".encode())
        for one in value:
            _feed(digest, one)
    elif isinstance(value, (np.ndarray, np.generic)) and not np.ma.isMaskedArray(value) and value.dtype != object:
        array = np.ascontiguousarray(value)
        digest.update(f"{array.dtype.name} {array.dtype.str} {np.shape(value)};".encode())
        digest.update(array.reshape(-1).view(np.uint8).data)
    else:
        raise TypeError(f"{type(value).__name__} has no known content")


def _feed_files(digest, text):
    if os.path.isfile(text):
        state = os.stat(text)
        digest.update(f"{os.path.abspath(text)!r} {state.st_size} {state.st_mtime_ns};".encode())
    elif any(os.path.exists(name.strip()) for name in _names_in(text)):
        raise TypeError(f"{text!r} names a file")


def _names_in(text):
    return [*_AROUND_NAMES.split(text), *(quoted for pair in re.findall(r"'([^']*)'|\"([^\"]*)\"", text) for quoted in pair)]


def bytes_of(result):
    """About how much memory an array or a result of a command takes: its numbers, which its JSON has as text."""
    if hasattr(result, "nbytes"):
        return result.nbytes
    arrays = result._report.arrays().values()
    return len(result.to_json()) + sum(getattr(array, "nbytes", 0) for array in arrays)


class Kept:
    """Results of this process by content, as many and as large together as the limits say; the one that was not asked for
    longest goes first. What has no content that is known is computed each time."""

    def __init__(self):
        self._results = OrderedDict()  # results and their bytes
        self._bytes = 0
        self._lock = Lock()

    def get(self, key, compute):
        """The result of this key, and whether it was there."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key][0], True
        result = compute()
        if key is not None:
            self._keep(key, result, bytes_of(result))
        return result, False

    def _keep(self, key, result, size):
        if size > _MOST_BYTES:  # it would take the place of all others
            return
        with self._lock:
            if key in self._results:  # another thread was first
                return
            self._results[key] = result, size
            self._bytes += size
            while len(self._results) > _MOST or self._bytes > _MOST_BYTES:
                self._bytes -= self._results.popitem(last=False)[1][1]
