#!/usr/bin/env python3
"""Runs the commands of README and of the page on Python in every order in one copy of this tree: none may break another, or leave anything in the tree.

usage: readme_commands.py [--tree FOLDER]

FOLDER, by default build/long/readme, is replaced by the copy, and built in. After each command the tests that read the
tree run. The test command runs only these tests and those of installing, since all tests take too long so many times.
Installs packages where the user is root or may use sudo; elsewhere they have to be there.
"""

import argparse
import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/layers"))
from sources import is_product  # noqa: E402

PAGES = {"install-and-run": "README.md", "test": "README.md", "python": "src/docs/how-to/python.md"}
COMMANDS = list(PAGES)
SEQUENCE = [0, 1, 2, 0, 1, 0, 2, 1, 0]  # the shortest that has every order of three
assert set(itertools.permutations(range(3))) <= set(zip(SEQUENCE, SEQUENCE[1:], SEQUENCE[2:]))
READ_THE_TREE = "^(layers/|schemas/(files|result_stubs)|page/bundle)"
TEST_COMMAND = "^(layers/|schemas/|page/bundle|install/)"


def readme_command(name):
    """The line after the opening fence that follows <!-- command: NAME -->."""
    _, _, rest = (ROOT / PAGES[name]).read_text(encoding="utf-8").partition(f"<!-- command: {name} -->\n```sh\n")
    assert rest, f"{PAGES[name]} has no command {name}"
    return rest.partition("\n")[0]


def without_packages(command):
    return " && ".join(part for part in command.split(" && ") if "apt-get" not in part)


def copy_sources(tree):
    def products(folder, names):
        return [name for name in names
                if name == ".git" or (is_product(Path(folder, name)) and Path(folder, name).is_dir())]

    if tree.exists():
        for path in tree.iterdir():
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    shutil.copytree(ROOT, tree, ignore=products, symlinks=True, dirs_exist_ok=True)


def listing(tree):
    """All but what the pages say that their commands make."""
    return {path.relative_to(tree) for path in tree.rglob("*")
            if path.relative_to(tree).parts[0] not in ("build", ".venv")}


def run(command, tree):
    print(f"$ {command}", flush=True)
    # That Python goes first for which apt-get installs its packages.
    environment = {name: value for name, value in os.environ.items() if name != "ORDERLAB_BUILD_DIR"}
    environment["PATH"] = f"/usr/bin:{os.environ['PATH']}"
    if subprocess.run(["sh", "-c", command], cwd=tree, env=environment, stdin=subprocess.DEVNULL).returncode != 0:
        sys.exit(f"FAILED: {command}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tree", type=Path, default=ROOT / "build/long/readme")
    tree = parser.parse_args().tree.resolve()
    copy_sources(tree)
    before = listing(tree)
    may_install = os.geteuid() == 0 or shutil.which("sudo") is not None
    done = []
    for place in SEQUENCE:
        name = COMMANDS[place]
        command = readme_command(name)
        if name in done or not may_install:
            command = without_packages(command)
        done.append(name)
        run(command.replace("ctest --preset release", f"ctest --preset release --no-tests=error -R '{TEST_COMMAND}'"), tree)
        left = sorted(map(str, listing(tree) ^ before))
        if left:
            sys.exit(f"FAILED: after {', '.join(done)}: in the tree, or no longer: {' '.join(left[:10])}")
        run(f"ctest --preset release --no-tests=error -R '{READ_THE_TREE}'", tree)
    print(f"{len(done)} commands passed: {' '.join(done)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
