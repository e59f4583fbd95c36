"""Drives the C++ program in its line mode: a command line in, its status and output back, many times.

One command line per line, arguments separated by tabs; the answer is one line, status TAB output, where
spaces stand for the newlines of stdout and stderr together.
"""

import json
import subprocess


class Program:
    """The running program."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def run(self, arguments):
        """The exit status, None if the program ended, and the output."""
        try:
            self.process.stdin.write("\t".join(arguments) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        status, tab, output = line.rstrip("\n").partition("\t")
        if not tab or not status.lstrip("-").isdigit():
            return None, f"no answer but {line!r}; the program's status is {self.process.poll()}"
        return int(status), output

    def sum_bits(self, arguments):
        """The bits of a `sum` with --json as the program wrote them, or what it said instead."""
        status, output = self.run(["sum", *arguments, "--json", "-"])
        if status != 0:
            return f"status {status}: {output}"
        try:
            start = output.index("{")
            return json.JSONDecoder().raw_decode(output, start)[0]["results"][0]["bits"]
        except (ValueError, KeyError, IndexError, TypeError) as error:
            return f"{error!r} in: {output}"

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def shown(arguments):
    """A command line that a shell takes."""
    return " ".join(f"'{a}'" if any(c in a for c in " |()'") else a for a in ["orderlab", "sum", *arguments])
