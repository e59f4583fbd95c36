#!/usr/bin/env python3
"""Runs random commands on two builds of orderlab and shows where they differ, byte for byte.

    compare_programs.py OLD NEW [--commands 300] [--seed 1] [--only PATTERN] [--pages] [--keep DIR]

A tool for whoever changes how results are counted, summed, stored or shown and means to change no output: OLD is the
program from before. Both get the same commands (commands.py) in folders of their own with the same files; compared are
standard output, standard error, the exit status and every file written. Of stores the rows are compared, without what
differs between two runs of one program (wall times, hashes over them). Stores written by OLD are also read by both.
Versions, host names and the folders' paths are replaced before the comparison.

--only PATTERN   only commands whose kind or text matches this regular expression, of the same numbered commands
--pages          also HTML pages and the charts of `report --spec`
--keep DIR       keeps the folders of commands that differ: DIR/NUMBER/old, DIR/NUMBER/new

Exit status: 0 no difference, 1 differences, 2 wrong usage. 300 commands take about half a minute.
"""

import argparse
import difflib
import os
import random
import re
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from commands import KINDS, Generator

TIMEOUT_S = 120
SHOWN_LINES = 10
SHOWN_COLUMNS = 160
UNSTABLE_COLUMNS = {"version", "flags", "cpu", "wall_ns", "row_hash", "row_hashes"}
CAPTURE = Path(__file__).resolve().parent.parent / "captures" / "synthetic.capture"


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)
        words = self.run(["--version"], ".", b"", 80)[0].decode(errors="replace").split()
        self.version = words[-1] if words else ""

    def run(self, arguments, folder, standard_input, columns):
        """Standard output, standard error and exit status (negative: a signal; None: too slow)."""
        environment = {**os.environ, "COLUMNS": str(columns), "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        try:
            done = subprocess.run(
                [self.path, *arguments],
                cwd=folder,
                env=environment,
                input=standard_input,
                capture_output=True,
                timeout=TIMEOUT_S,
            )
        except subprocess.TimeoutExpired:
            return b"", b"", None
        return done.stdout, done.stderr, done.returncode

    def normalised(self, text, folder):
        """Without what differs between two programs or machines that give the same results."""
        text = text.replace(str(folder).encode(), b"<folder>").replace(socket.gethostname().encode(), b"<host>")
        if self.version:
            version = re.escape(self.version.encode())
            text = re.sub(rb'(orderlab"?:? "?v?)' + version, rb"\1<version>", text)
        return re.sub(rb"^.*: about .* left\n", b"", text, flags=re.MULTILINE)  # estimates of a busy minute


def write(files, folder):
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def damage(folder, number):
    """Changes one byte of each store."""
    for path in folder.glob("*.sqlite"):
        data = bytearray(path.read_bytes())
        data[random.Random(number).randrange(len(data))] ^= 0x55
        path.write_bytes(data)


def rows(path):
    """A store as text, one row per line, without what differs between runs."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as store:
            lines = []
            tables = store.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
            for (table,) in tables:
                cursor = store.execute(f'SELECT * FROM "{table}"')
                kept = [i for i, column in enumerate(cursor.description) if column[0] not in UNSTABLE_COLUMNS]
                lines += sorted(f"{table}: {[row[i] for i in kept]}" for row in cursor)
            return "\n".join(lines).encode()
    except sqlite3.Error as error:
        return f"not a store: {error}".encode()


def stable_times(text):
    """The times of `sweep --dry-run`, which are measured, and the spaces that align them."""
    return re.sub(rb" +", b" ", re.sub(rb"[\d.]+ (ns|us|ms|s|min|h|days?)\b", b"<time>", text))


def outcome(program, command, folder):
    """Everything that a command says and leaves, by name."""
    parts = {}
    for step in command.steps:
        shown = shlex.join(["orderlab", *step])
        out, err, status = program.run(step, folder, command.standard_input, command.columns)
        if "--dry-run" in step:
            out = stable_times(out)
        parts[f"standard output of {shown}"] = out
        parts[f"standard error of {shown}"] = err
        parts[f"exit status of {shown}"] = str(status).encode()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            data = rows(path) if path.suffix == ".sqlite" else path.read_bytes()
            parts[f"file {path.relative_to(folder)}"] = data
    return {name: program.normalised(data, folder) for name, data in parts.items()}


def short_diff(old, new):
    """A few differing lines as text; for bytes that are no text the first that differs."""
    try:
        texts = [data.decode().split("\n") for data in (old, new)]
    except UnicodeDecodeError:
        same = next((i for i, pair in enumerate(zip(old, new)) if pair[0] != pair[1]), min(len(old), len(new)))
        return [f"{len(old)} and {len(new)} bytes, the first difference at byte {same}"]
    lines = []
    for tag, i, end_i, j, end_j in difflib.SequenceMatcher(None, *texts, autojunk=False).get_opcodes():
        if tag != "equal":
            removed, added = texts[0][i:end_i], texts[1][j:end_j]
            from_column = common_prefix(removed[0], added[0]) - SHOWN_COLUMNS // 2 if removed and added else 0
            lines += ["-" + cut(line, from_column) for line in removed] + ["+" + cut(line, from_column) for line in added]
    left_out = [f"... {len(lines) - SHOWN_LINES} more lines"] if len(lines) > SHOWN_LINES else []
    return lines[:SHOWN_LINES] + left_out


def common_prefix(old, new):
    return len(os.path.commonprefix((old, new)))


def cut(line, from_column=0):
    """A part of a line that is too long to show, from about that column on."""
    if len(line) <= SHOWN_COLUMNS:
        return line
    begin = max(0, min(from_column, len(line) - SHOWN_COLUMNS))
    return f"{'... ' if begin else ''}{line[begin : begin + SHOWN_COLUMNS]}... ({len(line)} characters)"


def differences(old, new):
    for name in dict.fromkeys([*old, *new]):
        if name not in old or name not in new:
            yield name, [f"only {'the old' if name in old else 'the new'} program wrote it"]
        elif old[name] != new[name]:
            yield name, short_diff(old[name], new[name])


class Comparison:
    def __init__(self, options, scratch):
        self.old, self.new = Program(options.old), Program(options.new)
        self.options = options
        self.scratch = scratch
        self.kinds = Counter()
        self.statuses = Counter()
        self.differing = Counter()

    def made(self, number):
        """Command `number`, the same for every run with this seed."""
        draw = random.Random(f"{self.options.seed}/{number}")
        kind = draw.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]
        generator = Generator(draw, self.ask, self.options.pages)
        if kind == "verify":
            generator.files["synthetic.capture"] = CAPTURE.read_bytes() if CAPTURE.exists() else b"no capture"
        return generator.command(kind)

    def ask(self, arguments, files, standard_input):
        folder = self.scratch / "ask"
        write(files, folder)
        out = self.old.run(arguments, folder, standard_input, 80)[0]
        shutil.rmtree(folder)
        return out

    def compare(self, number, command):
        folders = {"old": self.scratch / "old", "new": self.scratch / "new"}
        write(command.files, folders["old"])
        for step in command.first:
            if step == "damage":
                damage(folders["old"], number)
            else:
                self.old.run(step, folders["old"], command.standard_input, command.columns)
        shutil.copytree(folders["old"], folders["new"])
        results = [outcome(p, command, folders[name]) for p, name in ((self.old, "old"), (self.new, "new"))]
        self.kinds[command.kind] += 1
        self.statuses.update(data.decode() for name, data in results[0].items() if name.startswith("exit status"))
        found = list(differences(*results))
        if found:
            self.differing[command.kind] += 1
            self.show(number, command, found)
            if self.options.keep:
                shutil.copytree(self.scratch, Path(self.options.keep) / str(number), dirs_exist_ok=True)
        for folder in folders.values():
            shutil.rmtree(folder)

    def show(self, number, command, found):
        print(f"\n{number} {command.kind}: COLUMNS={command.columns}; files {', '.join(command.files) or '-'}")
        for step in [*command.first, *command.steps]:
            if step != "damage":
                print("  " + cut(shlex.join(["orderlab", *step])))
        for name, lines in found:
            print(cut(f"  {name}"))
            print("\n".join(f"    {line}" for line in lines))
        sys.stdout.flush()

    def summary(self, seconds):
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items()))
        statuses = ", ".join(f"{count} ended with {status}" for status, count in sorted(self.statuses.items()))
        print(f"\n{sum(self.kinds.values())} commands in {seconds:.0f} s: {kinds}")
        print(f"steps of the old program: {statuses}")
        if not self.differing:
            print("no difference")
            return
        kinds = ", ".join(f"{count} {kind}" for kind, count in sorted(self.differing.items()))
        print(f"DIFFERENT: {sum(self.differing.values())} commands: {kinds}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--commands", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--pages", action="store_true")
    parser.add_argument("--keep")
    options = parser.parse_args()
    for path in (options.old, options.new):
        if not os.access(path, os.X_OK):
            parser.error(f"{path} is not a program")
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        comparison = Comparison(options, Path(scratch))
        for number in range(options.commands):
            command = comparison.made(number)
            text = " ".join(shlex.join(step) for step in command.steps)
            if re.search(options.only, f"{command.kind} {text}"):
                comparison.compare(number, command)
        comparison.summary(time.monotonic() - started)
    return 1 if comparison.differing else 0


if __name__ == "__main__":
    sys.exit(main())
