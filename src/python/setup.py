"""Builds the module orderlab._core with CMake.

The C++ sources are those of the tree that this folder lies in; an sdist has a copy of them. ORDERLAB_BUILD_DIR names a
build folder to use, such as build/release, relative to the top of the tree: then only what is not up to date there is
compiled.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
COPY = HERE / "source"  # in an sdist
SOURCE = COPY if COPY.is_dir() else HERE.parents[1]
NEEDED = ["CMakeLists.txt", "LICENSE", "README.md", "include", "src"]


def version():
    return re.search(r"project\(orderlab VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]


class BuildModule(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("ORDERLAB_BUILD_DIR")
        folder = SOURCE / given if given else Path(self.build_temp).resolve()
        subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-DORDERLAB_PYTHON=ON",
                        f"-DPython3_EXECUTABLE={sys.executable}", *([] if given else self.fresh())], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "orderlab_python", "--parallel",
                        str(os.cpu_count() or 1)], check=True)  # make takes no number for as many as there are files
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(next((folder / "python" / "orderlab").glob("_core*")), target)

    @staticmethod
    def fresh():
        ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
        return [*ninja, "-DCMAKE_BUILD_TYPE=Release", "-DORDERLAB_UNITY=ON", "-DORDERLAB_TESTS=OFF",
                "-DORDERLAB_BENCH=OFF", "-DORDERLAB_CUDA=OFF"]


class WithSchemas(build_py):
    """The package with the JSON Schemas."""

    def run(self):
        super().run()
        for schema in sorted((SOURCE / "src" / "show" / "schemas").glob("*.json")):
            self.copy_file(schema, self.mkpath_of("schemas") / schema.name)

    def mkpath_of(self, name):
        folder = Path(self.build_lib) / "orderlab" / name
        self.mkpath(str(folder))
        return folder


class WithSources(sdist):
    """An sdist with the C++ sources."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        for name in NEEDED:
            origin, copy = SOURCE / name, Path(base_dir) / "source" / name
            if origin.is_dir():
                shutil.copytree(origin, copy, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist"))
            else:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(origin, copy)


setup(version=version(), ext_modules=[Extension("orderlab._core", [])],
      cmdclass={"build_ext": BuildModule, "build_py": WithSchemas, "sdist": WithSources})
