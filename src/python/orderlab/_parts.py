"""Work in parts, by the processes of an executor: each part is a shard, or a range of samples, that keeps what it found in
a file, and the files merge exactly, so that the result has the bytes that one process gives it."""

import concurrent.futures
import os
import tempfile
import warnings

from . import _calls, _requests
from ._errors import Error, OrderlabWarning, frames_within

KEYWORDS = {
    "executor": """executor : concurrent.futures.Executor
    Does the work in parts: an executor of processes or threads, of mpi4py.futures, or a client of Dask. The result has
    the same bytes as without. A part takes one thread unless `threads` says otherwise. A part whose worker is lost is
    asked for again, in the end in this process.
""",
    "parts": """parts : int
    Into how many parts an executor's work is divided. Default: four for each worker, but no more than there are runs of sample, solve and train.
""",
}

_TRIES = 3  # how often a part is given to workers
_EACH = 4  # parts for each worker
_RUNS = {"sample": "samples", "solve": "samples", "train": "seeds"}  # keywords for the number of runs, which parts divide
_OWN = (Error, TypeError, ValueError, KeyboardInterrupt)  # what a part raises of itself; else its worker is lost


def in_parts(function, name, keeps, arguments):
    """What function(**arguments) returns. `keeps` is its keyword for the file in which parts are kept."""
    executor, count = arguments.pop("executor"), arguments.pop("parts", None)
    for one in ("shard", "range"):
        if one in arguments:
            raise ValueError(f"{one}={arguments[one]}: an executor makes shards of its own; leave it out")
    if keeps == "counts" and (_requests.is_operation(arguments) or "by" in arguments):
        raise ValueError("executor: parts are samples of one sum, not of groups or of an operation with many outputs; "
                         f"leave it out: threads= uses all processors, and {_whole(name)}")
    executor = executor.get_executor() if hasattr(executor, "get_executor") else executor  # a client of Dask
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor: must have submit(), as those of concurrent.futures, not {executor!r}")
    runs = _count(name, arguments, _RUNS[name]) if name in _RUNS else None
    if count is None:
        count = _EACH * _workers(executor)
        count = count if runs is None else max(1, min(count, runs))
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(f"parts={count}: must be a whole number from 1")
    progress = _calls._shown(arguments.pop("progress", None))

    def keep():
        if keeps == "counts":
            _merge_counts(kept, files)
        else:
            from . import _functions

            _functions.merge(files, kept)

    with tempfile.TemporaryDirectory(prefix="orderlab-") as folder:
        files, start = [], b""
        work = {key: value for key, value in arguments.items() if key != keeps}
        kept = os.fspath(arguments.get(keeps, os.path.join(folder, "all")))
        parts = [f"{i}/{count}" for i in range(1, count + 1)]
        if os.path.exists(kept) and os.path.getsize(kept):
            if keeps == "counts":
                parts = _missing_ranges(function, arguments, kept, runs, count)
            else:
                start = _copy_of_store(kept, folder)
        try:
            for part, content in _answers(executor, (name, keeps, work, start), parts, progress):
                path = os.path.join(folder, f"part{len(files)}")
                with open(path, "wb") as file:
                    file.write(content)
                files.append(path)
        except BaseException:
            if keeps in arguments and files:  # what is done stays done
                keep()
            raise
        finally:
            if isinstance(progress, _calls._Bar):
                progress.close()
        keep()
        return function(**{**arguments, keeps: kept})


def _whole(name):
    return f"executor.submit(orderlab.{name}, ...) has a worker do the whole call"


def no_parts(name):
    """Why a function takes no executor, and what to do."""
    return (f"takes no executor: what it draws is not kept in parts that merge; threads= uses all processors of this "
            f"machine, and {_whole(name)}")


def _count(name, arguments, keyword):
    """A number of runs as the program reads it; None where it is not a number; the program then says so."""
    value = arguments.get(keyword, _calls.parameters(name)[keyword].default)
    try:
        return _calls._power_of_two(value) if isinstance(value, str) and "^" in value else int(float(value))
    except (TypeError, ValueError, OverflowError):
        return None


def _missing_ranges(function, arguments, kept, samples, count):
    """What is left to draw, in ranges; ValueError where the file keeps other samples than these."""
    from . import _core

    drawn = _core.counted_samples(os.fsencode(kept))
    if drawn:
        first = drawn[0][0]
        function(**{**arguments, "counts": kept, "range": (first, first + 1)})  # draws at most one sample of each order
    starts = [0, *(end for _, end in drawn)]
    ends = [*(first for first, _ in drawn), max(samples or 0, starts[-1])]
    missing = [(a, b) for a, b in zip(starts, ends) if a < b]
    most = -(-sum(b - a for a, b in missing) // count)
    return [f"{a}:{min(a + most, end)}" for first, end in missing for a in range(first, end, most)]


def _copy_of_store(kept, folder):
    """The bytes of a store, so that no worker makes a run that it has."""
    from . import _functions

    path = os.path.join(folder, "start")
    _functions.merge([kept], path)
    with open(path, "rb") as file:
        return file.read()


def _workers(executor):
    """How many work at the same time, as far as the executor says."""
    known = getattr(executor, "_max_workers", None) or getattr(executor, "num_workers", None)
    return known if isinstance(known, int) and known > 0 else os.cpu_count() or 1


def do_part(work, part):
    """One part, in a worker: the bytes of the file that keeps it."""
    from . import _functions

    name, keeps, arguments, start = work
    with tempfile.TemporaryDirectory(prefix="orderlab-") as folder:
        path = os.path.join(folder, "part")
        if start:
            with open(path, "wb") as file:
                file.write(start)
        which = "range" if ":" in part else "shard"
        getattr(_functions, name)(**{"threads": 1, **arguments, keeps: path, which: part})
        with open(path, "rb") as file:
            return file.read()


def _answers(executor, work, parts, progress):
    """(part, bytes) of all parts, in the order in which they come."""
    tries = dict.fromkeys(parts, 0)
    pending, alone, lost_by = {}, [], None
    total, done = len(parts), 0

    def ask(part):
        nonlocal lost_by
        tries[part] += 1
        try:
            if tries[part] <= _TRIES:
                pending[executor.submit(do_part, work, part)] = part
                return
        except (concurrent.futures.BrokenExecutor, RuntimeError, OSError) as error:  # it takes no more work
            lost_by = lost_by or error
        alone.append(part)

    try:
        for part in parts:
            ask(part)
        while pending:
            for future in concurrent.futures.wait(pending, return_when=concurrent.futures.FIRST_COMPLETED).done:
                part = pending.pop(future)
                try:
                    content = future.result()
                except _OWN:
                    raise
                except BaseException as error:  # the worker's end: BrokenProcessPool, KilledWorker, ...
                    lost_by = error
                    ask(part)
                    continue
                done += 1
                if callable(progress):
                    progress("parts", done, total, done / total)
                yield part, content
    finally:
        for future in pending:
            future.cancel()
    if alone:
        warnings.warn(f"{len(alone)} of {total} parts were lost with their workers and are done in this process; the "
                      f"last error: {type(lost_by).__name__}: {lost_by}", OrderlabWarning, stacklevel=frames_within())
    for part in alone:
        yield part, do_part(work, part)


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
