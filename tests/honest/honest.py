#!/usr/bin/env python3
"""Honest results, ten kinds and some more, and what `orderlab check` says of them. None may be called impossible.

    honest.py PROGRAM [--each 200] [--kind NAME] [--seed S] [--recordings FILE]

Every result is computed here, by numpy, by loops over numpy numbers, or by a program of g++ with OpenMP; orderlab only
judges it. Prints a table: situations, impossible, unlikely, outside the model. Exit status 1 where one is impossible.
"""

import argparse
import bz2
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)

OPENMP = r"""
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <omp.h>
int main(int argc, char** argv) {
  const long n = std::atol(argv[2]);
  std::vector<float> x(n);
  std::FILE* file = std::fopen(argv[1], "rb");
  if (std::fread(x.data(), 4, n, file) != static_cast<size_t>(n)) return 1;
  omp_set_num_threads(std::atoi(argv[3]));
  for (int run = 0; run < std::atoi(argv[4]); ++run) {
    float sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (long i = 0; i < n; ++i) sum += x[i];
    std::printf("%a\n", static_cast<double>(sum));
  }
}
"""


class Honest:
    def __init__(self, program, folder, seed, recordings):
        self.program, self.folder, self.recordings = program, Path(folder), recordings
        self.random = np.random.default_rng(seed)
        self.calls = 0

    # ---- terms and sums

    def terms(self, n, dtype=np.float32):
        kind = self.random.integers(7)
        if kind == 0:
            x = self.random.uniform(0, 1, n)
        elif kind == 1:
            x = self.random.normal(0, 1, n)
        elif kind == 2:
            x = self.random.lognormal(0, 2, n)
        elif kind == 3:
            x = self.random.uniform(0, 10, n)
        elif kind == 4:
            x = self.random.exponential(1, n) * self.random.choice([-1, 1], n)
        elif kind == 5:
            x = np.ldexp(self.random.uniform(1, 2, n), self.random.integers(-8, 8, n)) * self.random.choice([-1, 1], n)
        else:
            x = np.full(n, self.random.uniform(0, 1))
        return x.astype(dtype)

    def size(self, most=3000):
        return int(np.exp(self.random.uniform(np.log(2), np.log(most))))

    @staticmethod
    def in_turn(x, dtype=None):
        """Left to right, every addition rounded to the type."""
        dtype = dtype or x.dtype
        return np.add.accumulate(x.astype(dtype), dtype=dtype)[-1]

    @staticmethod
    def halving(x):
        x = x.copy()
        while len(x) > 1:
            half = (len(x) + 1) // 2
            low = x[:half].copy()
            low[: len(x) - half] += x[half:]
            x = low
        return x[0]

    def printed(self, value):
        """As printf, iostream, numpy or torch show it, with 4 to 8 digits."""
        value = float(value)
        digits = int(self.random.integers(4, 9))
        style = self.random.integers(5)
        if style == 0:
            return f"%.{digits}g" % value
        if style == 1:
            return f"%.{digits - 1}e" % value
        if style == 2:
            return np.format_float_scientific(np.float32(value), precision=digits - 1, unique=False)
        if style == 3 and 1e-3 <= abs(value) < 1e4:
            return "%.4f" % value
        return np.array2string(np.array([value]), precision=digits)[1:-1].strip()

    # ---- asking

    def array(self, x, name):
        path = self.folder / f"{name}{self.calls}.npy"
        np.save(path, x)
        return str(path)

    def ask(self, *arguments):
        self.calls += 1
        done = subprocess.run([self.program, "check", *map(str, arguments), "--json", "-", "--quiet"],
                              capture_output=True, text=True)
        if done.returncode not in (0, 1):
            raise SystemExit(f"{' '.join(map(str, arguments))}: {done.stderr}")
        answer = json.loads(done.stdout)
        for name in self.folder.glob("*.npy"):
            name.unlink()
        verdict = answer["verdict"]
        if verdict != "explained" and not verdict.startswith("outside"):
            print(f"  {verdict}: check {' '.join(map(str, arguments))}", file=sys.stderr)
        return verdict

    def sum(self, x, order, values, *more):
        given = [part for v in values for part in ("--value", v)]
        return self.ask("--input", self.array(x, "x"), "--order", order, *given, *more)

    # ---- the kinds

    def printed_digits(self):
        x = self.terms(self.size())
        order, value = [("sequential", self.in_turn(x)), ("halving(4096)", self.halving_padded(x)),
                        ("numpy", np.sum(x)), ("random", self.in_turn(self.random.permutation(x)))][self.random.integers(4)]
        return self.sum(x, order, [self.printed(value)])

    def halving_padded(self, x):
        """halving(4096): an absent partner adds nothing."""
        x = x.copy()
        offset = 2048
        while offset:
            if len(x) > offset:
                low = x[:offset].copy()
                low[: len(x) - offset] += x[offset:]
                x = low
            offset //= 2
        return x[0]

    def means(self):
        x = self.terms(self.size())
        n = np.float32(len(x))
        total = self.in_turn(x)
        mean = total / n if self.random.integers(2) else total * (np.float32(1) / n)
        return self.sum(x, "sequential", ["mean:" + self.printed(mean)])

    def equal_runs(self):
        x = self.terms(self.size())
        order = self.random.choice(["random", "openmp(4)", "warp", "ao"])
        if order == "openmp(4)":
            value = self.chunks(x, 4, self.random.permutation(4))
        elif order == "warp":
            groups = np.array([self.halving_warp(x[i:i + 32]) for i in range(0, len(x), 32)], np.float32)
            value = self.in_turn(self.random.permutation(groups))
        else:
            value = self.in_turn(self.random.permutation(x))
        return self.sum(x, order, [float(value).hex()] * int(self.random.integers(2, 40)))

    @staticmethod
    def halving_warp(x):
        x = x.copy()
        for offset in (16, 8, 4, 2, 1):
            if len(x) > offset:
                low = x[:offset].copy()
                low[: len(x) - offset] += x[offset:]
                x = low
        return x[0]

    def chunks(self, x, t, arrival):
        """A static schedule: chunks of ceil or floor n/t in turn, their sums in an arrival order, from +0."""
        sizes = [len(x) // t + (i < len(x) % t) for i in range(t)]
        ends = np.cumsum(sizes)
        sums = [self.in_turn(np.concatenate([[np.float32(0)], x[e - s:e]]).astype(np.float32)) for s, e in zip(sizes, ends)]
        return self.in_turn(np.concatenate([[np.float32(0)], np.array(sums, np.float32)[arrival]]).astype(np.float32))

    def recorded_arrivals(self):
        x = self.terms(len(self.recordings[0]))
        rows = self.random.choice(np.arange(1, len(self.recordings)), int(self.random.integers(1, 20)), replace=False)
        values = [float(self.in_turn(x[self.recordings[r]])).hex() for r in rows]
        return self.sum(x, self.random.choice(["ao", "arrive | seq"]), values)

    def reversed_and_sorted(self):
        x = self.terms(self.size())
        y = [x[::-1], np.sort(x), np.sort(x)[::-1], x[np.argsort(np.abs(x), kind="stable")],
             x[np.argsort(-np.abs(x), kind="stable")]][self.random.integers(5)]
        return self.sum(x, self.random.choice(["random", "ao"]), [float(self.in_turn(y)).hex()])

    def real_openmp(self):
        x = self.terms(self.size(100000))
        program = self.folder / "openmp"
        if not program.exists():
            source = self.folder / "openmp.cpp"
            source.write_text(OPENMP)
            subprocess.run(["g++", "-O2", "-fopenmp", "-o", program, source], check=True)
        t = int(self.random.integers(2, 5))
        raw = self.folder / "x.f32"
        x.tofile(raw)
        runs = int(self.random.integers(1, 30))
        out = subprocess.run([program, raw, str(len(x)), str(t), str(runs)], capture_output=True, text=True, check=True,
                             env=dict(os.environ, OMP_WAIT_POLICY="passive")).stdout.split()
        return self.sum(x, f"openmp({t})", out)

    def array_runs(self):
        columns = int(self.random.integers(1, 4))
        outputs = int(self.random.integers(1, 400))
        rows = int(outputs * self.random.uniform(0.5, 6)) + 1
        source = self.terms(rows * columns).reshape(rows, columns)
        index = self.random.integers(0, outputs, rows)
        target = np.zeros((outputs, columns), np.float32)
        flat = [(r, c) for r in range(rows) for c in range(columns)]
        for k in self.random.permutation(len(flat)):
            r, c = flat[k]
            target[index[r], c] += source[r, c]
        return self.ask("--op", "index_add(dim=0)", "--index", self.array(index, "i"), "--input",
                        self.array(source, "s"), "--self", self.array(np.zeros_like(target), "t"), "--actual",
                        self.array(target, "a"))

    def subnormals(self):
        n = int(self.random.integers(2, 200))
        x = (self.random.normal(0, 1, n) * 2.0 ** self.random.integers(-130, -120)).astype(np.float32)
        flush = bool(self.random.integers(2))
        order = self.random.choice(["sequential", "random", "ao"])
        y = x if order == "sequential" else self.random.permutation(x)
        tiny = np.float32(2.0 ** -126)
        total = np.float32(0) if order == "ao" else None
        for v in y:
            if flush and abs(v) < tiny:
                v = np.float32(0)
            total = v if total is None else total + v
            if flush and abs(total) < tiny:
                total = np.float32(0)
        return self.sum(x, order, [float(total).hex()])

    def bf16(self, x):
        """Rounded to bf16, as float32 numbers."""
        bits = np.atleast_1d(np.asarray(x, np.float32)).view(np.uint32).astype(np.int64)
        rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16 << 16).astype(np.uint32).view(np.float32)
        return rounded if np.ndim(x) else rounded[0]

    def sixteen_bits(self):
        n = self.size(500)
        x = self.random.uniform(-1, 1, n).astype(np.float16)
        way = self.random.integers(3)
        if way == 0:
            return self.sum(x, "sequential", [self.printed(self.in_turn(x))], "--format", "fp16")
        if way == 1:
            return self.sum(x, "sequential", [self.printed(np.float16(self.in_turn(x, np.float32)))], "--format",
                            "fp16:fp32:fp16")
        y = self.bf16(x)
        total = y[0]
        for v in self.random.permutation(y[1:]):
            total = self.bf16(np.float32(total + v))
        return self.sum(y, "random", [float(total).hex()], "--format", "bf16")

    def mixed_formats(self):
        x = self.terms(self.size())
        way = self.random.integers(3)
        if way == 0:
            return self.sum(x, "sequential", [self.printed(np.float32(self.in_turn(x, np.float64)))], "--format",
                            "fp32:fp64:fp32")
        if way == 1:
            return self.sum(x, "random", [repr(float(self.in_turn(self.random.permutation(x), np.float64)))], "--format",
                            "fp32:fp64")
        y = x.astype(np.float64) / 3
        return self.sum(y, "sequential", [self.printed(self.in_turn(y.astype(np.float32)))], "--format", "fp64:fp32")

    # ---- kinds that nothing was tuned on

    def bursty_arrivals(self):
        """Runs of thread blocks arrive together, the runs in any order; some late ones last."""
        n = int(self.random.integers(100, 5000))
        x = self.terms(n)
        run = int(self.random.integers(2, 50))
        order = np.concatenate([np.arange(n)[i:i + run] for i in self.random.permutation(np.arange(0, n, run))])
        late = self.random.random(n) < 0.01
        order = np.concatenate([order[~late[order]], order[late[order]]])
        return self.sum(x, self.random.choice(["ao", "random"]), [self.printed(self.in_turn(x[order]))])

    def interleaved(self):
        """Two queues that take turns, one slower than the other."""
        n = int(self.random.integers(10, 4000))
        x = self.terms(n)
        share = self.random.uniform(0.1, 0.9)
        first, second = list(range(0, n, 2)), list(range(1, n, 2))
        order = []
        while first or second:
            take = first if (self.random.random() < share and first) or not second else second
            order.append(take.pop(0))
        return self.sum(x, "ao", [float(self.in_turn(x[order])).hex()] * int(self.random.integers(1, 5)))

    def zeros_among(self):
        """Terms that are mostly zero, printed short."""
        x = self.terms(self.size())
        x[self.random.random(len(x)) < 0.9] = 0
        return self.sum(x, "random", [self.printed(self.in_turn(self.random.permutation(x)))])

    def dot_products(self):
        n = self.size()
        x, y = self.random.normal(0, 1, n).astype(np.float32), self.random.normal(0, 1, n).astype(np.float32)
        value = self.in_turn(x * y)
        return self.ask("--input", self.array(x, "x"), "--with", self.array(y, "y"), "--order", "sequential", "--value",
                        self.printed(value))


    # ---- faults, which should be found

    def faulty(self, fault, order, runs):
        """Whether a check of `runs` results, all with the fault, rejects them. Terms uniform(0, 1) in fp32."""
        n = 2000
        x = self.random.uniform(0, 1, n).astype(np.float32)
        values = []
        for _ in range(runs):
            y = x.copy()
            i = int(self.random.integers(n))
            if fault == "dropped":
                y[i] = 0
            elif fault == "doubled":
                y[i] = 2 * y[i]
            elif fault == "re-rounded":
                y[i] = np.float32(np.float16(y[i]))
            lost = int(self.random.integers(n // 32)) if fault == "lost update" else None
            values.append(float(self.ordered(y, order, lost)).hex())
        return self.sum(x, order, values)

    def ordered(self, x, order, lost):
        """The sum in the order; the partial sum `lost` never arrives."""
        if order == "warp":
            parts = np.array([self.halving_warp(x[i:i + 32]) for i in range(0, len(x), 32)], np.float32)
        elif order == "openmp(4)":
            return self.chunks(np.delete(x, lost) if lost is not None else x, 4, self.random.permutation(4))
        else:
            parts = x
        if lost is not None:
            parts = np.delete(parts, lost)
        return self.in_turn(parts if order == "sequential" else self.random.permutation(parts))


FAULTS = ["dropped", "doubled", "re-rounded", "lost update"]
TEN = ["printed_digits", "means", "equal_runs", "recorded_arrivals", "reversed_and_sorted", "real_openmp", "array_runs",
       "subnormals", "sixteen_bits", "mixed_formats"]
MORE = ["bursty_arrivals", "interleaved", "zeros_among", "dot_products"]


def faults(arguments):
    print(f"{'fault':12} {'order':12} {'results':>8} {'found of ' + str(arguments.each):>14}")
    with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w") as sys.stderr:
        honest = Honest(os.path.abspath(arguments.program), folder, arguments.seed, [])
        for fault in FAULTS:
            for order in ("sequential", "openmp(4)", "warp", "random"):
                for runs in (1, 10) if order != "sequential" else (1,):
                    found = sum(honest.faulty(fault, order, runs) != "explained" for _ in range(arguments.each))
                    print(f"{fault:12} {order:12} {runs:8} {found:14}", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--each", type=int, default=200)
    parser.add_argument("--kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--recordings")
    parser.add_argument("--faults", action="store_true", help="what faults are found instead")
    arguments = parser.parse_args()
    recordings = []
    if arguments.recordings and os.path.exists(arguments.recordings):
        with bz2.open(arguments.recordings, "rt") as file:
            recordings = [np.array(line.split(","), int) for line in file]
    if arguments.faults:
        return faults(arguments)
    total = {"impossible": 0, "unlikely": 0}
    print(f"{'kind':22} {'asked':>6} {'impossible':>11} {'unlikely':>9} {'outside':>8}")
    with tempfile.TemporaryDirectory() as folder:
        honest = Honest(os.path.abspath(arguments.program), folder, arguments.seed, recordings)
        for kind in [arguments.kind] if arguments.kind else TEN + MORE:
            if kind == "recorded_arrivals" and not recordings:
                print(f"{kind:22} skipped: no recordings")
                continue
            each = arguments.each if kind in TEN or arguments.kind else arguments.each // 4
            verdicts = [getattr(honest, kind)() for _ in range(each)]
            counts = {v: verdicts.count(v) for v in ("impossible", "unlikely", "outside the model")}
            print(f"{kind:22} {each:6} {counts['impossible']:11} {counts['unlikely']:9} {counts['outside the model']:8}",
                  flush=True)
            for v in total:
                total[v] += counts[v]
    print(f"{'all':22} {'':6} {total['impossible']:11} {total['unlikely']:9}")
    return 1 if total["impossible"] else 0


if __name__ == "__main__":
    sys.exit(main())
