#!/usr/bin/env python3
"""Stand-ins of CUDA's libraries in programs that `orderlab host` runs: results, and sums against orderlab's own orders.

usage: check_libraries.py PROGRAM
"""

import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def line_of(file, text):
    """Number of the first line with this text."""
    lines = (HERE / file).read_text(encoding="utf-8").splitlines()
    return next(i for i, line in enumerate(lines, 1) if text in line)


# What examples in NVIDIA's documentation of cuRAND print for seed 1234, and Random123's known answers for zeros.
XORWOW = "0.1455 0.8202 0.5504 0.2948 0.9147 0.8690 0.3219 0.7829 0.0113 0.2855"
PHILOX = "6627e8d5 e169c58d bc57ac4c 9b00dbd8"

# Flags, status, lines of the output or parts of them.
CASES = [
    (["thrust.cu"], 0, ["sequence 3 4 5 6 7 8 9 10 ", "transform 1 3 5 7 9 11 13 15 ",
                        "exclusive_scan 100 101 104 109 116 125 136 149 ", "squares 380 380 4 10",
                        "zipped 103 105 109 115 123 133 145 159 ", "keys 1 1 1 2 3 3 ", "values 1 4 5 2 0 3 ",
                        "found 1 2 3 ", "counts 3 1 2 ", "descending 5 4 3 2 1 0 ", "even 4 2 0 ", "places 7 5 10 5050",
                        "permuted 15 380", "raw 32 7 0", "no fault found"]),
    (["thrust.cu", "--", "1"], 1, ["kernel thrust::reduce", 'of device array "raw" of 20 bytes: out of bounds',
                                   f"thrust.cu:{line_of('thrust.cu', '// BUG 1')}: "]),
    (["thrust.cu", "--", "2"], 1, ["kernel thrust::transform", "that belong to no array of device or shared memory",
                                   f"thrust.cu:{line_of('thrust.cu', '// BUG 2')}: "]),
    (["cub.cu"], 0, ["min -2", "argmax 2 9", "scan 0 5 3 12 17 17 24 22", "sorted -2 -2 0 3 5 5 7 9",
                     "descending 9 7 5 5 3 0 -2 -2 2 5 0 3 7 4 1 6", "below -2 0 -2 3", "count 4", "histogram 1 3 1",
                     "segments 12 0 13", "block 255 509 762", "all 32640 1457 1520", "pairs 2016 32", "no fault found"]),
    (["cublas.cu"], 0, ["gemm 5 3 1 77 91 105", "transposed 16 32 48 22 54 86", "gemv -1 -10 -19 -28",
                        "numbers 42 1.5 4 8", "scaled 0 1 84 3", "axpy 0 0 82 3", "half 7 10 15 22", "relu 2 3 0 3",
                        "no fault found"]),
    (["cublas.cu", "--", "bug"], 1, ["kernel cublasSasum", 'of device array "d_b" of 64 bytes, which nothing has written',
                                 f"cublas.cu:{line_of('cublas.cu', '// BUG')}: "]),
    (["library_streams.cu"], 0, ["sums 512 512", "no fault found"]),
    (["library_streams.cu", "--", "own"], 1, ["kernel cublasOwn", "(at library_streams.cu:"]),
    (["curand.cu"], 0, ["host " + XORWOW, "kernel " + XORWOW, "philox " + PHILOX, "ahead 1", "mean 3.0", "moments 1.0 1.0",
                        "no fault found"]),
]


def run(program, folder, flags):
    """The command, which leaves nothing outside of `folder`."""
    return subprocess.run([program, *flags], cwd=folder, env={**os.environ, "TMPDIR": str(folder)}, capture_output=True,
                          text=True, timeout=300, check=False)


def problems_of(program, folder, flags, status, texts):
    done = run(program, folder, ["host", *flags])
    output = done.stdout + done.stderr
    missing = [text for text in texts if text not in output]
    if done.returncode == status and not missing:
        return []
    return [f"{' '.join(flags)}: status {done.returncode}, not {status}; without {missing}\n{output}"]


def sum_of(program, folder, file, order):
    done = run(program, folder, ["sum", "--input", file, "--order", order, "--json", "-"])
    return json.loads(done.stdout)["results"][0]["value"]


def problems_of_sums(program, folder, n):
    """Sums of n numbers by library_sums.cu, which have the bits of orderlab's orders, and its scan those of cumsum."""
    draw = random.Random(n)
    numbers = [draw.uniform(-1, 1) for _ in range(n)]
    for kind in "fd":
        (folder / f"x.{ {'f': 'f32', 'd': 'f64'}[kind]}").write_bytes(struct.pack(f"<{n}{kind}", *numbers))
    done = run(program, folder, ["host", "library_sums.cu", "--", "x.f32", "x.f64"])
    lines = [line.split() for line in done.stdout.splitlines() if " " in line]
    found = []
    for file in ["x.f32", "x.f64"]:
        aligned, striped = (sum_of(program, folder, file, order) for order in ["cub(320)", "cub(320,striped)"])
        expected = [("cub0", aligned), ("cub1", striped), ("thrust", striped), ("thrust_pointer", aligned)]
        shown, lines = lines[:5], lines[5:]
        got = [(name, float(value)) for name, value in shown[:4]]
        if got != expected or shown[4] != ["scans", "equal"]:
            found.append(f"sums of {n} numbers of {file}: {shown}, not {expected}\n{done.stderr}")
        run(program, folder, ["sum", "--op", "cumsum", "--lookback", "fixed(1)", "--input", file, "--npy", "scan.npy", "--quiet"])
        scan = (folder / (file + ".scan")).read_bytes()
        if not (folder / "scan.npy").read_bytes().endswith(scan):
            found.append(f"scan of {n} numbers of {file}: not that of cumsum")
    return found


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    program = str(Path(sys.argv[1]).resolve())
    if not shutil.which("g++") and not shutil.which("clang++"):
        print("skipped: no compiler")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ["library_streams.cu", "thrust.cu", "cub.cu", "cublas.cu", "curand.cu", "library_sums.cu"]:
            shutil.copy(HERE / file, folder)
        for case in CASES:
            problems += problems_of(program, folder, *case)
        for n in [1, 33, 4096, 100001, 1500000]:
            problems += problems_of_sums(program, folder, n)
    print("\n".join(problems + [f"{len(CASES)} programs, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
