#!/usr/bin/env python3
"""Compares the bits of OpenMP reductions of a program compiled with clang, so of libomp, with the named order.

usage: compare_reductions.py PROGRAM [--compiler CLANG]

From 5 threads on every sum must have the bits of `openmp_llvm(t)`. Up to 4 threads libomp adds the threads' sums as
they finish: every sum must be one that `openmp(t)` can give. Exit status 77 where the compiler or libomp is not
installed, 1 where bits differ.
"""

import argparse
import itertools
import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
THREADS = range(1, 17)
COUNTS = (1, 2, 3, 5, 7, 16, 17, 64, 100, 1003, 10007)
INPUTS = 4  # of each count
CALLS = 5


def terms(generator, n):
    return [math.ldexp(generator.uniform(-1, 1), generator.randrange(-20, 21)) for _ in range(n)]


def bits_of(x):
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016x}"


def arrivals(x, threads):
    """The sums that any order of arrival gives."""
    size, longer = divmod(len(x), threads)
    sums, begin = [], 0
    for t in range(threads):
        end = begin + size + (t < longer)
        part = 0.0
        for value in x[begin:end]:
            part += value
        sums.append(part)
        begin = end
    results = set()
    for order in itertools.permutations(sums):
        s = 0.0
        for part in order:
            s += part
        results.add(bits_of(s))
    return results


def build(compiler, folder):
    """A program for each form of the loop, or nothing: a loop of its own region, and one in a longer region."""
    source = (HERE / "reductions.c").read_text(encoding="utf-8")
    combined = re.sub(r"#pragma omp parallel num_threads\(threads\)\n.*?\n    }\n",
                      "    team = threads;\n"
                      "#pragma omp parallel for reduction(+ : s) schedule(static) num_threads(threads)\n"
                      "    for (long i = 0; i < n; ++i) s += x[i];\n", source, flags=re.S)
    assert combined != source
    binaries = []
    for name, text in (("region", source), ("combined", combined)):
        path, binary = folder / f"{name}.c", folder / name
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([compiler, "-O2", "-fopenmp", str(path), "-o", str(binary)], capture_output=True,
                              text=True, check=False)
        if done.returncode != 0:
            return []
        binaries.append(binary)
    return binaries


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", metavar="PROGRAM")
    parser.add_argument("--compiler", default="clang-16", metavar="CLANG")
    options = parser.parse_args()
    if shutil.which(options.compiler) is None:
        print(f"skipped: {options.compiler} is not installed")
        return 77
    program = str(Path(options.program).resolve())
    generator = random.Random(1)
    fixed = free = told = 0
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        binaries = build(options.compiler, folder)
        if not binaries:
            print(f"skipped: {options.compiler} -fopenmp does not link: libomp is not installed")
            return 77
        for threads in THREADS:
            for n in COUNTS * INPUTS:
                x = terms(generator, n)
                file = folder / "terms.f64"
                file.write_bytes(struct.pack(f"<{n}d", *x))
                found = []
                for binary in binaries:
                    done = subprocess.run([str(binary), str(file), str(threads), str(CALLS)], capture_output=True,
                                          text=True, check=True, env={**os.environ, "KMP_BLOCKTIME": "0"})
                    found += done.stdout.split()
                where = f"{threads} threads, {n} terms"
                if threads < 5:
                    possible = arrivals(x, threads)
                    free += len(found)
                    wrong += [f"{where}: {bits} is none of {len(possible)}" for bits in found if bits not in possible]
                    continue
                answers = []
                for order in (f"openmp_llvm({threads})", f"chunks({threads}) | seq(from=zero)"):
                    command = [program, "sum", "--input", str(file), "--order", order, "--json", "-", "--quiet"]
                    done = subprocess.run(command, capture_output=True, text=True, check=True)
                    answers.append(json.loads(done.stdout)["results"][0]["bits"])
                fixed += len(found)
                told += len(found) if answers[0] != answers[1] else 0
                wrong += [f"{where}: {bits} instead of {answers[0]}" for bits in found if bits != answers[0]]
    for text in wrong[:20]:
        print("FAILED:", text)
    print(f"{fixed} sums of 5 to {THREADS[-1]} threads, {told} of which threads in turn would not give; "
          f"{free} sums of 1 to 4 threads; {len(wrong)} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
