#!/usr/bin/env python3
"""What a new metric, operation, command, option and function of Python cost: a fake one of each is added to a copy of the
source tree. Prints the files that are new, and those that get lines, and fails where that is more than src/README.md
says.

usage: additions.py SOURCE_DIR             the files and lines
       additions.py SOURCE_DIR --build     also builds program and package with all of them, and uses each
"""

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent



@dataclass
class Addition:
    name: str
    row: str  # of the table in src/README.md
    new: dict = field(default_factory=dict)  # path: the file here that it is
    edits: list = field(default_factory=list)  # (path, text that stands there once, what is written after it)

    def cost(self):
        """Files that are new, files that get lines, lines that these get."""
        return len(self.new), len({path for path, _, _ in self.edits}), sum(max(1, added.count("\n")) for _, _, added in self.edits)


ADDITIONS = [
    Addition("metric", "metric", {"src/metrics/fake.cpp": "metric/fake.cpp"}, [
        ("src/metrics/metric_list.cpp", "  METRIC(kUnseenMass)            \\\n", "  METRIC(kFakeMetric)            \\\n")]),
    Addition("operation", "operation", {"src/operation/operations/fake.cpp": "operation/fake.cpp"}, [
        ("src/operation/operation_list.cpp", "  ENTRY(kIndexAdd)                 \\\n",
         "  ENTRY(kFakeOperation)            \\\n"),
        ("src/docs/reference/operations.toml",
         """cases = ["--op cumsum --shape 100000", "--op 'cumsum(1)' --shape 100x1000", "--op cumsum --shape 1000x100"]
versions = []
""", "\n[fake_rows]\nversions = []\n")]),
    Addition("command", "command", {"src/cli/fake.cpp": "command/cli.cpp", "src/show/fake_fields.hpp": "command/fields.hpp",
                                    "src/show/fake_fields.cpp": "command/fields.cpp"}, [
        ("src/cli/command_list.cpp", "  COMMAND(kSum)                    \\\n", "  COMMAND(kFake)                   \\\n"),
        ("src/cli/documents.cpp", '#include "show/explain_fields.hpp"\n', '#include "show/fake_fields.hpp"\n'),
        ("src/cli/documents.cpp", "      &described::kExplainDocument,\n", "      &described::kFakeDocument,\n"),
        ("tests/schemas/cases.py", "worst             0  worst --n 8 --format fp32 --order random\n", "fake              0  fake --n 10\n")]),
    Addition("option", "option", {}, [
        ("include/orderlab/study/compare.hpp", "struct CompareRequest {\n", "  std::uint64_t fakes = 7;\n"),
        ("src/study/compare_options.hpp", "namespace orderlab::study {\n",
         '\ninline constexpr Flag kFakes{.key = "fake_runs",\n                             .kind = FlagKind::count,\n'
         '                             .value = "COUNT",\n                             .help = "number of fakes",\n'
         "                             .low = 2,\n                             .high = 9};\n"),
        ("src/study/compare_options.hpp", "kCompareRows[] = {\n", "    option<&CompareRequest::fakes>(kFakes),\n"),
        ("src/show/compare_fields.cpp", "kCompareConfigFields[] = {\n",
         "    value<&CompareRequest::fakes>(study::kFakes, k::kSome),\n"),
        ("src/cli/compare.cpp", "&study::kLowerIsBetter, ", "&study::kFakes,\n                      ")]),
    Addition("function of Python", "function of Python", {}, [
        ("src/python/orderlab/_functions.py",
         '    return _requests.ask("explain", results.Explanation, arguments)\n',
         '\n\n@command(leading=("n",))\ndef fake(arguments) -> "results.Fake":\n    """Counts terms."""\n'
         '    return _requests.ask("fake", results.Fake, arguments)\n'),
        ("src/python/orderlab/_documents.py",
         '    "Explanation": ("explain", "Which kernel an operation runs, and which outputs can vary."),\n',
         '    "Fake": ("fake", "Counts terms."),\n'),
        ("src/python/orderlab/results.py", "from ._documents import (Alternatives, ", "Fake, "),
        ("src/python/orderlab/__init__.py", '"explain", ', '"fake", ')]),
]


def apply(addition, root):
    for path, source in addition.new.items():
        shutil.copy(HERE / source, root / path)
    for path, anchor, added in addition.edits:
        text = (root / path).read_text(encoding="utf-8")
        if text.count(anchor) != 1:
            raise SystemExit(f"{path}: {anchor!r} stands there {text.count(anchor)} times; additions.py has to follow")
        (root / path).write_text(text.replace(anchor, anchor + added), encoding="utf-8")


def copy(source, target):
    """The files of the source tree, without what builds left in it."""
    shutil.copytree(source, target, ignore=shutil.ignore_patterns("build", ".git", "__pycache__"), dirs_exist_ok=True)


def costs_in_readme(source):
    """From src/README.md's table of costs: row: (files that are new, files that get lines)."""
    costs = {}
    for line in (source / "src/README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[1].isdigit() and cells[2].isdigit():
            costs[cells[0]] = (int(cells[1]), int(cells[2]))
    return costs


def built(root):
    """Builds the copy, and uses what was added."""
    build = root / "build/additions"
    for command in [["cmake", "--preset", "release", "-B", str(build), "-DORDERLAB_TESTS=OFF", "-DORDERLAB_BENCH=OFF",
                     "-DORDERLAB_PYTHON=ON", "-DPython3_EXECUTABLE=/usr/bin/python3"],
                    ["cmake", "--build", str(build), "--target", "orderlab_program", "orderlab_schemas", "orderlab_python"]]:
        subprocess.run(command, cwd=root, check=True)
    program = build / "orderlab"

    def document(*arguments):
        return json.loads(subprocess.run([program, *arguments, "--json", "-"], check=True, capture_output=True).stdout)

    assert document("sample", "--values", "1,-1,1,-1", "--order", "random")["metrics"]["fake_zeros"] == 1
    assert document("sample", "--op", "fake_rows", "--shape", "3x4", "--samples", "5")["outputs"] == 3
    assert document("fake", "--n", "12")["terms"] == 12
    assert document("compare", "1,2", "1,3", "--fake-runs", "5")["config"]["fake_runs"] == 5
    wrong = subprocess.run([program, "compare", "1,2", "1,3", "--fake-runs", "1"], check=False, capture_output=True)
    assert wrong.returncode == 2 and b"--fake-runs 1: must be from 2 to 9" in wrong.stderr
    schema = json.loads((build / "schemas/compare.json").read_text())
    assert "fake_runs" in json.dumps(schema) and (build / "schemas/fake.json").is_file()
    package = next(build.rglob("orderlab/_functions.pyi")).parent.parent
    assert "def fake(" in (package / "orderlab/_functions.pyi").read_text()
    counted = subprocess.run(["/usr/bin/python3", "-c", "import orderlab; print(orderlab.fake(12).terms)"],
                             env={"PYTHONPATH": str(package)}, check=True, capture_output=True)
    assert counted.stdout == b"12\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--build", action="store_true")
    options = parser.parse_args()
    said = costs_in_readme(options.source)
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        copy(options.source, root)
        print(f"{'':20} new files  files changed  lines there")
        for addition in ADDITIONS:
            apply(addition, root)
            new, changed, lines = addition.cost()
            print(f"{addition.name:20} {new:9} {changed:14} {lines:12}")
            if said.get(addition.row) != (new, changed):
                wrong.append(f"{addition.name}: {new} new files and {changed} changed; src/README.md says "
                             f"{said.get(addition.row)}")
        if options.build:
            built(root)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
