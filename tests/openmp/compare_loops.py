#!/usr/bin/env python3
"""Checks sums of OpenMP loops compiled with g++ against the orders that they claim, by `orderlab check`.

usage: compare_loops.py PROGRAM [--compiler GCC] [--quick]

Every schedule, scalar, `simd` and -ffast-math loops, by 1 to 8 threads, 20 calls each: all sums must be explained.
Loops with a bug claim the order of the right loop: some of their sums must not be explained. Exit status 77 where the
compiler is not installed or does not make AVX2 code that runs here, 1 where a check is wrong.
"""

import argparse
import math
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
THREADS = range(1, 9)
CALLS = 20
COUNTS = (11, 1003, 100003)

FAST = "-O3 -mavx2 -ffast-math"
# What g++ is told, and the order of {t} threads; four doubles or eight floats are a vector.
RIGHT = [
    ("double", "-O2", "openmp({t})"),
    ("double", "-O2 -DSCHEDULE=static,50", "openmp({t},chunk=50)"),
    ("double", "-O2 -DSCHEDULE=dynamic,5000", "queue({t},5000)"),
    ("double", "-O2 -DSCHEDULE=dynamic", "queue({t})"),
    ("double", "-O2 -DSCHEDULE=guided,5000", "queue({t},5000,sizes=guided)"),
    ("double", FAST, "openmp({t},lanes=4)"),
    ("double", FAST + " -DSCHEDULE=static,50", "openmp({t},lanes=4,chunk=50)"),
    ("double", FAST + " -DSCHEDULE=dynamic,50", "queue({t},50,each=strided(4,rest=keep) | halving(4,rest=keep))"),
    ("double", "-O2 -mavx2 -DSIMD", "openmp({t},lanes=4,rest=first,to=4)"),
    ("double", FAST + " -DSIMD", "openmp({t},lanes=4,rest=first)"),
    ("double", "-O2 -mavx2 -DSIMD -DSCHEDULE=static,50", "openmp({t},lanes=4,rest=first,to=4,chunk=50)"),
    ("float", "-O2 -DSCHEDULE=static,50", "openmp({t},chunk=50)"),
    ("float", "-O3 -ffast-math", "openmp({t},lanes=4)"),
    ("float", FAST, "chunks({t},each=gcc_simd(8,4)) | arrive | seq(from=zero)"),
    ("float", "-O2 -mavx2 -DSIMD", "openmp({t},lanes=8,rest=first,to=8)"),
]
WRONG = [
    ("double", "-O2 -DRACE", "openmp({t})"),
    ("double", "-O2 -DUNSYNCHRONISED", "openmp({t})"),
    ("double", "-O2 -DLOST_CHUNK", "openmp({t})"),
    ("double", "-O2 -DLOST_TERM", "openmp({t})"),
    ("double", "-O2 -DTWICE", "openmp({t})"),
    ("double", "-O2 -DNARROW", "openmp({t})"),
    ("double", "-O2 -DLOST_TERM -DSCHEDULE=dynamic,5000", "queue({t},5000)"),
]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


class Checks:
    """Programs compiled once, terms written once."""

    def __init__(self, program, compiler, folder):
        self.program, self.compiler, self.folder = program, compiler, folder
        self.binaries = {}

    def terms(self, kind, n):
        file = self.folder / f"{n}.{'f64' if kind == 'double' else 'f32'}"
        if not file.exists():
            generator = random.Random(n)
            x = [math.ldexp(generator.uniform(-1, 1), generator.randrange(-3, 4)) for _ in range(n)]
            file.write_bytes(struct.pack(f"<{n}{'d' if kind == 'double' else 'f'}", *x))
        return file

    def binary(self, kind, options):
        """The compiled loop, or nothing where it does not compile."""
        if (kind, options) not in self.binaries:
            path = self.folder / f"loop{len(self.binaries)}"
            command = [self.compiler, *options.split(), f"-DT={kind}", "-fopenmp", str(HERE / "loops.c"), "-o", str(path)]
            self.binaries[kind, options] = path if run(command).returncode == 0 else None
        return self.binaries[kind, options]

    def sums(self, kind, options, threads, n):
        done = run([str(self.binary(kind, options)), str(self.terms(kind, n)), str(threads), str(CALLS)])
        return done.stdout if done.returncode == 0 else None

    def explained(self, kind, order, n, sums):
        command = [self.program, "check", "--input", str(self.terms(kind, n)), "--order", order, "--values", "-",
                   "--quiet"]
        done = run(command, input=sums)
        if done.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
        return done.returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--compiler", default="gcc", metavar="GCC")
    parser.add_argument("--quick", action="store_true", help="two counts of threads and one of terms")
    options = parser.parse_args()
    if shutil.which(options.compiler) is None:
        print(f"skipped: {options.compiler} is not installed")
        return 77
    threads = (2, 3) if options.quick else THREADS
    counts = COUNTS[1:2] if options.quick else COUNTS
    failures, right, wrong = [], 0, 0
    with tempfile.TemporaryDirectory() as name:
        checks = Checks(str(Path(options.program).resolve()), options.compiler, Path(name))
        if checks.binary("double", FAST) is None or checks.sums("double", FAST, 1, 11) is None:
            print(f"skipped: {options.compiler} {FAST} -fopenmp does not compile, or its program does not run here")
            return 77
        for kind, flags, order in RIGHT:
            for t in threads:
                for n in counts:
                    claimed = order.format(t=t)
                    right += CALLS
                    if not checks.explained(kind, claimed, n, checks.sums(kind, flags, t, n)):
                        failures.append(f"{kind} {flags}, {t} threads, {n} terms: not explained by {claimed}")
        for kind, flags, order in WRONG:
            caught = 0
            for t in threads:
                if t == 1:
                    continue
                caught += not checks.explained(kind, order.format(t=t), COUNTS[-1], checks.sums(kind, flags, t, COUNTS[-1]))
            wrong += caught > 0
            print(f"{flags}: {caught} of {sum(t > 1 for t in threads)} checks not explained")
            if caught == 0:
                failures.append(f"{kind} {flags}: explained by {order}")
    for text in failures[:20]:
        print("FAILED:", text)
    print(f"{len(RIGHT)} loops, {right} sums: {len(failures)} failures; {wrong} of {len(WRONG)} wrong loops not explained")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
