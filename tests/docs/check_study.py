#!/usr/bin/env python3
"""The tables and figures of "The study reproduced" are what its scripts make of the committed results, and the configs
have the keys that its runner gives other values. Figures are left out where there is no node.

usage: check_study.py
"""

import re
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "src/docs"


def runner():
    loader = SourceFileLoader("reproduce", str(DOCS / "reproduce"))
    module = module_from_spec(spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def main():
    sys.dont_write_bytecode = True
    made = subprocess.run([sys.executable, "-B", DOCS / "study/make_study.py", "--check"], capture_output=True,
                          text=True)
    print(made.stdout, made.stderr, end="")
    complaints, reproduce = [], runner()
    for part in reproduce.PARTS:
        for size in reproduce.SIZES:
            names = [task.name for task in part.tasks[size]]
            if len(set(names)) != len(names):
                complaints.append(f"{part.name}: two tasks write one file")
            for task in part.tasks[size]:
                if isinstance(task, reproduce.Sweep):
                    text = (reproduce.CONFIGS / f"{task.config}.toml").read_text(encoding="utf-8")
                    complaints += [f"{task.config}.toml: has no key {key}" for key in task.keys
                                   if not re.search(rf"^{key} = ", text, re.MULTILINE)]
    sizes = [path.stat().st_size for path in (DOCS / "study/tables").glob("*.json")]
    if sum(sizes) > 100_000:
        complaints.append(f"the results have {sum(sizes)} bytes, more than 100,000")
    print("\n".join(complaints + [f"{len(complaints)} complaints"]))
    return 1 if complaints or made.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
