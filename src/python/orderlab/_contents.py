"""Arguments by their content, and results that are kept by it: who asks the same again is answered at once."""

import hashlib
import os
import re
from collections import OrderedDict
from threading import Lock

_SPEED_ONLY = ("threads", "progress")  # keywords that change no result
_MOST = 1000  # results that are kept
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


class Kept:
    """Results of this process by content; what has no content that is known is computed each time."""

    def __init__(self):
        self._results = OrderedDict()
        self._lock = Lock()

    def get(self, key, compute):
        """The result of this key, and whether it was there."""
        with self._lock:
            if key in self._results:
                self._results.move_to_end(key)
                return self._results[key], True
        result = compute()
        if key is not None:
            with self._lock:
                self._results[key] = result
                while len(self._results) > _MOST:
                    self._results.popitem(last=False)
        return result, False
