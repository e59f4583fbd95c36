#!/usr/bin/env python3
"""What needs a process: memory that ends, pipes with and without a writer, input without an end. Every such run ends by
itself with one line and status 2, or with the right answer, and leaves no file.

usage: limits.py PROGRAM
"""

import os
import resource
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

MIB = 1 << 20
PATIENCE_S = 60


class Runs:
    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.failures = []

    def start(self, *arguments, memory=None, **more):
        def limit():
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        more = {"stdin": subprocess.DEVNULL, **more}
        return subprocess.Popen([self.program, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, preexec_fn=limit, **more)

    def finish(self, process):
        out, err = process.communicate(timeout=PATIENCE_S)
        return process.returncode, out.decode(errors="replace"), err.decode(errors="replace")

    def run(self, *arguments, **more):
        return self.finish(self.start(*arguments, **more))

    def check(self, good, what, outcome):
        if not good:
            self.failures.append(f"{what}: {outcome[0]}, {outcome[1][-200:]!r}, {outcome[2][-300:]!r}")

    def refuses(self, what, outcome, part):
        status, _, err = outcome
        self.check(status == 2 and err.startswith("orderlab: ") and err.count("\n") == 1 and part in err, what, outcome)

    def check_memory(self):
        """Under every limit of memory: the answer, or one line and status 2; below what the loader needs, its line.

        Just above that (128 KiB wide, near 30 MiB) the C++ runtime has no room to throw, and aborts; in another such gap
        (384 KiB, near 35 or 40 MiB for `report`) there is none for the stack.
        """
        (self.folder / "c.toml").write_text("n = [3, 5000]\norder = ['warp', 'ao']\nsamples = 100\n")
        self.run("sweep", "c.toml", "--db", "s.sqlite", "--quiet")
        commands = [(["sum", "--n", "1e5", "--order", "seq"], [22, 27, 28, 32]),
                    (["sample", "--n", "1e4", "--order", "warp", "--samples", "20", "--json", "-"], [32, 50]),
                    (["tree", "--n", "3e4", "--order", "warp", "--json", "-"], [35, 40, 45, 50, 55, 60, 65, 70]),
                    (["report", "s.sqlite", "-o", "-"], [32, 33, 48]),
                    (["sweep", "c.toml", "--db", "new.sqlite"], [32, 40])]
        for command, limits in commands:
            for mib in limits:
                (self.folder / "new.sqlite").unlink(missing_ok=True)
                outcome = self.run(*command, memory=mib * MIB)
                status, _, err = outcome
                ended_well = status == 0 or (status == 2 and err.startswith("orderlab: ") and err.count("\n") == 1)
                no_libraries = status == 127 and err.count("\n") == 1
                self.check(ended_well or no_libraries, f"{command[0]} with {mib} MiB", outcome)

    def check_endless_input(self):
        """An input that does not end is refused when the memory that it may have is full, or before."""
        for command in [["sum", "--order", "seq", "--input", "-"], ["verify", "-"],
                        ["check", "--n", "9", "--order", "random", "--values", "-"]]:
            with subprocess.Popen(["yes", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as endless:
                outcome = self.run(*command, stdin=endless.stdout, memory=100 * MIB)
                endless.stdout.close()
            self.refuses(f"{command[0]} of endless lines", outcome, "")
            with open("/dev/zero", "rb") as endless:
                self.refuses(f"{command[0]} of an endless line", self.run(*command, stdin=endless, memory=100 * MIB), "")

    def check_pipes(self, alone):
        """A pipe is read like a file where text is wanted; without a writer it is refused after some seconds."""
        self.refuses("a pipe without a writer", self.finish(alone), "fifo.txt: is a pipe to which nothing writes")
        threading.Timer(0.3, lambda: (self.folder / "fifo.txt").write_text("1\n2\n")).start()
        outcome = self.run("sum", "--order", "seq", "--input", "fifo.txt", "--csv", "-")
        self.check(outcome[0] == 0 and "0x4008000000000000,3," in outcome[1], "a pipe with a late writer", outcome)
        (self.folder / "p.txt").write_text("2 0 1\n")
        for arguments, wanted in [("--order seq --input <(sleep 0.2; printf '1\\n2\\n')", "0x4008000000000000,3,"),
                                  ("--order seq --input /dev/stdin < <(printf '1\\n2\\n')", "0x4008000000000000,3,"),
                                  ("--values 1,2,3 --order \"perm('/dev/stdin') | seq\" < p.txt", ",6,"),
                                  ("--values 1,2,3 --order \"perm('/dev/stdin') | seq\" < <(cat p.txt)", ",6,")]:
            outcome = self.finish(subprocess.Popen(["bash", "-c", f'"$0" sum {arguments} --csv -', self.program],
                                                   cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
            self.check(outcome[0] == 0 and wanted in outcome[1], f"sum {arguments}", outcome)
        os.mkfifo(self.folder / "fifo.npy")
        threading.Timer(0.1, lambda: (self.folder / "fifo.npy").write_text("1\n")).start()
        self.refuses("a pipe of binary numbers", self.run("sum", "--order", "seq", "--input", "fifo.npy"), "is truncated")


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(os.path.abspath(sys.argv[1]), folder)
        os.mkfifo(runs.folder / "fifo.txt")
        alone = runs.start("sum", "--order", "seq", "--input", "fifo.txt")  # waits while the others run
        if runs.run("--version", memory=1024 * MIB)[0] == 0:
            runs.check_memory()
            runs.check_endless_input()
        else:
            print("no limits of memory: this build, with a sanitizer, cannot start under one")
        runs.check_pipes(alone)
    print("\n".join(runs.failures + [f"{len(runs.failures)} failures"]))
    return 1 if runs.failures else 0


if __name__ == "__main__":
    sys.exit(main())
