#!/usr/bin/env python3
"""Black boxes where few descriptors, processes or bytes are allowed, where streams are closed, and in a locale with a
decimal comma. A probe gives the verdict that it always gives, or one line that names the limit, and status 2.

usage: probe_surroundings.py PROGRAM LIBRARY, a shared library with a function `sum`
"""

import os
import re
import resource
import subprocess
import sys
import tempfile

AWK = ["--command", "awk '{s += $1} END {printf \"%.17g\", s}'"]
BOXES = {"command": ["--command", "cat > /dev/null; echo 3"],  # no sum, which one call shows
         "lines": ["--lines", "--command", "while read line; do echo 3; done"],
         "python": ["--python", "math:fsum"]}
VERDICTS = {"command": "not a sum", "lines": "not a sum", "python": "exact or compensated",
            "library": "named: seq(from=zero)"}
NAMES_LIMIT = re.compile(r"; the limit is \d+ (open files \(ulimit -n\)|bytes in a file \(ulimit -f\)|"
                         r"processes of a user \(ulimit -u\))(, which may be too few)?\n$")


class Probes:
    def __init__(self, program):
        self.program = program
        self.failures = []

    def run(self, box, limit=None, prepare=None, shell=None, **variables):
        command = [self.program, "probe", "--n", "4", "--time-limit", "20", *box]
        if shell:
            command = ["sh", "-c", f'exec "$0" "$@" {shell}', *command]

        def prepared():
            if prepare:
                prepare()
            if limit:
                resource.setrlimit(limit[0], (limit[1], limit[1]))
        environment = {**os.environ, "ORDERLAB_PYTHON": sys.executable, **variables}
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                              errors="replace", preexec_fn=prepared, env=environment, check=False)

    def check(self, good, what, done):
        if not good:
            self.failures.append(f"{what}: {done.returncode}, {done.stdout[-300:]!r}, {done.stderr[-300:]!r}")

    def same(self, kind, done):
        return VERDICTS[kind] in done.stdout

    def check_limit(self, name, limits, resource_of_it, **more):
        worked = dict.fromkeys(BOXES, False)
        refused = 0
        for limit in limits:
            for kind, box in BOXES.items():
                done = self.run(box, (resource_of_it, limit), **more)
                loader = done.returncode == 127 and done.stderr.count("\n") == 1  # no library of ours can be opened
                no_thread = "no thread can be started" in done.stderr
                named = (done.returncode == 2 and done.stderr.startswith("orderlab: ") and done.stderr.count("\n") == 1
                         and (NAMES_LIMIT.search(done.stderr) or no_thread))
                fork = "Cannot fork" in done.stderr or "fork: " in done.stderr  # what the shell of the box says
                self.check(self.same(kind, done) or loader or named or fork, f"{name} {limit}, {kind}", done)
                worked[kind] = worked[kind] or self.same(kind, done)
                refused += bool(named)
        if refused == 0 or not all(worked.values()):
            self.failures.append(f"{name}: {refused} refused; worked in the end: {worked}")

    def check_limits(self):
        self.check_limit("descriptors", [3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20], resource.RLIMIT_NOFILE)
        self.check_limit("file size", [0, 4096, 1 << 20], resource.RLIMIT_FSIZE)
        self.check_processes()

    def check_processes(self):
        """Root may have any number of processes."""
        def become_nobody():
            os.setgid(65534)
            os.setuid(61234)  # that nobody else uses: processes of the user count

        if os.geteuid() != 0:
            return print("skipped: limits of processes, for only root can become a user who has none")
        try:
            started = self.run(BOXES["command"], prepare=become_nobody)
        except (subprocess.SubprocessError, PermissionError):
            started = None
        if started is None or not self.same("command", started):
            return print("skipped: limits of processes, for another user cannot run the program")
        return self.check_limit("processes", [2, 3, 4, 20], resource.RLIMIT_NPROC, prepare=become_nobody)

    def check_closed_streams(self):
        wide = {"<&-": 0, "2>&-": 0, "<&- 2>&-": 0, ">&-": 2, "<&- >&-": 2}
        for closed, status in wide.items():
            for kind in ("command", "lines", "python"):
                done = self.run(BOXES[kind], shell=closed)
                said = self.same(kind, done) or done.stderr == "orderlab: standard output cannot be written\n"
                expected = 1 if status == 0 and VERDICTS[kind] == "not a sum" else status
                self.check(done.returncode == expected and said, f"{kind} {closed}", done)
        # No file of a box takes the place of a closed stream of orderlab's, which is the parent of the box's parent.
        files = "p=$(awk '{print $4}' /proc/$PPID/stat); readlink /proc/$p/fd/0 /proc/$p/fd/1 | sort -u | tr '\n' ' '"
        done = self.run(["--command", f"{files} >&2; exit 3"], shell="<&- >&-")
        self.check(done.stderr.endswith("exited with status 3: /dev/null\n"), "the files of orderlab", done)

    def check_locale(self):
        """A decimal comma in the environment changes no verdict."""
        with tempfile.TemporaryDirectory() as folder:
            try:
                made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", f"{folder}/de_DE.UTF-8"],
                                      capture_output=True, check=False).returncode == 0
            except FileNotFoundError:
                made = False
            if not made:
                return print("skipped: a locale with a decimal comma, for localedef cannot make one")
            for variables in ({"LC_ALL": "de_DE.UTF-8"}, {"LC_NUMERIC": "de_DE.UTF-8", "LC_ALL": ""},
                              {"LANG": "de_DE.UTF-8", "LC_ALL": ""}):
                done = self.run(AWK, LOCPATH=folder, **variables)
                self.check("named: seq(from=zero)" in done.stdout, f"awk with {variables}", done)
            done = self.run(["--command", "date -d 2000-03-01 +%B >&2; exit 3"], LOCPATH=folder, LC_ALL="de_DE.UTF-8")
            self.check("März" in done.stderr, "the names of months", done)
        return None


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    BOXES["library"] = ["--library", f"{os.path.abspath(sys.argv[2])}:sum"]
    probes = Probes(os.path.abspath(sys.argv[1]))
    if probes.run(BOXES["command"], (resource.RLIMIT_AS, 1 << 30)).returncode == 0:
        probes.check_limits()
    else:
        print("skipped: limits, for this build, with a sanitizer, cannot start under one")
    probes.check_closed_streams()
    probes.check_locale()
    print("\n".join(probes.failures + [f"{len(probes.failures)} failures"]))
    return 1 if probes.failures else 0


if __name__ == "__main__":
    sys.exit(main())
