#!/usr/bin/env python3
"""The manual page and completion that the program prints, tested with the programs that read them: man,
mandoc, bash, zsh, fish.

usage: completion.py ORDERLAB

Reads the commands and flags from `orderlab help`, completes command lines in the shells as a person would, and has
the page checked. What is not installed is left out.
"""

import os
import pty
import re
import select
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# A command line, its last word to be completed, and what must and must not be offered.
CASES = [
    (["sam"], ["sample"], ["sum"]),
    ([""], ["sample", "help", "list"], ["--samples"]),
    (["--v"], ["--version"], []),
    (["sample", "--samp"], ["--samples"], ["--n"]),
    (["sample", "--order", "nccl"], ["nccl_ring", "nccl_tree"], ["cub"]),
    (["sample", "--order", "warp", "--arrival", "v1"], ["v100_b64"], ["uniform"]),
    (["sample", "--order", "warp", "--color", ""], ["auto", "always", "never"], ["--n"]),
    (["sample", "--format", "b"], ["bf16"], ["fp16"]),
    (["sample", "--input", "dat"], ["data one.npy"], ["--n"]),
    (["report", "quick.sqlite", "-o", "dat"], ["data one.npy"], []),
    (["report", "--spec", ""], ["specs"], ["data one.npy"]),
    (["fit", "dat"], ["data one.npy"], []),
    (["arrivals", "dat"], ["data one.npy"], []),
    (["arrivals", "v1"], ["v100_b64"], ["uniform"]),
    (["crosscheck", "--kernel", "spr"], ["sprg", "sprg_neumaier"], ["spa"]),
    (["crosscheck", "--device", ""], ["model", "host", "cuda"], []),
    (["list", "or"], ["orders"], ["stages"]),
    (["help", "tol"], ["tolerance"], ["tree"]),
    (["help", "--completion", ""], ["bash", "zsh", "fish"], []),
    (["help", "sample", "--samp"], [], ["--samples"]),
    (["sample", "--n", ""], [], ["--order", "data one.npy", "specs"]),
]


def run(*command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60, **options).stdout


def check_offers(shell, words, offers, expected, unwanted):
    line = " ".join(["orderlab", *words])
    for word in expected:
        assert word in offers, f"{shell}: `{line}` does not offer {word}: {offers}"
    for word in unwanted:
        assert word not in offers, f"{shell}: `{line}` offers {word}"


BASH = """
set -u
source completion.bash
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_orderlab
printf '%s\\n' "${COMPREPLY[@]}"
"""


def bash_offers(folder, words):
    return run("bash", "-c", BASH, "bash", "orderlab", *words, cwd=folder).splitlines()


def check_bash(folder, program):
    run("bash", "-n", "completion.bash", cwd=folder)
    for words, expected, unwanted in CASES:
        check_offers("bash", words, bash_offers(folder, words), expected, unwanted)
    offers = bash_offers(folder, ["sample", "--color", "=", "al"])  # how bash splits --color=al
    check_offers("bash", ["sample", "--color=al"], offers, ["always"], ["auto"])
    commands = re.findall(r"^  (\w+) +\S", run(program, "help").partition("Subcommands:")[2], re.M)
    assert len(commands) > 10 and set(commands) <= set(bash_offers(folder, [""])), commands
    for command in commands:
        flags = set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", run(program, "help", command), re.M))
        missing = flags - set(bash_offers(folder, [command, "-"]))
        assert flags and not missing, f"bash: {command}: {missing}"


# In a real zsh on a terminal: the offered names, as a list below the line.
ZSH_START = """
PS1=READY%% ; unsetopt beep; setopt no_list_beep
fpath=($PWD/zsh $fpath); autoload -Uz compinit; compinit -u -D
zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' force-list always
zstyle ':completion:*' menu no; LISTMAX=10000
bindkey '^T' list-choices
"""


class Zsh:
    """An interactive zsh that has the completion."""

    def __init__(self, folder):
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chdir(folder)
            os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "COLUMNS": "200", "LINES": "500"})
        start = " ; ".join(line for line in ZSH_START.splitlines() if line)
        self.send(f"stty cols 200 rows 500; {start}; print END''MARK\n")
        self.until_prompt()

    def send(self, text):
        os.write(self.terminal, text.encode())

    def until_prompt(self, seconds=60):
        """All that comes up to the first prompt behind ENDMARK: the line is read from then on."""
        text = ""
        end = time.monotonic() + seconds
        while not re.search(r"ENDMARK\r.*READY%", text, re.S):
            ready, _, _ = select.select([self.terminal], [], [], max(0, end - time.monotonic()))
            assert ready, f"zsh does not answer: {text!r}"
            text += os.read(self.terminal, 65536).decode(errors="replace")
        return text

    def offers(self, words):
        """The words that ^T lists below the line."""
        self.send("orderlab " + " ".join(words) + "\x14\x15print END''MARK\n")
        listed = re.search(r"\n(.*?)READY%orderlab", self.until_prompt(), re.S)
        text = listed.group(1).replace("\\ ", " ").replace("/", "") if listed else ""
        rows = [line.partition(" -- ")[0].strip() for line in text.splitlines()]
        return [word for row in rows for word in re.split(r"  +", row) if word]

    def close(self):
        self.send("exit\n")
        os.close(self.terminal)
        os.waitpid(self.process, 0)


def check_zsh(folder):
    run("zsh", "-n", "zsh/_orderlab", cwd=folder)
    zsh = Zsh(folder)
    try:
        for words, expected, unwanted in CASES:
            check_offers("zsh", words, zsh.offers(words), expected, unwanted)
    finally:
        zsh.close()


def check_fish(folder):
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    run("fish", "--no-execute", "orderlab.fish", cwd=folder, env=environment)
    for words, expected, unwanted in CASES:
        line = " ".join(["orderlab", *words])
        listed = run("fish", "--no-config", "-c", f"source orderlab.fish; complete -C {shlex.quote(line)}", cwd=folder,
                     env=environment)
        offers = [row.partition("\t")[0].replace("\\ ", " ").rstrip("/") for row in listed.splitlines()]
        check_offers("fish", words, offers, expected, unwanted)


def check_manual(folder):
    if shutil.which("man"):
        page = run("man", "--warnings", "-l", "orderlab.1", cwd=folder,
                   env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8", "MAN_KEEP_FORMATTING": ""})
        for text in ["--samples COUNT", "orderlab sample --n 1e6 --order spa --arrival v100_b64", "2^20", "EXIT"]:
            assert text in page, text
    if shutil.which("mandoc"):
        found = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", "orderlab.1"], cwd=folder, text=True,
                               capture_output=True, timeout=60).stdout
        found = [line for line in found.splitlines() if "missing date" not in line]  # none: the same bytes every day
        assert not found, "\n".join(found)


def main():
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data one.npy").touch()
        (folder / "specs").mkdir()
        (folder / "zsh").mkdir()
        (folder / "orderlab.1").write_text(run(program, "help", "--man"), encoding="utf-8")
        (folder / "completion.bash").write_text(run(program, "help", "--completion", "bash"), encoding="utf-8")
        (folder / "zsh" / "_orderlab").write_text(run(program, "help", "--completion", "zsh"), encoding="utf-8")
        (folder / "orderlab.fish").write_text(run(program, "help", "--completion", "fish"), encoding="utf-8")
        check_manual(folder)
        if shutil.which("bash"):
            check_bash(folder, program)
        if shutil.which("zsh"):
            check_zsh(folder)
        if shutil.which("fish"):
            check_fish(folder)
    absent = [tool for tool in ["man", "mandoc", "bash", "zsh", "fish"] if not shutil.which(tool)]
    if absent:
        print("not installed, so not asked:", *absent)


if __name__ == "__main__":
    main()
