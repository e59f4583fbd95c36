#!/usr/bin/env python3
"""What binaries say beside their code: no run path leads into the current folder, none is there without need, no folder of
the machine that built them is named, and the program checks its stack and its copies.

usage: binaries_test.py BUILD_DIR SOURCE_DIR [--cmake FILE] [--shared-build DIR]

Reads all binaries of BUILD_DIR, what `cmake --install` makes of them, and the commands that would link a build with
shared libraries; with --shared-build also the binaries of such a build, and of what it installs.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

failures = []


def check(holds, what):
    if not holds:
        failures.append(what)


def binaries(folder, patterns):
    """Programs, shared libraries and modules in a folder."""
    for file in sorted(file for pattern in patterns for file in folder.glob(pattern)):
        if file.is_file() and not file.is_symlink() and file.suffix not in (".o", ".a"):
            with open(file, "rb") as opened:
                if opened.read(4) == b"\x7fELF":
                    yield file


def run_path(file):
    """Folders in which the dynamic linker looks for the libraries of a binary, or None where it is told of none."""
    listed = subprocess.run(["readelf", "-d", file], capture_output=True, text=True, check=True).stdout
    paths = re.findall(r"\((?:RPATH|RUNPATH)\).*\[(.*)\]", listed)
    return paths[0].split(":") if paths else None


def check_run_path(file, path, in_build_tree, shared):
    if path is None:
        return
    check(shared, f"{file}: run path {path}, and no shared library of ours")
    for folder in path:
        absolute = folder.startswith("/") and in_build_tree
        check(absolute or folder == "$ORIGIN" or folder.startswith("$ORIGIN/"), f"{file}: run path {path}: '{folder}'")


def check_folder(folder, in_build_tree, shared):
    built = ("*", "python/orderlab/*", "tests/*", "tests/fuzz/*", "bench/*")  # other tests write to other folders
    found = list(binaries(folder, built if in_build_tree else ["**/*"]))
    check(found, f"{folder} has no binaries")
    for file in found:
        check_run_path(file, run_path(file), in_build_tree, shared)
    return found


def check_installed(cmake, build_dir, source_dir, shared):
    with tempfile.TemporaryDirectory() as prefix:
        subprocess.run([cmake, "--install", build_dir, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        for file in check_folder(Path(prefix), False, shared):
            for named in (source_dir, build_dir):
                check(str(named).encode() not in file.read_bytes(), f"{file.name} names the folder {named}")


def check_links_of_shared_build(cmake, source_dir):
    """Of programs and libraries that are installed: of those CMake would fill up run paths."""
    with tempfile.TemporaryDirectory() as build_dir:
        configured = subprocess.run([cmake, "-S", source_dir, "-B", build_dir, "-G", "Ninja", "-DBUILD_SHARED_LIBS=ON",
                                     "-DORDERLAB_TESTS=OFF", "-DORDERLAB_BENCH=OFF"], capture_output=True, text=True)
        check(configured.returncode == 0, f"a shared build is not configured: {configured.stderr[-1000:]}")
        if configured.returncode != 0:
            return
        links = subprocess.run(["ninja", "-C", build_dir, "-t", "commands", "orderlab_program"], capture_output=True,
                               text=True, check=True).stdout
        paths = re.findall(r"-Wl,-rpath,(\S+)", links)
        check(len(paths) >= 2, f"the program and the library that it links have {len(paths)} run paths")
        for path in paths:
            folders = path.replace('"', "").replace("\\", "").split(":")
            check_run_path("in a shared build", folders, True, True)


def check_program(program):
    symbols = subprocess.run(["readelf", "--dyn-syms", "-W", program], capture_output=True, text=True, check=True).stdout
    check("__stack_chk_fail" in symbols, f"{program} does not check its stack")
    check(re.search(r"__(?!stack)\w+_chk\b", symbols), f"{program} does not check its copies")
    dynamic = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    check("libhdf5" not in dynamic, f"{program} loads libhdf5 before a file needs it")
    check("BIND_NOW" in dynamic or "NOW" in dynamic, f"{program} resolves functions while it runs")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build_dir", type=Path)
    parser.add_argument("source_dir", type=Path)
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--shared-build", type=Path, metavar="DIR")
    arguments = parser.parse_args()
    arguments.build_dir = arguments.build_dir.resolve()
    arguments.source_dir = arguments.source_dir.resolve()
    check_folder(arguments.build_dir, True, False)
    check_installed(arguments.cmake, arguments.build_dir, arguments.source_dir, False)
    check_program(arguments.build_dir / "orderlab")
    check_links_of_shared_build(arguments.cmake, arguments.source_dir)
    if arguments.shared_build:
        check_folder(arguments.shared_build, True, True)
        check_installed(arguments.cmake, arguments.shared_build, arguments.source_dir, True)
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
