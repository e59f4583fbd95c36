#!/usr/bin/env python3
"""configs/cluster/sweep_slurm.sh by an sbatch that runs each job at once, one task after the other: the page, and the
points of one process.

usage: slurm_line.py PROGRAM
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "configs" / "cluster" / "sweep_slurm.sh"
FOLDER = "it's two words, é"
CONFIG = 'n = [10, 20, 30]\norder = ["random", "ao"]\nsamples = 20\n'

# Options of sbatch that the script uses; the second job must wait for the first. LOST names a task that never runs.
SBATCH = """#!/bin/bash
echo "$@" >> "$LOG"
while [[ $1 == --* ]]; do
  case $1 in
    --array=1-*) tasks=${1#--array=1-};;
    --dependency=afterany:41) after=yes;;
    --output=*) output=${1#--output=};;
    --wrap=*) [ "$after" = yes ] && sh -c "${1#--wrap=}" > "$output" 2>&1; echo "status $?" >> "$output"; echo 42; exit;;
    --parsable|--job-name=*) ;;
    *) echo "what is $1" >&2; exit 1;;
  esac
  shift
done
for ((i = 1; i <= tasks; i++)); do
  if [ "$i" != "$LOST" ]; then
    SLURM_JOB_ID=41 SLURM_ARRAY_JOB_ID=41 SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_COUNT=$tasks SLURM_ARRAY_TASK_MIN=1 \\
      SLURM_ARRAY_TASK_MAX=$tasks bash "$@" >&2
  fi
done
echo "41;cluster"
"""


def main():
    program = str(Path(sys.argv[1]).resolve())
    if shutil.which("bash") is None:
        print("skipped: no bash")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "bin").mkdir()
        (folder / "bin" / "sbatch").write_text(SBATCH)
        (folder / "bin" / "sbatch").chmod(0o755)
        (folder / "c.toml").write_text(CONFIG)
        environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", ORDERLAB=program, LOG=f"{folder}/log", LC_ALL="C")

        def run(*command, **variables):
            return subprocess.run([str(word) for word in command], cwd=folder, env={**environment, **variables},
                                  capture_output=True, text=True, check=False)

        def export(store):
            assert run(program, "export", store, "--csv", "export.csv").returncode == 0
            return (folder / "export.csv").read_bytes()

        assert run(program, "sweep", "c.toml", "--db", "one.sqlite", "--quiet").returncode == 0
        lost = run("bash", SCRIPT, "c.toml", FOLDER, "4", LOST="3")
        assert lost.returncode == 0, lost.stderr
        said = (folder / FOLDER / "merge.out").read_text()
        assert "unfinished shards of 4: 3" in said and said.endswith("status 1\n"), said
        assert (folder / FOLDER / "report.html").exists()  # of the points that there are
        again = run("bash", SCRIPT, "c.toml", FOLDER, "4")
        assert again.returncode == 0, again.stderr
        assert again.stdout.startswith(f"job 41 runs 4 shards of c.toml; then job 42 writes {FOLDER}/report.html\n")
        assert "squeue --jobs=41,42\n" in again.stdout
        assert (folder / FOLDER / "merge.out").read_text().endswith("status 0\n")
        assert "<html" in (folder / FOLDER / "report.html").read_text(encoding="utf-8")
        assert export(f"{FOLDER}/all.sqlite") == export("one.sqlite")
        submitted = (folder / "log").read_text().count("--array")
        (folder / "c.toml").write_text("n = 0\n")
        wrong = run("bash", SCRIPT, "c.toml", "out", "4")
        assert wrong.returncode == 2 and "c.toml" in wrong.stderr, wrong
        assert (folder / "log").read_text().count("--array") == submitted  # nothing was submitted
    print("the page and the points of one process; a lost task is named and repeated")


if __name__ == "__main__":
    main()
