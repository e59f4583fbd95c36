#!/usr/bin/env python3
"""Every figure of the documentation is what its script prints today. A script that needs data which is not there exits
with 77; its figure is not compared.

usage: check_figures.py PROGRAM [FOLDER_OF_RECORDINGS]
"""

import subprocess
import sys
from pathlib import Path

SKIPPED = 77
FIGURES = Path(__file__).resolve().parents[2] / "src/docs/figures"


def main():
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    complaints = [f"{path}: no script makes it"
                  for path in FIGURES.glob("*.svg") if not path.with_suffix(".py").exists()]
    for script in sorted(FIGURES.glob("*.py")):
        run = subprocess.run([sys.executable, "-B", script, *sys.argv[1:]], capture_output=True)
        if run.returncode == SKIPPED:
            print(f"not compared, its data are not here: {script.name}")
            continue
        if run.returncode:
            complaints.append(f"{script}: {run.stderr.decode()}")
        elif run.stdout != script.with_suffix(".svg").read_bytes():
            complaints.append(f"{script.with_suffix('.svg')}: is not what its script prints")
    print("\n".join(complaints + [f"{len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
