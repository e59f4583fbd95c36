#!/usr/bin/env python3
"""Kills, interrupts and starves `orderlab sweep` at random moments: nothing finished is lost, nothing is there twice, and
the same command goes on to what an uninterrupted run stores.

usage: sweep_survives.py PROGRAM [--kills N] [--seed S]
"""

import argparse
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONFIG = """
title = "To be killed"
n = [200, 3000]
order = ["random", "spa", "sequential"]
format = ["fp64", "fp32"]
input = { from = 0, to = 9 }
samples = 2000
"""
POINTS = 120


def rows(store):
    """What is stored, without times: {hash: row}. Fails where the database is damaged or has a point twice."""
    database = sqlite3.connect(store)
    assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",), "the store is damaged"
    found = database.execute(
        "SELECT hash, config, terms, summation, metrics, counts, version, flags, cpu FROM point").fetchall()
    plan = database.execute("SELECT * FROM plan ORDER BY position").fetchall()
    database.close()
    points = {row[0]: row[1:] for row in found}
    assert len(points) == len(found), "a point is there twice"
    return points, plan


class Runs:
    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        (self.folder / "c.toml").write_text(CONFIG, encoding="utf-8")

    def start(self, store, shard="1/1", **more):
        return subprocess.Popen([self.program, "sweep", "c.toml", "--db", store, "--shard", shard], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, **more)

    def finish(self, store, **more):
        process = self.start(store, **more)
        out, err = process.communicate()
        return process.returncode, out, err

    def check_part(self, store, whole, before):
        """The store holds what it held before, and nothing that the whole one does not."""
        path = self.folder / store
        if not path.exists():
            assert not before, "the store is gone"
            return {}
        try:
            part, _ = rows(path)
        except sqlite3.OperationalError as error:  # killed before the schema was there
            assert not before and "no such table" in str(error), error
            return {}
        assert before.items() <= part.items(), "a finished point was lost or changed"
        assert part.items() <= whole.items(), "a point differs from that of the uninterrupted run"
        return part

    def check_whole(self, store, whole, plan):
        status, out, err = self.finish(store)
        assert status == 0, err
        assert rows(self.folder / store) == (whole, plan), f"{store} is not what an uninterrupted run stores"
        return out

    def interrupted(self, how, moments, whole, plan, duration):
        """Sends the signal `how` at random moments up to `duration` s after the start, at least `moments` times and until
        a third of those came amid the points; returns how many were sent and how many of them came so."""
        store, held, number, amid, sent = "0.sqlite", {}, 0, 0, 0
        while sent < moments or amid < moments // 3:
            assert sent < 20 * moments, f"{how.name}: only {amid} of {sent} came amid the points"
            process = self.start(store)
            time.sleep(random.uniform(0, duration))
            process.send_signal(how)
            _, err = process.communicate()
            held = self.check_part(store, whole, held)
            sent += 1
            amid += process.returncode != 0 and 0 < len(held) < POINTS
            if how == signal.SIGINT and process.returncode not in (0, -signal.SIGINT):
                assert process.returncode == 130 and len(err.splitlines()) <= 1, (process.returncode, err)
            if len(held) == POINTS:
                self.check_whole(store, whole, plan)
                number += 1
                store, held = f"{how}_{number}.sqlite", {}
        self.check_whole(store, whole, plan)
        return sent, amid

    def together(self, count, whole, plan):
        """Shards that share one fresh store from their first moment."""
        store = f"together_{count}.sqlite"
        shards = [self.start(store, shard=f"{i}/{count}") for i in range(1, count + 1)]
        for shard in shards:
            _, err = shard.communicate()
            assert shard.returncode == 0, err
        assert rows(self.folder / store) == (whole, plan), f"{store} is not what one run stores"

    def starved(self, limit, whole, plan):
        """A run whose files may not grow beyond `limit` bytes fails in one line; without the limit it goes on."""
        store = f"starved_{limit}.sqlite"

        def starve():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        status, out, err = self.finish(store, preexec_fn=starve, restore_signals=False)
        assert (status, out, len(err.splitlines())) == (2, "", 1), (limit, status, out, err)
        assert "cannot be written" in err, err
        held = self.check_part(store, whole, {})
        assert len(held) < POINTS
        self.check_whole(store, whole, plan)
        return len(held)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print("seed", options.seed)
    random.seed(options.seed)
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options.program, folder)
        start = time.monotonic()
        status, _, err = runs.finish("whole.sqlite")
        duration = time.monotonic() - start
        assert status == 0, err
        whole, plan = rows(runs.folder / "whole.sqlite")
        assert len(whole) == len(plan) == POINTS, (len(whole), len(plan))
        print(f"{POINTS} points in {duration:.2f} s")
        for how, moments in [(signal.SIGKILL, options.kills), (signal.SIGINT, max(3, options.kills // 3))]:
            sent, amid = runs.interrupted(how, moments, whole, plan, duration)
            print(f"{how.name} {sent} times, {amid} of them amid the points: content equal")
        for _ in range(5):
            runs.together(8, whole, plan)
            (runs.folder / "together_8.sqlite").unlink()
        print("8 shards at a time in one fresh store, 5 times: content equal")
        for limit in (2000, 50_000, 150_000, 300_000):
            print(f"files up to {limit} bytes: {runs.starved(limit, whole, plan)} points kept, then content equal")
    return 0


if __name__ == "__main__":
    sys.exit(main())
