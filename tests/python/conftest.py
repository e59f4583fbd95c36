"""What the tests of the Python package share."""

import os
import subprocess
from pathlib import Path

import pytest

SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("ORDERLAB_PROGRAM", str(ROOT / "build" / "release" / "orderlab"))


@pytest.fixture
def program():
    """Runs the program: (arguments) -> standard output as bytes. A status of 1, "no", is an answer too."""

    def run(*arguments, cwd=None):
        alone = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}  # it has its own sanitizer
        done = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd, env=alone, capture_output=True, check=False)
        assert done.returncode in (0, 1), done.stderr.decode()
        return done.stdout

    return run
