#!/usr/bin/env python3
"""Stores that may only be read, that were killed, or that a bit was flipped in, and plans that are interrupted: the
program itself, as another user where it runs as root.

usage: store_access.py PROGRAM
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CONFIG = "n = [8, 100]\norder = ['random', 'seq']\nsamples = 50\n"
HUGE = "n = { from = 1, to = 1000, step = 1 }\ninput = { from = 1, to = 10000 }\norder = 'random'\n"
LONG = "n = 20000\norder = 'random'\nsamples = 500\ninput = { from = 1, to = 400 }\n"
OTHER_USER = 65534


class Program:
    def __init__(self, path):
        self.path = path
        self.other = {}
        if os.geteuid() == 0:
            self.other = {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []}

    def run(self, folder, *arguments, **more):
        done = subprocess.run([self.path, *arguments], cwd=folder, capture_output=True, check=False, **more)
        return done.returncode, done.stdout, done.stderr.decode()

    def others_can_run(self):
        try:
            return self.run("/", "--version", **self.other)[0] == 0
        except (PermissionError, subprocess.SubprocessError):
            return False


def listing(folder):
    return sorted((path.name, path.read_bytes()) for path in Path(folder).iterdir())


def read_only(program, folder, expected):
    """A store in a folder that its reader may not write; nothing appears there."""
    own = Path(folder, "own")
    own.mkdir()
    if program.other:
        os.chown(own, OTHER_USER, OTHER_USER)
    locked = Path(folder, "locked")
    locked.mkdir()
    shutil.copy(Path(folder, "s"), locked)
    (locked / "s").chmod(0o444)
    locked.chmod(0o555)
    before = listing(locked)
    status, out, err = program.run(locked, "export", "s", "--csv", "-", **program.other)
    assert (status, out, err) == (0, expected, ""), (status, err)
    status, _, err = program.run(locked, "report", "s", "-o", "-", **program.other)
    assert (status, err) == (0, ""), err
    status, _, err = program.run(own, "merge", "--db", "m", str(locked / "s"), **program.other)
    assert (status, err) == (0, ""), err
    assert program.run(own, "export", "m", "--csv", "-", **program.other)[1] == expected
    status, _, err = program.run(locked, "sweep", str(Path(folder, "c.toml")), "--db", "s", **program.other)
    assert status == 2 and "s: cannot be written: no permission" in err, (status, err)
    assert listing(locked) == before
    locked.chmod(0o755)


def killed(program, folder, expected):
    """The log of a killed program is read with its store, or said to be what cannot be read."""
    store = Path(folder, "killed")
    shutil.copy(Path(folder, "s"), store)
    database = sqlite3.connect(store)
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute("CREATE TABLE of_another_program (x)")
    database.commit()
    for name, beside in [("with_index", ["", "-wal", "-shm"]), ("without_index", ["", "-wal"])]:
        locked = Path(folder, name)
        locked.mkdir()
        for end in beside:
            shutil.copy(str(store) + end, locked / ("s" + end))
            (locked / ("s" + end)).chmod(0o444)
        assert (locked / "s-wal").stat().st_size > 0
        locked.chmod(0o555)
        before = listing(locked)
        status, out, err = program.run(locked, "export", "s", "--csv", "-", **program.other)
        if status == 0:
            assert (out, err) == (expected, ""), err
        else:
            assert status == 2 and "has changes in s-wal that cannot be read here" in err, (status, err)
        print(f"a killed store, {name}: exit {status}")
        assert listing(locked) == before
        locked.chmod(0o755)
    database.close()


def linked(program, folder, expected):
    """The log of a killed program lies beside the store itself, is read by way of a link too, and is never written over."""
    assert program.run(folder, "sweep", "c.toml", "--shard", "1/2", "--db", "h")[0] == 0
    holder = sqlite3.connect(Path(folder, "h"))  # while it is open, nobody else is the last to close the store
    holder.execute("SELECT count(*) FROM point").fetchone()
    assert program.run(folder, "sweep", "c.toml", "--db", "h")[0] == 0
    left = Path(folder, "left")
    left.mkdir()
    for end in ["", "-wal", "-shm"]:
        shutil.copy(str(Path(folder, "h")) + end, left / ("h" + end))
    holder.close()
    Path(folder, "link").symlink_to(left / "h")
    for output in [left / "h-wal", left / "h-shm"]:
        before = output.read_bytes()
        status, _, err = program.run(folder, "export", "link", "--csv", str(output))
        assert status == 2 and "is read by this command, and would be lost" in err, (status, err)
        assert output.read_bytes() == before
    assert program.run(folder, "export", "link", "--csv", "-")[:2] == (0, expected)


def killed_here(program, folder, expected):
    """The store and the log of a killed program, and its index, are read by a user who may write them, and stay."""
    place = Path(folder, "here")
    place.mkdir()
    (place / "c.toml").write_text(LONG, encoding="utf-8")
    process = subprocess.Popen([program.path, "sweep", "c.toml", "--db", "s", "--quiet"], cwd=place)
    while not has_points(place / "s"):
        time.sleep(0.01)
    process.kill()
    process.wait()
    for end in ["", "-wal", "-shm"]:
        shutil.copy(str(Path(folder, "left", "h")) + end, place / ("h" + end))
    before = kept(place)
    assert len(before["s-wal"]) > 0 and len(before["h-wal"]) > 0
    assert program.run(place, "sweep", "--status", "--db", "s")[0] == 1
    assert program.run(place, "sweep", "--status", "--db", "h")[0] == 0
    assert program.run(place, "export", "h", "--csv", "-")[:2] == (0, expected)
    assert program.run(place, "report", "h", "-o", "-")[0] == 0
    assert program.run(place, "merge", "--complete", "--db", "m", "h", "absent")[0] == 0
    assert kept(place) == before


def kept(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name[0] in "sh"}


def has_points(store):
    try:
        database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
        try:
            return database.execute("SELECT count(*) FROM point").fetchone()[0] > 0
        finally:
            database.close()
    except sqlite3.OperationalError:
        return False


def flipped(program, folder, expected):
    """Flips in the real file, read and mended by the real program."""
    whole = Path(folder, "s").read_bytes()
    refused = 0
    for k in range(40):
        store = Path(folder, "f")
        data = bytearray(whole)
        data[(k + 1) * len(whole) // 42] ^= 1 << k % 8
        store.write_bytes(data)
        status, out, err = program.run(folder, "export", "f", "--csv", "-")
        assert (status, out) == (0, expected) or (status == 2 and len(err.splitlines()) == 1), (k, status, err)
        refused += status == 2
        again, _, said = program.run(folder, "sweep", "c.toml", "--db", "f")
        assert again == 0 or (again == 2 and len(said.splitlines()) == 1), (k, again, said)
        if again == 0:
            assert program.run(folder, "export", "f", "--csv", "-")[:2] == (0, expected), k
    print(f"40 flips: {refused} refused by export, none without a word")


def interrupted(program, folder):
    """Ctrl-C while a plan of ten million points is made."""
    Path(folder, "huge.toml").write_text(HUGE, encoding="utf-8")
    process = subprocess.Popen([program.path, "sweep", "huge.toml", "--dry-run"], cwd=folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(0.7)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    print(f"interrupted after {time.monotonic() - sent:.2f} s")
    assert (process.returncode, out) == (130, ""), (process.returncode, out, err)
    assert len(err.splitlines()) <= 1, err


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    program = Program(os.path.abspath(sys.argv[1]))
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        Path(folder, "c.toml").write_text(CONFIG, encoding="utf-8")
        assert program.run(folder, "sweep", "c.toml", "--db", "s")[0] == 0
        expected = program.run(folder, "export", "s", "--csv", "-")[1]
        flipped(program, folder, expected)
        interrupted(program, folder)
        linked(program, folder, expected)
        killed_here(program, folder, expected)
        if program.others_can_run():
            read_only(program, folder, expected)
            killed(program, folder, expected)
        else:
            print("skipped: 2 of 4 parts, since another user cannot run the program")
    return 0


if __name__ == "__main__":
    sys.exit(main())
