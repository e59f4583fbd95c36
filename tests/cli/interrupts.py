#!/usr/bin/env python3
"""Starts every command on long work and interrupts it at a random moment: it ends soon, says nothing that its finished
work does not support, leaves no half-written file, and a second Ctrl-C ends it at once.

usage: interrupts.py PROGRAM [--trials N] [--seed S] [--only COMMAND ...] [--measure]

Prints for each trial when it was interrupted, the seconds from then on until it had ended, those of the processor in
them, and how it ended. --measure fails for nothing.
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "schemas"))
from inputs import write_captures  # noqa: E402

# It takes 0.2 s where nothing else runs; where much else does, the processor's time tells that from work that goes on.
MOST_WALL = 5.0
MOST_PROCESSOR = 3.0

LATEST = 1.0  # seconds after the start

SAYS_SO = re.compile(r"interrupted|incomplete|stopped|partial|no verdict|no answer yet|left out", re.I)


class Entry:
    """A command on long work. `never`: what its text must not say before it is done. `writes`: its flags of files;
    none where it has no such flag, or where writing would take so long that a prompt stop could not be told."""

    def __init__(self, line, never="(?!)", writes=("--json",)):
        self.line = line.split("|") if "|" in line else line.split()
        self.command = self.line[0]
        self.never = re.compile(never)
        self.writes = writes


EXPLAINED = r"EXPLAINED|Explained|Impossible|Unlikely:|Judged by"
ENTRIES = [
    Entry("sample --n 1e6 --order random --order tree --samples 1e9"),
    Entry("sample --n 1e7 --order random --samples 1000"),
    Entry("sample --op index_add(dim=0) --shape 3000000 --ratio 0.01 --samples 1e6"),
    Entry("enumerate|--n|28|--dist|normal(0,1)|--format|fp32|--order|random", never="Exact|probability|all orders"),
    Entry("enumerate --op index_add(dim=0) --shape 3000000 --ratio 0.3", never="probability"),
    Entry("sum --n 8e7 --order seq(acc=kahan) --format fp32", never="error"),
    Entry("tree --n 3e6 --order random --newick", writes=()),
    Entry("check|--n|1e6|--dist|normal(0,1)|--order|random|--value|1118.8027453400000", never="EXPLAINED|Judged by"),
    Entry("check|--n|1000|--dist|normal(0,1)|--order|random|--values|results.txt", never="EXPLAINED|Judged by"),
    Entry("check --n 2e7 --order any --value 1", never="EXPLAINED|Nor does"),
    Entry("check --op index_add(dim=0) --shape 1000000 --ratio 0.03 --actual actual.npy --samples 1e6", never=EXPLAINED),
    Entry("tolerance --n 1e6 --order warp --format fp32 --coverage 0.99999"),
    Entry("tolerance --n 1e6 --order random --inputs auto --format fp32"),
    Entry("tolerance --op index_add(dim=0) --shape 1000000 --ratio 0.01"),
    Entry("worst --n 1e7 --order random", never="Exact:", writes=()),  # its orders are 300 MB of JSON: seconds to write
    Entry("worst --n 1e6 --order random", never="Exact:"),
    Entry("worst --n 1e5 --order random --seconds 1000", never="Exact:"),
    Entry("worst|--n|17|--dist|normal(0,1)|--order|random_tree", never="found so far"),
    Entry("explain --op index_add(dim=0) --shape 30000000 --ratio 0.5"),
    Entry("alternatives --op index_add(dim=0) --shape 3000000 --ratio 0.01 --samples 1e5"),
    Entry("solve cg --matrix poisson2d(1024) --order warp --samples 1000"),
    Entry("train --seeds 1000 --orders 4"),
    Entry("compare scores_a.txt scores_b.txt"),
    Entry("probe|--command|sleep 0.05; awk '{s += $1} END {printf \"%.17g\", s}'|--format|fp64|--n|64",
          never="as expected"),
    Entry("probe|--command|awk '{s += $1} END {printf \"%.17g\", s}'|--format|fp64|--n|100000", never="as expected"),
    Entry("verify slow.capture", never="all .* match"),
    Entry("infer --logprobs answers.jsonl --noise 0.1"),
    Entry("fit orders.csv --predict"),
    Entry("arrivals uniform --blocks 1e6 --draws 1000"),
    Entry("crosscheck --device host --n 1e7 --kernel spa", never="bit-identical"),
    Entry("crosscheck --full", never="bit-identical"),
    Entry("host sum.cu --runs 1000", never="nothing varies over 1000"),
    Entry("sweep long.toml --db new.sqlite", writes=()),
    Entry("sweep --status --db store.sqlite", writes=()),
    Entry("merge --db joined.sqlite store.sqlite", writes=()),
    Entry("report store.sqlite -o page.html", writes=()),
    Entry("export store.sqlite --csv points.csv", writes=()),
    Entry("list orders", writes=()),
    Entry("doctor", writes=()),
    Entry("help sample", writes=()),
]

CUDA_SUM = """
#include <cstdio>
__global__ void add(float* sum) { atomicAdd(sum, 1.0f / (1 + blockIdx.x)); }
int main() {
  float* sum;
  float host = 0;
  cudaMalloc(&sum, sizeof host);
  cudaMemcpy(sum, &host, sizeof host, cudaMemcpyHostToDevice);
  add<<<100, 1>>>(sum);
  cudaMemcpy(&host, sum, sizeof host, cudaMemcpyDeviceToHost);
  printf("%.9g\\n", host);
  cudaFree(sum);
}
"""

CONFIG = """
title = "Interrupted"
n = [{n}]
order = ["random", "spa", "sequential"]
format = ["fp64", "fp32"]
input = {{ from = 0, to = {inputs} }}
samples = {samples}
"""


def npy(path, count):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(4 * count))


def make_inputs(program, folder):
    draw = random.Random(1)
    write_captures(folder, TESTS / "captures")
    (folder / "results.txt").write_text("".join(f"{draw.gauss(0, 1)}\n" for _ in range(2000)))
    for name in "ab":
        (folder / f"scores_{name}.txt").write_text("".join(f"{draw.random()}\n" for _ in range(200000)))
    rows = [list(range(300)) for _ in range(200)]
    for row in rows:
        draw.shuffle(row)
    (folder / "orders.csv").write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    logprobs = {"tokens": ["a"] * 300, "token_logprobs": [-0.5] * 300, "top_logprobs": [{"a": -0.5, "b": -1}] * 300}
    (folder / "answers.jsonl").write_text((json.dumps({"choices": [{"logprobs": logprobs}]}) + "\n") * 2000)
    npy(folder / "actual.npy", 1000000)
    (folder / "sum.cu").write_text(CUDA_SUM)
    (folder / "long.toml").write_text(CONFIG.format(n=1000000, inputs=99, samples=100000))
    (folder / "short.toml").write_text(CONFIG.format(n=50, inputs=9, samples=20))
    subprocess.run([program, "sweep", "short.toml", "--db", "store.sqlite", "--quiet"], cwd=folder, check=True)


def await_guard(process):
    """Until the program holds interrupts back, which it does first of all: before, it is the system that ends it."""
    blocked = re.compile(r"^SigBlk:\s*([0-9a-f]+)$", re.M)
    for _ in range(10000):
        try:
            if int(blocked.search(Path(f"/proc/{process.pid}/status").read_text()).group(1), 16) >> (signal.SIGINT - 1) & 1:
                return
        except (OSError, AttributeError):
            return
        time.sleep(0.002)


def processor_seconds(process):
    """Of the process until now, its children left out."""
    try:
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Trial:
    def __init__(self, entry, program, folder, moment, mode):
        if not entry.writes and mode in ("json", "file"):
            mode = "text"
        self.entry, self.moment, self.mode = entry, moment, mode
        before = set(os.listdir(folder))
        arguments = [program, *entry.line]
        file = None
        if mode == "file":
            file = folder / "written.json"
            arguments += [entry.writes[0], file.name]
        elif mode == "json":
            arguments += [entry.writes[0], "-"]
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
            await_guard(process)
            time.sleep(moment)
            self.done_before = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
            used = processor_seconds(process)
            start = time.monotonic()
            os.kill(process.pid, signal.SIGINT)
            if mode == "twice":
                time.sleep(0.02)
                start = time.monotonic()
                os.kill(process.pid, signal.SIGINT)
            watchdog = threading.Timer(120, process.kill)
            watchdog.start()
            _, status, usage = os.wait4(process.pid, 0)
            watchdog.cancel()
            self.seconds = time.monotonic() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            self.status = process.returncode
            self.processor = 0.0 if self.done_before else max(0.0, usage.ru_utime + usage.ru_stime - used)
            out.seek(0)
            err.seek(0)
            self.out = out.read().decode()
            self.err = err.read().decode()
        self.file = file.read_text() if file is not None and file.exists() else None
        self.left = {name for name in os.listdir(folder) if name.startswith(".orderlab-")}
        for name in set(os.listdir(folder)) - before:
            if (folder / name).is_file():
                (folder / name).unlink()

    def how(self):
        if self.done_before or self.status in (0, 1):
            return "done"
        if not self.out.strip() and not self.file:
            return "nothing to report"
        return "what it had"

    def problems(self):
        found = []
        if self.left:
            found.append(f"left {self.left}")
        if self.done_before:  # a fast machine, or work that is never long
            return found
        if self.seconds > MOST_WALL and self.processor > MOST_PROCESSOR or self.seconds > 6 * MOST_WALL:
            found.append(f"went on for {self.seconds:.1f} s")
        if self.status in (0, 1):
            return found  # it was done as the interrupt came
        if self.status != 130:
            return [*found, f"exit status {self.status}"]
        if self.mode == "twice":
            return found
        documents = [text for text in (self.out if self.mode == "json" else "", self.file or "") if text.strip()]
        for text in documents:
            try:
                if '"partial": true' not in json.dumps(json.loads(text)):
                    found.append("a document that does not say that it is partial")
                elif json.loads(text).get("verdict") in ("not_explained", "unlikely"):
                    found.append("a verdict of unfinished work")
            except ValueError:
                found.append("a document that is cut off")
        if self.mode != "json" and self.out.strip():
            if not SAYS_SO.search(self.out):
                found.append("does not say that it was interrupted")
            if self.entry.never.search(self.out):
                found.append(f"says '{self.entry.never.search(self.out).group()}'")
        if not self.out.strip() and not documents and "interrupted" not in self.err:
            found.append("says nothing")
        return found


def require_all_commands(program):
    text = subprocess.run([program, "--help"], check=True, stdout=subprocess.PIPE, text=True).stdout
    names = set(re.findall(r"^  ([a-z]+) ", text.partition("Subcommands:")[2], re.M))
    missing = names - {entry.command for entry in ENTRIES}
    assert names and not missing, f"no entry for {sorted(missing)}: what does an interrupt of it leave?"


def reports_of_doubled_interrupts(program, times):
    """How many of so many runs report although two signals come at once, as timeout(1) sends them."""
    reports = 0
    for _ in range(times):
        process = subprocess.Popen([program, "sample", "--n", "5000", "--order", "random", "--samples", "1e9"],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        await_guard(process)
        time.sleep(0.2)
        os.kill(process.pid, signal.SIGINT)
        os.kill(process.pid, signal.SIGINT)
        reports += b"incomplete" in process.communicate()[0]
    return reports


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--trials", type=int, default=1, help="of each entry")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--latest", type=float, default=LATEST, help="seconds after the start")
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    program = str(Path(options.program).resolve())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it, and so would they
    seed = options.seed if options.seed is not None else random.randrange(2**32)
    print(f"--seed {seed}", flush=True)
    draw = random.Random(seed)
    require_all_commands(program)
    failed = 0
    reports = reports_of_doubled_interrupts(program, 8)
    print(f"two signals at once, 8 times: {reports} reports", flush=True)
    if reports < 6:  # not 8: the second may come late on a busy machine
        failed += 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_inputs(program, folder)
        for number, entry in enumerate(ENTRIES):
            moments = [(draw.uniform(0.02, options.latest), draw.choice(["text", "json", "file", "twice"]))
                       for _ in range(options.trials)]
            if options.only and entry.command not in options.only:
                continue
            for moment, mode in moments:
                trial = Trial(entry, program, folder, moment, mode)
                problems = trial.problems()
                failed += bool(problems)
                print(f"{trial.seconds:7.2f} s {trial.processor:6.2f} s cpu  {trial.status:4} {trial.how():18} "
                      f"{trial.mode:5} after {moment:.2f} s: {' '.join(entry.line)}", flush=True)
                for problem in problems:
                    print(f"        PROBLEM: {problem}\n{trial.out[-1500:]}{trial.err[-500:]}", flush=True)
    if failed:
        print(f"{failed} trials failed")
    return 0 if options.measure else min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
