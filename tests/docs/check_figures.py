#!/usr/bin/env python3
"""Every figure of the documentation is what its script prints today.

usage: check_figures.py PROGRAM
"""

import subprocess
import sys
from pathlib import Path

FIGURES = Path(__file__).resolve().parents[2] / "src/docs/figures"


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    complaints = [f"{path}: no script makes it"
                  for path in FIGURES.glob("*.svg") if not path.with_suffix(".py").exists()]
    for script in sorted(FIGURES.glob("*.py")):
        made = subprocess.run([sys.executable, "-B", script, sys.argv[1]], check=True, capture_output=True).stdout
        if made != script.with_suffix(".svg").read_bytes():
            complaints.append(f"{script.with_suffix('.svg')}: is not what its script prints")
    print("\n".join(complaints + [f"{len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
