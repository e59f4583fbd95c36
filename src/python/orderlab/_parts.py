"""Work in parts, by the processes of an executor: each part is a shard that keeps what it found in a file, and the
files merge exactly, so that the result has the bytes that one process gives it."""

import concurrent.futures
import os
import tempfile
import warnings

from . import _calls
from ._errors import Error, OrderlabWarning, frames_within

KEYWORDS = {
    "executor": """executor : concurrent.futures.Executor
    Does the work in parts: an executor of processes or threads, of mpi4py.futures, or a client of Dask. The result has
    the same bytes as without. A part takes one thread unless `threads` says otherwise. A part whose worker is lost is
    asked for again, in the end in this process.
""",
    "parts": """parts : int
    Into how many parts an executor's work is divided. Default: four for each worker.
""",
}

_TRIES = 3  # how often a part is given to workers
_EACH = 4  # parts for each worker
_OWN = (Error, TypeError, ValueError, KeyboardInterrupt)  # what a part raises of itself; else its worker is lost


def in_parts(function, name, keeps, arguments):
    """What function(**arguments) returns. `keeps` is its keyword for the file in which parts are kept."""
    executor, count = arguments.pop("executor"), arguments.pop("parts", None)
    for one in ("shard", "range"):
        if one in arguments:
            raise ValueError(f"{one}={arguments[one]}: an executor makes shards of its own; leave it out")
    executor = executor.get_executor() if hasattr(executor, "get_executor") else executor  # a client of Dask
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor: must have submit(), as those of concurrent.futures, not {executor!r}")
    count = _EACH * _workers(executor) if count is None else count
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(f"parts={count}: must be a whole number from 1")
    progress = _calls._shown(arguments.pop("progress", None))
    shards = [f"{i}/{count}" for i in range(1, count + 1)]
    with tempfile.TemporaryDirectory(prefix="orderlab-") as folder:
        files = []
        work = {key: value for key, value in arguments.items() if key != keeps}
        kept = os.fspath(arguments.get(keeps, os.path.join(folder, "all")))
        if keeps == "counts":
            _merge_counts(kept, [])  # a file that cannot be read is found before the work
        try:
            for shard, content in _answers(executor, name, keeps, work, shards, progress):
                path = os.path.join(folder, f"part{shard.partition('/')[0]}")
                with open(path, "wb") as file:
                    file.write(content)
                files.append(path)
        except BaseException:
            if keeps == "counts" and keeps in arguments and files:  # what is done stays done
                _merge_counts(kept, files)
            raise
        finally:
            if isinstance(progress, _calls._Bar):
                progress.close()
        if keeps == "counts":
            _merge_counts(kept, files)
        else:
            from . import _functions

            _functions.merge(files, kept)
        return function(**{**arguments, keeps: kept})


def _workers(executor):
    """How many work at the same time, as far as the executor says."""
    known = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return known if isinstance(known, int) and known > 0 else os.cpu_count() or 1


def do_part(name, keeps, arguments, shard):
    """One part, in a worker: the bytes of the file that keeps it."""
    from . import _functions

    with tempfile.TemporaryDirectory(prefix="orderlab-") as folder:
        path = os.path.join(folder, "part")
        getattr(_functions, name)(**{**arguments, keeps: path, "shard": shard})
        with open(path, "rb") as file:
            return file.read()


def _answers(executor, name, keeps, arguments, shards, progress):
    """(shard, bytes) of all shards, in the order in which they come."""
    tries = dict.fromkeys(shards, 0)
    pending, alone, lost_by = {}, [], None
    total, done = len(shards), 0

    def ask(shard):
        nonlocal lost_by
        tries[shard] += 1
        try:
            if tries[shard] <= _TRIES:
                pending[executor.submit(do_part, name, keeps, {"threads": 1, **arguments}, shard)] = shard
                return
        except (concurrent.futures.BrokenExecutor, RuntimeError, OSError) as error:  # it takes no more work
            lost_by = lost_by or error
        alone.append(shard)

    try:
        for shard in shards:
            ask(shard)
        while pending:
            for future in concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED).done:
                shard = pending.pop(future)
                try:
                    content = future.result()
                except _OWN:
                    raise
                except BaseException as error:  # the worker's end: BrokenProcessPool, KilledWorker, ...
                    lost_by = error
                    ask(shard)
                    continue
                done += 1
                if callable(progress):
                    progress("parts", done, total, done / total)
                yield shard, content
    finally:
        for future in pending:
            future.cancel()
    if alone:
        warnings.warn(f"{len(alone)} of {total} parts were lost with their workers and are done in this process; the "
                      f"last error: {type(lost_by).__name__}: {lost_by}", OrderlabWarning, stacklevel=frames_within())
    for shard in alone:
        yield shard, do_part(name, keeps, arguments, shard)


def _merge_counts(kept, files):
    """Has the counts of files added to those that are kept; the file that keeps them is whole at any time."""
    from . import _core

    there = [kept] if os.path.exists(kept) and os.path.getsize(kept) else []
    if not there + files:
        return
    merged = _core.merge_counts([os.fsencode(path) for path in there + files])
    if files:
        with open(f"{kept}.new", "wb") as file:
            file.write(merged)
        os.replace(f"{kept}.new", kept)
