#!/usr/bin/env python3
"""Commands of every kind print the same bytes in whatever floating-point environment the program is started: a library
that is preloaded sets it before the program's own first object is made.

usage: environments.py PROGRAM LIBRARY [--table]
"""

import argparse
import concurrent.futures
import ctypes
import os
import subprocess
import sys
import tempfile
from pathlib import Path

PATIENCE_S = 120
SKIPPED = 77

TINY = "1e-310,2e-310,-3e-310,5e-324,0.1,0.7,-0.3"
FILES = {
    "orders.csv": "".join(",".join(map(str, sorted(range(40), key=lambda i: i + (i * k) % 9))) + "\n" for k in range(1, 9)),
    "terms.txt": "0.1\n1e-310\n-0.3\n2e-310\n1e16\n1\n-1e16\n3.3333333333333335\n",
    "a.txt": "0.781\n0.779\n0.790\n0.784\n0.7811\n",
    "b.txt": "0.795\n0.788\n0.801\n0.797\n0.7902\n",
    "answers.json": '{"choices": [{"logprobs": {"tokens": ["a"], "token_logprobs": [-0.5], "top_logprobs": [{"a": -0.5, "b": -1}]}}]}',
    "two.txt": "1e-310\n2e-310\n",
    "sweep.toml": "n = [3, 100]\norder = ['warp', 'ao']\nsamples = 50\ndist = ['uniform(0,1)', 'normal(0,1e-310)']\n",
}
JSON = ["--json", "-", "--quiet"]
CSV = ["--csv", "-", "--quiet"]


def commands(captures, library):
    """Name and arguments of commands, in an order in which later ones read what earlier ones stored."""
    box = f"{library}:sum_in_turn"
    return [
        ("sum", ["sum", "--values", TINY, "--order", "sequential"]),
        ("sum of subnormals", ["sum", "--values", "1e-310,2e-310", "--order", "sequential", *JSON]),
        ("sum of fp32", ["sum", "--n", "1000", "--format", "fp32", "--dist", "normal(0,1e-40)", "--order", "sptr", *JSON]),
        ("sum, Kahan", ["sum", "--n", "1000", "--order", "seq(acc=kahan)", *JSON]),
        ("sample", ["sample", "--n", "1000", "--order", "warp", "--samples", "200"]),
        ("sample, drift", ["sample", "--n", "1000", "--order", "spa", "--arrival", "drift(1,9)", "--samples", "50", *JSON]),
        ("sample of a file", ["sample", "--input", "terms.txt", "--order", "random", "--samples", "100", *CSV]),
        ("sample, fp16", ["sample", "--n", "300", "--format", "fp16:fp32", "--order", "ao", "--samples", "50", *JSON]),
        ("sample, logspread", ["sample", "--n", "300", "--dist", "logspread(-300,-290)", "--order", "random", "--samples", "50",
                               *JSON]),
        ("sample, page", ["sample", "--n", "300", "--order", "warp", "--samples", "100", "--html", "-", "--quiet"]),
        ("sample of an operation", ["sample", "--op", "index_add", "--shape", "200x4", "--ratio", "0.2", "--samples", "20", *JSON]),
        ("enumerate", ["enumerate", "--values", TINY, "--order", "random", *JSON]),
        ("enumerate, tree", ["enumerate", "--values", "0.1,0.2,1e-310,-0.3,1", "--order", "random_tree"]),
        ("enumerate an operation", ["enumerate", "--op", "index_add", "--shape", "20x2", "--ratio", "0.3", *JSON]),
        ("check", ["check", "--input", "two.txt", "--value", "3e-310", "--order", "random", *JSON]),
        ("check, samples", ["check", "--n", "500", "--order", "random", "--value", "249.8", *JSON]),
        ("check, any order", ["check", "--n", "40", "--order", "any", "--value", "20.5", *JSON]),
        ("tolerance", ["tolerance", "--n", "200", "--order", "warp", *JSON]),
        ("tolerance, new inputs", ["tolerance", "--n", "100", "--order", "random", "--inputs", "auto", "--coverage", "0.9"]),
        ("tolerance of an operation", ["tolerance", "--op", "index_add", "--shape", "100x4", "--ratio", "0.2", "--coverage",
                                       "0.9", *JSON]),
        ("worst", ["worst", "--n", "200", "--order", "random", "--evaluations", "300", *JSON]),
        ("worst, exact", ["worst", "--values", TINY, "--order", "random"]),
        ("tree", ["tree", "--n", "20", "--order", "warp", *JSON]),
        ("explain", ["explain", "--op", "index_add", "--shape", "1000x20", "--ratio", "0.5", *JSON]),
        ("alternatives", ["alternatives", "--op", "index_add", "--shape", "100x20", "--ratio", "0.5", "--samples", "10", *JSON]),
        ("solve", ["solve", "cg", "--matrix", "poisson2d(8)", "--samples", "5", *JSON]),
        ("solve, fp32", ["solve", "gmres", "--matrix", "poisson2d(6)", "--samples", "3", "--format", "fp32"]),
        ("train", ["train", "--nodes", "200", "--seeds", "2", "--orders", "2", "--epochs", "2", *JSON]),
        ("compare", ["compare", "a.txt", "b.txt", "--difference", "0.01", *JSON]),
        ("infer", ["infer", "--logprobs", "answers.json", "--noise", "0.1", *JSON]),
        ("fit", ["fit", "orders.csv", *JSON]),
        ("arrivals", ["arrivals", "uniform", "--blocks", "100", "--draws", "5", *JSON]),
        ("crosscheck", ["crosscheck", "--device", "host", "--kernel", "spa", "--n", "200", *JSON]),
        ("crosscheck, dot", ["crosscheck", "--device", "host", "--kernel", "dot_fma", "--n", "100"]),
        ("verify", ["verify", str(captures / "outputs.capture"), *JSON]),
        ("probe a library", ["probe", "--library", box, "--n", "20", "--format", "fp64", *JSON]),
        ("probe a command", ["probe", "--command", "unset LD_PRELOAD; awk '{s += $1} END {printf \"%.17g\\n\", s}'", "--n", "6", "--format", "fp64",
                             *JSON]),
        ("sweep", ["sweep", "sweep.toml", "--db", "store.sqlite", "--quiet"]),
        ("export", ["export", "store.sqlite", "--csv", "-"]),
        ("report", ["report", "store.sqlite", "-o", "-"]),
        ("list", ["list", "arrivals"]),
        ("a wrong number", ["sample", "--n", "1e400", "--order", "warp"]),
    ]


class Matrix:
    def __init__(self, program, library, folder):
        self.program, self.library, self.folder = program, Path(library).resolve(), Path(folder)
        self.captures = Path(__file__).resolve().parents[1] / "captures"

    def run(self, environment, arguments, folder):
        variables = {**os.environ, "LD_PRELOAD": str(self.library), "ORDERLAB_TEST_FLOAT_ENVIRONMENT": environment}
        done = subprocess.run([self.program, *arguments], cwd=folder, env=variables, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE_S, check=False)
        return done.returncode, done.stdout, done.stderr

    def column(self, environment):
        """What every command prints in one environment, in a folder of its own."""
        folder = self.folder / environment
        folder.mkdir()
        for name, text in FILES.items():
            (folder / name).write_text(text)
        return [self.run(environment, arguments, folder) for _, arguments in commands(self.captures, self.library)]


def environments(library):
    names = ctypes.CDLL(library).float_environment_name
    names.restype = ctypes.c_char_p
    found = []
    while (name := names(len(found))) is not None:
        found.append(name.decode())
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("library")
    parser.add_argument("--table", action="store_true", help="print every cell")
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        matrix = Matrix(str(Path(options.program).resolve()), options.library, folder)
        status, _, err = matrix.run("default", ["--version"], folder)
        if status != 0:  # a sanitizer's library that has to be the first
            print(f"skipped: the program does not start with a preloaded library: {err.decode()[-200:]}")
            return SKIPPED
        names = environments(options.library)
        rows = commands(matrix.captures, matrix.library)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            columns = dict(zip(names, pool.map(matrix.column, names)))
    for i, (name, arguments) in enumerate(rows):
        expected = columns[names[0]][i]
        if (expected[0] == 2) != (name == "a wrong number"):
            failures.append(f"{name}: exit status {expected[0]}: {expected[2].decode()[-200:]}")
        cells = []
        for environment in names[1:]:
            status, out, _ = columns[environment][i]
            same = (status, out) == expected[:2]
            cells.append("." if same else "bytes" if status == expected[0] else f"status {status}")
            if not same:
                failures.append(f"{name}, {environment}: {cells[-1]}: orderlab {' '.join(arguments)}")
        if options.table:
            print(f"{name:28}" + "".join(f"{cell:>17}" for cell in cells))
    if options.table:
        print(f"{'':28}" + "".join(f"{name:>17}" for name in names[1:]))
    cells = len(rows) * (len(names) - 1)
    different = sum(columns[name][i][:2] != columns[names[0]][i][:2] for name in names[1:] for i in range(len(rows)))
    print("\n".join(failures) if failures else "no command notices its floating-point environment")
    print(f"{different} of {cells} cells differ: {len(rows)} commands, {len(names) - 1} environments")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
