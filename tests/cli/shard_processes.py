#!/usr/bin/env python3
"""Shards of one sweep as processes of their own, some killed and run again, one left out at first: merged, they are what
one process stores, also where a process may have few files open.

usage: shard_processes.py PROGRAM [--shards N] [--seed S]
"""

import argparse
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

CONFIG = """
n = { from = 50, to = %d, step = 1 }
order = ["random", "spa", "sequential"]
format = ["fp64", "fp32"]
samples = 200
"""
FILES = 40  # a process may have open, as `ulimit -n` says


def few_files():
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))


class Sweep:
    def __init__(self, program, folder, shards):
        self.program = program
        self.folder = folder
        self.shards = shards
        self.points = 6 * max(20, shards // 6 + 1)
        with open(os.path.join(folder, "c.toml"), "w", encoding="utf-8") as config:
            config.write(CONFIG % (49 + self.points // 6))

    def start(self, *arguments, **more):
        return subprocess.Popen([self.program, *arguments], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                text=True, **more)

    def call(self, *arguments, status=0, **more):
        process = self.start(*arguments, **more)
        out, err = process.communicate()
        assert process.returncode == status, (arguments[:6], process.returncode, out, err)
        return out, err

    def shard(self, number):
        return ["sweep", "c.toml", "--db", f"part-{number}.sqlite", "--shard", f"{number}/{self.shards}"]

    def look(self):
        """Status while a sweep runs: it is an answer, or there is no plan yet."""
        process = self.start("sweep", "--status", "--db", "part-{shard}.sqlite")
        out, err = process.communicate()
        if process.returncode == 2:
            assert "no file has this name" in err or "no such file" in err or "no sweep yet" in err or "have a sweep yet" in err, err
        else:
            assert process.returncode in (0, 1) and not err and f"{self.points} points: " in out, (out, err)

    def stores(self):
        return [f"part-{number}.sqlite" for number in range(1, self.shards + 1)]

    def check_equal(self, store):
        for flag in ("--csv", "--json"):
            whole, _ = self.call("export", "whole.sqlite", flag, "-")
            merged, _ = self.call("export", store, flag, "-")
            assert len(whole.splitlines()) >= self.points, len(whole.splitlines())
            assert merged == whole, f"{store} is not what one process stores"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--shards", type=int, default=7)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print("seed", options.seed)
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        sweep = Sweep(options.program, folder, options.shards)
        sweep.call("sweep", "c.toml", "--db", "whole.sqlite")
        absent = random.randint(1, options.shards)
        present = [number for number in range(1, options.shards + 1) if number != absent]
        killed = random.sample(present, min(len(present), 4))
        ended = {}
        for number in present:
            process = sweep.start(*sweep.shard(number))
            if number < 20:
                sweep.look()
            if number in killed:
                time.sleep(random.uniform(0, 0.2))
                process.send_signal(signal.SIGKILL)
            process.communicate()
            ended[number] = process.returncode
        assert all(ended[number] == 0 for number in present if number not in killed), ended

        part = ["merge", "--complete", "--db", "all.sqlite", *sweep.stores()]
        out, err = sweep.call(*part, status=1, preexec_fn=few_files)
        assert f"--db part-{absent}.sqlite --shard {absent}/{options.shards}\n" in out, out
        assert f"part-{absent}.sqlite: no such file" in err, err
        shown, _ = sweep.call("sweep", "--status", "--db", "part-{shard}.sqlite", status=1, preexec_fn=few_files)
        missing = [line for line in out.splitlines() if line.startswith("unfinished shards")]
        assert len(missing) == 1 and missing[0] in shown, (out, shown)
        again = [line.split() for line in out.splitlines() if line.startswith("  orderlab sweep")]
        assert 1 <= len(again) <= 5, out
        print(f"{options.shards} shards, {len(killed)} killed, {len(again)} of them to be run again")
        for command in again:
            sweep.call(*["c.toml" if word == "CONFIG" else word for word in command[1:]])
        shown, _ = sweep.call("sweep", "--status", "--db", "part-{shard}.sqlite")
        assert f"{sweep.points} points: {sweep.points} finished, 0 missing" in shown, shown

        merging = sweep.start(*part[:3], "killed.sqlite", *sweep.stores())
        time.sleep(random.uniform(0, 0.1))
        merging.send_signal(signal.SIGKILL)
        merging.communicate()
        for store in ("all.sqlite", "killed.sqlite", "fresh.sqlite"):
            start = time.monotonic()
            sweep.call(*part[:3], store, *random.sample(sweep.stores(), options.shards), preexec_fn=few_files)
            sweep.check_equal(store)
        print(f"merged in {time.monotonic() - start:.2f} s; content equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
