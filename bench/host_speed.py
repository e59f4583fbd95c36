#!/usr/bin/env python3
"""Speed of kernels under `orderlab host`: million threads (launches: thousand launches) per second of the processors,
with accesses checked and without, as a table; the best of several runs.

usage: host_speed.py PROGRAM [--runs N]
"""

import argparse
import subprocess
from pathlib import Path

SOURCE = Path(__file__).resolve().with_name("host_speed.cu")
UNITS = {"launches": 1e3}  # of the rest: millions


def rates(program, check):
    """Threads per second by name."""
    done = subprocess.run([program, "host", str(SOURCE), "--check", check], capture_output=True, text=True, check=True)
    return {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines() if len(line.split()) == 2}


def best_rates(program, check, runs):
    """The best of each name."""
    all_rates = [rates(program, check) for _ in range(runs)]
    return {name: max(one[name] for one in all_rates) for name in all_rates[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    checked = best_rates(arguments.program, "all", arguments.runs)
    unchecked = best_rates(arguments.program, "0", arguments.runs)
    print("| kernel | checked | unchecked |\n|---|---|---|")
    for name, rate in checked.items():
        unit = UNITS.get(name, 1e6)
        print(f"| `{name}` | {rate / unit:.3g} | {unchecked[name] / unit:.3g} |")


if __name__ == "__main__":
    main()
