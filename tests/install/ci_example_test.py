#!/usr/bin/env python3
"""Runs configs/ci/check_sums.sh, the example for other projects' CI: on its project as it is, and with each thing that
it watches broken.

usage: ci_example_test.py PROGRAM [--compiler CXX]
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parents[2] / "configs" / "ci"


def build(compiler, folder, old="", new=""):
    """The project's program, changed as told."""
    source = (EXAMPLE / "total.cpp").read_text(encoding="utf-8")
    assert old in source, old
    (folder / "total.cpp").write_text(source.replace(old, new), encoding="utf-8")
    subprocess.run([compiler, "-O1", "-o", folder / "total", folder / "total.cpp"], check=True)


def check(folder, *arguments):
    """The exit status and the text of the script, without what stands indented below a line."""
    command = ["sh", folder / "check_sums.sh", *(arguments or ["./total"])]
    done = subprocess.run(command, cwd=folder, text=True, timeout=60, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          stdin=subprocess.DEVNULL, check=False)
    return done.returncode, [line.split(":")[0] for line in done.stdout.splitlines() if not line.startswith(" ")], done


def expect(folder, status, verdicts, words):
    """`verdicts`: of the tolerance, the result and the order, h for one that holds and n for one that does not."""
    found, lines, done = check(folder)
    assert found == status, done
    assert lines == [{"h": "holds", "n": "DOES NOT HOLD"}[verdict] for verdict in verdicts], done
    assert words in done.stdout, (words, done)
    files = (folder / "sums-json").glob("*.json")
    answers = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in files}
    assert sorted(answers) == ["order", "result", "tolerance"], answers.keys()
    assert [answers["result"]["verdict"] == "explained", answers["order"]["verdict"] == "explained"] == [
        verdict == "h" for verdict in verdicts[1:]]


def learns_nothing(folder, program):
    """An orderlab whose table of tolerances has no rtol."""
    other = folder / "other"
    other.mkdir()
    (other / "orderlab").write_text(f"""#!/bin/sh
{program} "$@" || exit
if [ "$1" = tolerance ]; then grep -v ,rtol, sums-json/tolerance.csv > left; mv left sums-json/tolerance.csv; fi
""", encoding="utf-8")
    (other / "orderlab").chmod(0o755)
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{other}{os.pathsep}{before}"
    status, lines, done = check(folder)
    os.environ["PATH"] = before
    assert (status, lines) == (2, []) and "the rtol in sums-json/tolerance.csv is not a number" in done.stderr, done


def check_workflows():
    """Both files are YAML, where a reader of it is, and call the script as its usage says."""
    for name in ("github.yml", "gitlab.yml"):
        text = (EXAMPLE / name).read_text(encoding="utf-8")
        assert re.search(r"- (run: )?sh ci/check_sums\.sh \./total sums-json\n", text), name
        assert re.search(r"g\+\+ -O2 -o total ci/total\.cpp\n", text), name
        try:
            import yaml
        except ImportError:
            continue
        document = yaml.safe_load(text)
        assert "sums" in document.get("jobs", document), name


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--compiler", default="g++")
    options = parser.parse_args()
    check_workflows()
    os.environ["PATH"] = f"{options.program.resolve().parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in EXAMPLE.iterdir():
            shutil.copy(file, folder)
        build(options.compiler, folder)
        expect(folder, 0, "hhh", "rtol 8e-07 passes 99.9 % of runs")

        (folder / "rtol.txt").write_text("5e-07\n", encoding="utf-8")
        expect(folder, 1, "nhh", "the test's rtol 5e-07 passes 99.9 % of runs, which need 7.3")
        shutil.copy(EXAMPLE / "rtol.txt", folder)

        build(options.compiler, folder, "i % 8", "0")
        expect(folder, 1, "hhn", "a fixed order has one")
        build(options.compiler, folder, "file >> x; ++i)", "file >> x; ++i) if (i != 100)")
        expect(folder, 1, "hnn", "steps beyond every sample")

        for arguments in (["./absent"], ["./total", "sums-json", "more"], ["false"]):
            status, lines, done = check(folder, *arguments)
            assert (status, lines) == (2, []) and done.stderr, done
        for text in ("abc", "", "8e-07 x", "8e-07\n9e-07", "-1", "."):
            (folder / "rtol.txt").write_text(text + "\n", encoding="utf-8")
            status, lines, done = check(folder)
            assert (status, lines) == (2, []) and "rtol.txt is not a number" in done.stderr, (text, done)
        shutil.copy(EXAMPLE / "rtol.txt", folder)
        learns_nothing(folder, options.program.resolve())
        (folder / "rtol.txt").unlink()
        assert check(folder)[0] == 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
