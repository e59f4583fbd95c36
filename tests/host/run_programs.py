#!/usr/bin/env python3
"""Strangers' CUDA programs by `orderlab host`, unmodified: how many compile, run to the end, and what is found in them.

usage: run_programs.py PROGRAM --corpus DIR [--list FILE] [--seconds 60] [--only PART] [--jobs 1]

DIR has one folder for each repository of the list, OWNER+NAME, with its files at the commit given there. A line of the
list: REPOSITORY COMMIT PATH [flags of orderlab host and arguments behind --]. Programs that are not in DIR are counted.
"""

import argparse
import shlex
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path


def programs(path):
    """Repository, path in it, further arguments; ROOT in them is the repository's folder."""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            repository, _, file, *more = shlex.split(line)
            yield repository, file, more


def run(program, folder, file, more, seconds):
    """(what became of it, seconds, its last lines)"""
    more = [word.replace("ROOT", str(folder)) for word in more]
    start = time.monotonic()
    process = subprocess.Popen([program, "host", file.name, *more], cwd=file.parent, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.terminate()  # which ends the compiler and the program, too
        output, _ = process.communicate()
        return "late", seconds, output.decode(errors="replace")
    text = output.decode(errors="replace")
    kinds = {0: "clean", 1: "found", 2: "refused", 3: "own status"}
    return kinds.get(process.returncode, "other"), time.monotonic() - start, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--list", type=Path, default=Path(__file__).with_name("programs.txt"))
    parser.add_argument("--seconds", type=float, default=60)
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
