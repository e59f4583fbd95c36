"""What builds of the package leave behind. `cmake` is a script that makes an empty module, empty stubs and an empty schema:
nothing is compiled."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("setuptools")
pytest.importorskip("wheel")

TREE = Path(__file__).resolve().parents[2]
CMAKE = f"""#!{sys.executable}
import os, sys, sysconfig
if "-B" in sys.argv:
    folder = sys.argv[sys.argv.index("-B") + 1] + "/python/orderlab"
    os.makedirs(folder, exist_ok=True)
    for name in ["_core" + sysconfig.get_config_var("EXT_SUFFIX"), "__init__.pyi", "_documents.pyi", "_functions.pyi"]:
        open(folder + "/" + name, "w").close()
    os.makedirs(folder + "/../../schemas")
    for name in ["made", "sample.json"]:
        open(folder + "/../../schemas/" + name, "w").close()
"""
STUBS = {f"orderlab/{name}" for name in ("py.typed", "__init__.pyi", "_core.pyi", "_documents.pyi", "_functions.pyi")}


@pytest.fixture
def tree(tmp_path):
    """A source tree with what builds read, which nobody may write."""
    copy = tmp_path / "tree"
    products = shutil.ignore_patterns("__pycache__", "*.so", "build", "dist", "*.egg-info")
    for name in ["src/python", "src/page/assets/vega"]:
        shutil.copytree(TREE / name, copy / name, ignore=products)
    for name in ["CMakeLists.txt", "LICENSE", "README.md"]:
        shutil.copy(TREE / name, copy)
    (copy / "include").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/cmake").write_text(CMAKE)
    (tmp_path / "bin/cmake").chmod(0o755)
    set_writable(copy, False)
    yield copy
    set_writable(copy, True)


def set_writable(folder, writable):
    for path in [folder, *folder.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755 if writable else 0o555)


def build(tree, hook, **environment):
    """Runs a hook of the build backend as pip does, in the folder of setup.py."""
    out = tree.parent / "out"
    out.mkdir(exist_ok=True)
    script = f"import sys; sys.path.insert(0, ''); from setuptools import build_meta; build_meta.{hook}({str(out)!r})"
    path = f"{tree.parent / 'bin'}:{os.environ['PATH']}"
    clean = {name: value for name, value in os.environ.items() if name not in ("ORDERLAB_BUILD_DIR", "LD_PRELOAD")}
    return subprocess.run([sys.executable, "-B", "-c", script], cwd=tree / "src/python", capture_output=True, text=True,
                          env={**clean, "PATH": path, "TMPDIR": str(tree.parent), **environment})


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_builds_leave_nothing_in_the_tree(tree):
    before = listing(tree)
    for hook in ["prepare_metadata_for_build_wheel", "build_wheel", "build_sdist"]:
        done = build(tree, hook)
        assert done.returncode == 0, done.stderr
        assert listing(tree) == before, hook
    left = {path.name for path in tree.parent.iterdir()} - {"tree", "bin", "out"}
    assert not left
    (wheel,) = tree.parent.glob("out/*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"orderlab/__init__.py", "orderlab/schemas/sample.json", "orderlab/licenses/LICENSE", *STUBS} <= set(names)
    assert "orderlab/schemas/made" not in names
    (sdist,) = tree.parent.glob("out/*.tar.gz")
    files = {name.partition("/")[2] for name in tarfile.open(sdist).getnames()}
    assert {"PKG-INFO", "setup.py", "orderlab/__init__.py", "orderlab/py.typed"} <= files
    read = {"core/module.cpp", "make_function_stubs.py", "make_result_stubs.py", "orderlab/_core.pyi", "orderlab/_functions.py"}
    assert {f"source/src/python/{name}" for name in read} <= files


def test_a_build_folder_that_cannot_be_written_is_one_line(tree):
    if os.geteuid() == 0:
        pytest.skip("root may write everywhere")
    done = build(tree, "build_wheel", ORDERLAB_BUILD_DIR="build/release")
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].startswith("orderlab: ORDERLAB_BUILD_DIR=build/release: ")


def test_a_copy_of_the_folder_alone_is_one_line(tree):
    alone = tree.parent / "alone"
    shutil.copytree(tree / "src/python", alone / "src/python")
    set_writable(alone, True)
    (alone / "bin").mkdir()
    done = build(alone, "build_wheel")
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1].startswith("orderlab: ") and "C++ sources" in done.stderr, done.stderr
