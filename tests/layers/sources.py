"""Which files of a source tree are sources: not what a build left there."""

import os
from pathlib import Path

CODE = {".hpp", ".cpp", ".h", ".cuh", ".cu", ".ipp", ".inc"}
PRODUCTS = {"build", "dist", "__pycache__"}  # of CMake, setuptools and Python


def is_product(folder):
    return (folder.name in PRODUCTS or folder.name.startswith(".") or folder.name.endswith(".egg-info")
            or (folder / "CMakeCache.txt").exists())


def code_files(folder):
    """The files of code below `folder`, sorted."""
    return files_with(CODE, folder)


def files_with(suffixes, folder):
    """The files below `folder` that end so, sorted."""
    found = []
    for path, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not is_product(Path(path, name))]
        found += [Path(path, name) for name in files if Path(name).suffix in suffixes]
    return sorted(found)
