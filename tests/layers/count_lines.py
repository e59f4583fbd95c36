#!/usr/bin/env python3
"""Prints how many lines the numerics have, and how many all that surrounds them. It fails for no size.

usage: count_lines.py SOURCE_DIR | --self-test

Numerics are the layers of src/README.md's table from core to inference without box, and simt, crosscheck and cuda; all
other folders of src are the rest. A public header counts for the layer that public_headers.txt says. Counted are git's
files with these suffixes in src and include, so no tests and nothing that a build makes; where git does not answer, the
files that are there.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from sources import files_with

COUNTED = {".cpp", ".hpp", ".cu", ".cuh", ".py", ".js", ".css", ".json"}
LAST_OF_CHAIN = "inference"
ALSO_NUMERICS = {"simt", "crosscheck", "cuda"}
NOT_NUMERICS = {"box"}
TABLE = re.compile(r"^\| folder \| .*\n\|[-|]*\n((?:\|.*\n)+)", re.M)


def layers(root):
    """All layers, in the order of the table."""
    readme = root / "src/README.md"
    table = TABLE.search(readme.read_text(encoding="utf-8")) if readme.is_file() else None
    return re.findall(r"^\| `(\w+)`", table[1], re.M) if table else []


def numerics(table):
    chain = table[:table.index(LAST_OF_CHAIN) + 1] if LAST_OF_CHAIN in table else []
    return (set(chain) | ALSO_NUMERICS) - NOT_NUMERICS


def headers(root):
    """The layer of each public header."""
    path = root / "tests/layers/public_headers.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    return dict(line.partition("#")[0].split() for line in lines if line.partition("#")[0].split())


def files_of_git(root):
    """Names, or None where git does not answer."""
    if not (root / ".git").exists() or not shutil.which("git"):
        return None
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z", "src", "include"], capture_output=True, text=True)
    return listed.stdout.split("\0") if listed.returncode == 0 else None


def counted_files(root):
    names = files_of_git(root)
    if names is None:
        return files_with(COUNTED, root / "src") + files_with(COUNTED, root / "include")
    paths = [root / name for name in names if Path(name).suffix in COUNTED]
    return [path for path in paths if path.is_file()]  # one that was removed may still be git's


def layer_of(path, root, table, header_layers):
    parts = path.relative_to(root).parts
    if parts[0] == "src":
        return parts[1]
    header = "/".join(parts[2:])  # after include/orderlab
    return header_layers.get(header) or (parts[2] if parts[2] in table else parts[0])


def count(root):
    """(files, lines), each by layer."""
    table, header_layers = layers(root), headers(root)
    files, lines = Counter(), Counter()
    for path in counted_files(root):
        layer = layer_of(path, root, table, header_layers)
        files[layer] += 1
        lines[layer] += path.read_bytes().count(b"\n")
    return files, lines


def report(root):
    table = layers(root)
    files, lines = count(root)
    ours = numerics(table)
    order = sorted(files, key=lambda layer: (table.index(layer) if layer in table else len(table), layer))
    sums = {"numerics": [layer for layer in order if layer in ours],
            "the rest": [layer for layer in order if layer not in ours]}
    rows = [(layer, [layer]) for its in sums.values() for layer in its] + list(sums.items())
    return [f"{'':12}{'lines':>8}{'files':>6}",
            *(f"{name:12}{sum(lines[one] for one in its):8}{sum(files[one] for one in its):6}" for name, its in rows)]


TREE = {"src/core/a.cpp": 2, "src/core/deep/b.cu": 1, "src/box/server.py": 1, "src/simt/a.cuh": 1,
        "src/inference/notes.md": 1, "src/page/assets/a.js": 3, "src/page/assets/a.css": 1, "src/page/a.json": 1,
        "src/new/a.cpp": 1, "include/orderlab/ulp.hpp": 2, "include/orderlab/study/a.hpp": 1,
        "include/orderlab/study/unlisted.hpp": 1, "tests/core/a.cpp": 1, "src/python/build/a.cpp": 1}
EXPECTED = [["lines", "files"], ["core", 5, 3], ["simt", 1, 1], ["box", 1, 1], ["study", 2, 2], ["page", 5, 3],
            ["new", 1, 1], ["numerics", 6, 4], ["the", "rest", 9, 7]]
IN_GIT = [*(row for row in EXPECTED[:-1] if row[0] != "new"), ["the", "rest", 8, 6]]


def make_tree(root):
    files = {name: "x\n" * lines for name, lines in TREE.items()}
    rows = "".join(f"| `{layer}` | x |\n" for layer in ["core", "box", "inference", "simt", "study", "page"])
    files["src/README.md"] = f"# a\n\n| folder | what |\n|---|---|\n{rows}\n| new | file |\n|---|---|\n| `late` | x |\n"
    files["tests/layers/public_headers.txt"] = "# HEADER LAYER\nulp.hpp core\nstudy/a.hpp study\n"
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


def self_test():
    failures = []

    def expect(root, expected):
        found = [line.split() for line in report(root)]
        if found != [[str(word) for word in row] for row in expected]:
            failures.append(f"expected {expected}, got {found}")

    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_tree(root)
        expect(root, EXPECTED)
        if shutil.which("git"):
            for words in ["init -q", "add src include", "rm -q --cached src/python/build/a.cpp"]:
                subprocess.run(["git", "-C", folder, *words.split()], check=True)
            (root / "src/core/not_added.cpp").touch()
            (root / "src/new/a.cpp").unlink()
            expect(root, IN_GIT)
    return failures


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    if sys.argv[1] == "--self-test":
        found = self_test()
        print("\n".join(found + [f"{len(found)} failures"]))
        return 1 if found else 0
    print("\n".join(report(Path(sys.argv[1]))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
