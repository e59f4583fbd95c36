#!/usr/bin/env python3
"""Strangers' CUDA programs by `orderlab host`, unmodified: how many compile, run to the end, and what is found in them.

usage: run_programs.py PROGRAM --corpus DIR [--list FILE] [--seconds 60] [--only PART] [--jobs 1]

DIR has one folder for each repository of the list, OWNER+NAME, with its files at the commit given there. A line of the
list: REPOSITORY COMMIT PATH [flags of orderlab host and arguments behind --]. Programs that are not in DIR are counted.
"""

import argparse
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


MOST_WAITS = 6  # wall time beside CPU time: a program may wait for ever


def programs(path):
    """Repository, path in it, further arguments; ROOT in them is the repository's folder."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            repository, _, file, *more = shlex.split(line)
            yield repository, file, more


def run(program, folder, file, more, seconds):
    """(what became of it, seconds of CPU, its last lines). The limit is of CPU time, so that other work does not matter."""
    more = [word.replace("ROOT", str(folder)) for word in more]
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([program, "host", file.name, *more], cwd=file.parent, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=subprocess.STDOUT, start_new_session=True,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)))
        waiting = threading.Timer(MOST_WAITS * seconds, process.terminate)  # which ends the program, too
        waiting.start()
        _, status, usage = os.wait4(process.pid, 0)
        waiting.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read().decode(errors="replace")
    spent = usage.ru_utime + usage.ru_stime
    if spent > seconds or "SIGXCPU" in text or process.returncode < 0 or process.returncode > 3:
        return "late", spent, text
    return {0: "clean", 1: "found", 2: "refused", 3: "own status"}[process.returncode], spent, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--list", type=Path, default=Path(__file__).with_name("programs.txt"))
    parser.add_argument("--seconds", type=int, default=60, help="CPU time of compiler and program")
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--lines", type=int, default=3, help="last lines of each program to show")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    count = Counter()

    def one(entry):
        repository, name, more = entry
        folder = (options.corpus / repository.replace("/", "+")).resolve()
        file = folder / name
        if not file.is_file():
            return entry, ("absent", 0, "")
        return entry, run(program, folder, file, more, options.seconds)

    chosen = [entry for entry in programs(options.list) if options.only in f"{entry[0]}/{entry[1]}"]
    with ThreadPoolExecutor(options.jobs) as pool:
        for (repository, name, _), (kind, seconds, text) in pool.map(one, chosen):
            count[kind] += 1
            last = "".join(f"\n    {line[:200]}" for line in text.strip().splitlines()[-options.lines:])
            print(f"{kind:10} {seconds:5.1f} s  {repository}/{name}{last}", flush=True)
    print(", ".join(f"{kind}: {number}" for kind, number in sorted(count.items())))
    return 0 if sum(count.values()) > count["absent"] else 77


if __name__ == "__main__":
    sys.exit(main())
