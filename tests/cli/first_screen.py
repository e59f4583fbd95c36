#!/usr/bin/env python3
"""What newcomers need, each by one or two commands, with the answer on the first screen of 100 x 40 characters.

usage: first_screen.py ORDERLAB

A command whose program or module is not installed is skipped, and counted.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROWS, COLUMNS = 40, 100
README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")

# A need, the page that README names for it, the commands, what the last one answers. A first command may be one that is
# refused with the words that make the second.
NEEDS = [
    ("a CUDA sum against numpy", "gpu-numpy.md",
     ["orderlab sample --input x.f32 --order numpy --order warp"],
     ["A run of numpy and a run of warp differ in bits with probability 0."]),
    ("index_add", "index-add.md",
     ["orderlab sample --op index_add --shape 1000x200 --ratio 0.5 --samples 100"],
     ["100 runs gave 100 different arrays; on average ", "of the outputs differ from the baseline, by at most"]),
    ("64 against 32 ranks", "ranks.md",
     ["orderlab sample --input x.f32 --order 'chunks(64) | mpi_recursive_doubling' "
      "--order 'chunks(32) | mpi_recursive_doubling'"],
     ["2 different results among 2 orders, ", " ulp apart (relative "]),
    ("64 against 32 ranks, a tolerance", "ranks.md",
     ["orderlab tolerance --n 1e3 --order 'chunks(64) | mpi_recursive_doubling' "
      "--against 'chunks(32) | mpi_recursive_doubling'"],
     ["  rtol  ", "  atol  "]),
    ("batch size", "batch-size.md",
     ["orderlab explain --op 'matmul(8,4096,512)' --batch 1,64,1024"],
     ["the same 8 rows of 4096 outputs in batches, compared with the first size:"]),
    ("batch size, drawn", "batch-size.md",
     ["orderlab sample --op 'matmul(8,4096,512)' --batch 1,1024 --samples 50"],
     ["in batches, compared with the first size:", "50 runs gave 50 different arrays"]),
    ("a CSV column", "csv-column.md",
     ["orderlab sample --input orders.csv --order random", "orderlab sample --input orders.csv::amount --order random"],
     ["1000 runs gave ", "different sums over a range of "]),
    ("five seeds of a training", "training-score.md",
     ["orderlab train --seeds 5 --orders 2 --nodes 200 --epochs 10"],
     ["Another seed", "the test accuracy by at most"]),
    ("five seeds of two models", "compare-models.md",
     ["orderlab compare 0.781,0.779,0.79,0.784,0.785 0.795,0.788,0.801,0.797,0.79"],
     ["B is better than A by 0.0104 (95 %: "]),
    ("which order does my library use", "library-order.md",
     ["orderlab probe --python numpy:sum"], ["named: numpy"]),
    ("10,000 points on Slurm", "slurm.md",  # the line for Slurm is tests/cluster/slurm_line.py
     ["orderlab sweep points.toml --dry-run"], ["10000 points"]),
]
NAMED = "name one, such as "  # of the refusal before a second command


def has_numpy():
    python = os.environ.get("ORDERLAB_PYTHON", "python3")
    return subprocess.run([python, "-c", "import numpy"], capture_output=True, check=False).returncode == 0


def problems_of(need, page, commands, answers, run):
    if f"how-to/{page})" not in README:
        yield f"README does not name {page}"
    for command in commands[:-1]:
        done = run(command)
        if NAMED not in done.stderr:
            yield f"{command}: does not say what to type: {done.stderr}"
    done = run(commands[-1])
    if done.returncode not in (0, 1):
        yield f"{commands[-1]}: status {done.returncode}"
    lines = done.stdout.splitlines()
    screen = "\n".join(lines[:ROWS - 1])  # the last line is the prompt
    for answer in answers:
        if answer not in " ".join(screen.split("\n")):
            yield f"{commands[-1]}: no {answer!r} in the first {ROWS - 1} of {len(lines)} lines\n{done.stderr}{done.stdout}"
    if len(commands) > 2:
        yield f"{need}: {len(commands)} commands"


def main():
    orderlab = str(Path(sys.argv[1]).resolve())
    faults = skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "bin").mkdir()
        (Path(folder) / "bin" / "orderlab").symlink_to(orderlab)
        write_files(Path(folder))
        environment = dict(os.environ, COLUMNS=str(COLUMNS), PATH=f"{folder}/bin:{os.environ['PATH']}")

        def run(command):
            return subprocess.run(command, shell=True, cwd=folder, env=environment, capture_output=True, text=True,
                                  check=False)

        for need, page, commands, answers in NEEDS:
            if "numpy:sum" in commands[-1] and not has_numpy():
                skipped += 1
                continue
            found = list(problems_of(need, page, commands, answers, run))
            faults += len(found)
            print(f"{need}: {len(commands)} command{'s' if len(commands) > 1 else ''}", *found, sep="\n  ")
    print(f"{len(NEEDS) - skipped} needs, {skipped} skipped, {faults} faults")
    return 1 if faults else 0


def write_files(folder):
    import array

    (folder / "x.f32").write_bytes(array.array("f", [(i * 7919 % 1000) / 997 for i in range(20000)]).tobytes())
    (folder / "orders.csv").write_text("id,amount\n" + "".join(f"{i},{i * 7919 % 1000}.{i % 100:02d}\n" for i in range(1000)))
    (folder / "points.toml").write_text(
        'n = [1000, 2000, 3000, 5000, 10000]\norder = ["random", "warp", "ao", "spa"]\ndist = ["uniform(0,1)", '
        '"normal(0,1)"]\nformat = ["fp64", "fp32"]\ninput = { from = 0, to = 124 }\n')


if __name__ == "__main__":
    sys.exit(main())
