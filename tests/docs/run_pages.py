#!/usr/bin/env python3
"""Runs every command that pages of the documentation show, and compares what it prints with what the page shows.

usage: run_pages.py PROGRAM PAGE... [--slow] [--times] [--write] | --self-test

A page's commands are the lines that begin with "$ " in fenced blocks without a language. What follows, up to the next
command or the end of the block, is their output, byte for byte but for spaces at the ends of lines and blank lines at
its end. A command whose quotes are not closed, or that ends with a backslash, goes on in the next line. Each page runs
from top to bottom in a folder of its own, which has a link to configs. Files of a block after "<!-- file: NAME -->" are
written first. "<!-- needs: WORD... -->" before a block names what it needs: `numpy`, a program, a recording of
../shared/data, or `minutes`, which --slow gives; where that is missing, the block is skipped with a message. --write puts
into the pages what is printed now.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT.parent / "shared/data"
NEEDS = re.compile(r"<!-- needs: (.*) -->")
FILE = re.compile(r"<!-- file: (.*) -->")
SKIPPED = 77


class Session:
    """One command of a page: the number of its line, its text, the output that the page shows, what its block needs."""

    def __init__(self, line, command, needs):
        self.line, self.command, self.needs = line, command, needs
        self.shown = []  # lines

    def goes_on(self):
        if self.command.endswith("\\"):
            return True
        try:
            shlex.split(self.command)
        except ValueError:  # a quote that is not closed
            return True
        return False


def trimmed(lines):
    """Lines without spaces at their ends, without blank ones at the end of all."""
    return "\n".join(line.rstrip() for line in lines).rstrip("\n").splitlines()


def blocks(text):
    """Yields (line, language, comment before it, lines) for every fenced block. ValueError: one does not end."""
    comment, block, language, start = "", None, "", 0
    for number, line in enumerate(text.splitlines(), 1):
        if block is None and line.startswith("```"):
            block, language, start = [], line[3:].strip(), number
        elif block is not None and line == "```":
            yield start, language, comment, block
            comment, block = "", None
        elif block is not None:
            block.append(line)
        elif line.strip():
            comment = f"{comment}{line}\n" if line.startswith("<!--") else ""
    if block is not None:
        raise ValueError(f"the block that begins in line {start} does not end")


def sessions(text):
    """The commands of a page, in order."""
    found = []
    for start, language, comment, lines in blocks(text):
        if language or not lines or not lines[0].startswith("$ "):
            continue
        needs = [word for match in NEEDS.finditer(comment) for word in match[1].split()]
        goes_on = False
        for number, line in enumerate(lines, start + 1):
            if goes_on:
                found[-1].command += f"\n{line}"
            elif line.startswith("$ "):
                found.append(Session(number, line[2:], needs))
            else:
                found[-1].shown.append(line)
                continue
            goes_on = found[-1].goes_on()
    return found


def files(text):
    """{name: text} of the files that a page shows."""
    return {match[1]: "".join(f"{line}\n" for line in lines)
            for _, _, comment, lines in blocks(text) for match in FILE.finditer(comment)}


def rewritten(text, outputs):
    """The page with {line of a command: lines that it printed} in place of what it showed."""
    lines = text.split("\n")
    for session in reversed(sessions(text)):
        if session.line in outputs:
            begin = session.line + session.command.count("\n")
            end = begin + len(session.shown)
            gap = [""] if lines[end].startswith("$ ") and outputs[session.line] else []
            lines[begin:end] = outputs[session.line] + gap
    return "\n".join(lines)


def missing(need, slow):
    if need == "minutes":
        return not slow
    if need == "numpy":
        return subprocess.run([sys.executable, "-c", "import numpy"], capture_output=True, check=False).returncode != 0
    return shutil.which(need) is None and not (DATA / need).exists()


def run_page(page, program, slow=False, times=False, write=False):
    """(commands run, commands skipped, complaints)"""
    text = page.read_text(encoding="utf-8")
    ran, skipped, complaints, outputs = 0, 0, [], {}
    try:
        files(text)
    except ValueError as error:
        return 0, 0, [f"{page}: {error}"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bin").mkdir()
        (folder / "bin/orderlab").symlink_to(program)
        (folder / "bin/python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" -B "$@"\n', encoding="utf-8")
        (folder / "bin/python3").chmod(0o755)
        here = folder / "page"
        here.mkdir()
        (here / "configs").symlink_to(ROOT / "configs")
        for file, content in files(text).items():
            (here / file).parent.mkdir(parents=True, exist_ok=True)
            (here / file).write_text(content, encoding="utf-8")
        path = f"{folder / 'bin'}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "COLUMNS": "80", "LC_ALL": "C.UTF-8", "TMPDIR": str(folder)}
        environment.pop("ORDERLAB_PYTHON", None)
        for session in sessions(text):
            lacking = [need for need in session.needs if missing(need, slow)]
            if lacking:
                print(f"{page}:{session.line}: skipped, needs {' '.join(lacking)}: {session.command}")
                skipped += 1
                continue
            for need in session.needs:
                if (DATA / need).exists() and not (here / need).exists():
                    (here / need).symlink_to(DATA / need)
            begun = time.monotonic()
            done = subprocess.run(["bash", "-c", session.command], cwd=here, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            if times:
                took = time.monotonic() - begun
                print(f"{took:6.2f} s  {page.name}:{session.line}  {session.command[:90]}", flush=True)
            ran += 1
            shown, printed = trimmed(session.shown), trimmed(done.stdout.decode().split("\n"))
            outputs[session.line] = printed
            if done.returncode not in (0, 1) or printed != shown:
                difference = difflib.unified_diff(shown, printed, "shown", "printed", lineterm="", n=1)
                complaints.append("\n".join([f"{page}:{session.line}: $ {session.command}", *difference,
                                             f"exit status {done.returncode}", done.stderr.decode()[-2000:]]))
    if write and complaints:
        page.write_text(rewritten(text, outputs), encoding="utf-8")
    return ran, skipped, complaints


def self_test():
    failures = []
    cases = [  # a page, the commands that are run, the complaints
        ("```\n$ echo a\na\n```\n", 1, 0),
        ("```\n$ echo a\nb\n```\n", 1, 1),
        ("```\n$ echo a\n```\n", 1, 1),
        ("```\n$ echo a; exit 2\na\n```\n", 1, 1),
        ("```\n$ echo a > f\n\n$ cat \\\n  f\na\n```\n", 2, 0),
        ("```sh\n$ echo a\n```\ntext\n\n```\nno command\n```\n", 0, 0),
        ("<!-- file: g/f -->\n```sh\necho b\n```\n\n```\n$ sh g/f\nb\n```\n", 1, 0),
        ("<!-- needs: no-such-program -->\n```\n$ echo a\nb\n```\n", 0, 0),
        ("```\n$ orderlab -n x\n-n x\n```\n", 1, 0),
        ("```\n$ echo 'a\nb'\n$ echo c\n```\n", 2, 2),
        ("```\n$ echo a\na ``` text\n", 0, 1),
    ]
    for text, ran, complaints in cases:
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text(text, encoding="utf-8")
            program = Path(folder, "program")
            program.write_text('#!/bin/sh\nprintf "%s\\n" "$*"\n', encoding="utf-8")
            program.chmod(0o755)
            found = run_page(page, program)
            run_page(page, program, write=True)
            if ran and "exit 2" not in text and run_page(page, program)[2]:
                failures.append(f"{text!r}: not as shown after --write: {page.read_text(encoding='utf-8')!r}")
            if (found[0], len(found[2])) != (ran, complaints):
                failures.append(f"{text!r}: expected {ran} commands and {complaints} complaints, got {found}")
    return failures


def main():
    if sys.argv[1:] == ["--self-test"]:
        failures = self_test()
        print("\n".join(failures + [f"{len(failures)} failures"]))
        return 1 if failures else 0
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("pages", type=Path, nargs="+")
    parser.add_argument("--slow", action="store_true", help="run what takes minutes, too")
    parser.add_argument("--times", action="store_true", help="print how long each command takes")
    parser.add_argument("--write", action="store_true", help="write what is printed into the pages")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    results = [run_page(page, program, arguments.slow, arguments.times, arguments.write) for page in arguments.pages]
    complaints = [complaint for result in results for complaint in result[2]]
    ran, skipped = (sum(result[place] for result in results) for place in (0, 1))
    print("\n\n".join(complaints + [f"{ran} commands run, {skipped} skipped, {len(complaints)} not as shown"]))
    return 1 if complaints else SKIPPED if skipped and not ran else 0


if __name__ == "__main__":
    sys.exit(main())
