#!/usr/bin/env python3
"""Runs `orderlab crosscheck` on every device that has runtimes, and adds up what it compared.

usage: all_runtimes.py PROGRAM [--full] [--json FOLDER]

Exit status 1 where sums differ or a program fails, 77 where this machine has none of the runtimes.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

DEVICES = ("openmp", "tbb", "mpi", "blas")
ABSENT = 2  # exit status, and this in the line:
NOTHING = ": nothing to check: "


def figures(document):
    """Calls, sums, sums that match, sums that would differ in another order."""
    rows = document["runtimes"]["rows"]
    return [sum(row[key] or 0 for row in rows) for key in ("calls", "sums", "matching", "differs_elsewhere")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--full", action="store_true", help="every number of ranks, every algorithm: takes an hour")
    parser.add_argument("--json", metavar="FOLDER", help="keep the JSON of each device")
    options = parser.parse_args()
    failed, used, skipped, all_figures = [], [], [], [0, 0, 0, 0]
    with tempfile.TemporaryDirectory() as temporary:
        for device in DEVICES:
            file = Path(options.json or temporary) / f"{device}.json"
            command = [options.program, "crosscheck", "--device", device, "--json", str(file)]
            done = subprocess.run(command + (["--full"] if options.full else []), capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, check=False)
            print(done.stdout, flush=True)
            if done.returncode == ABSENT and NOTHING in done.stderr:
                skipped += done.stderr.strip().split(NOTHING, 1)[1].split("; ")
                continue
            if done.returncode != 0:
                failed.append(f"{device}: exit status {done.returncode}: {done.stderr.strip()[-500:]}")
                continue
            document = json.loads(file.read_text(encoding="utf-8"))
            used += [runtime["version"] for runtime in document["runtimes"]["used"]]
            skipped += document["runtimes"]["skipped"]
            all_figures = [a + b for a, b in zip(all_figures, figures(document))]
    for line in skipped + [f"FAILED: {text}" for text in failed]:
        print(line)
    calls, sums, matching, differs_elsewhere = all_figures
    print(f"{len(used)} runtimes, {calls} calls, {matching} of {sums} sums match, {differs_elsewhere} would differ in another order, "
          f"{len(skipped)} runtimes skipped, {len(failed)} devices failed")
    return 1 if failed else 0 if used else 77


if __name__ == "__main__":
    sys.exit(main())
