"""Builds the module orderlab._core with CMake, and what is made with it: the stubs of the package and JSON Schemas.

The C++ sources are those of the tree that this folder lies in; an sdist has a copy of them. ORDERLAB_BUILD_DIR names a
build folder to use, such as build/release, relative to the top of the tree: then only what is not up to date there is
compiled. All else that a build leaves is in a temporary folder: the tree of the sources may be read-only.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
COPY = HERE / "source"  # in an sdist
SOURCE = COPY if COPY.is_dir() else HERE.parents[1]
NEEDED = ["CMakeLists.txt", "LICENSE", "README.md", "include", "src"]

if not (SOURCE / "CMakeLists.txt").is_file():
    sys.exit(f"orderlab: {HERE}: was copied without the C++ sources around it; install from the tree itself, with pip 21.3 "
             "or newer, or from an sdist")


def version():
    return re.search(r"project\(orderlab VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text())[1]


class BuildModule(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("ORDERLAB_BUILD_DIR")
        folder = SOURCE / given if given else Path(self.build_temp).resolve()
        there = next(path for path in [folder, *folder.parents] if path.exists())
        if not os.access(there, os.W_OK):
            sys.exit(f"orderlab: ORDERLAB_BUILD_DIR={given}: {there} cannot be written; name another folder, or none")
        python = os.path.realpath(sys.executable)  # not that of a venv, which may be removed
        subprocess.run(["cmake", "-S", SOURCE, "-B", folder, "-DORDERLAB_PYTHON=ON", f"-DPython3_EXECUTABLE={python}",
                        *([] if given else self.fresh())], check=True)
        subprocess.run(["cmake", "--build", folder, "--target", "orderlab_python", "--parallel",
                        str(os.cpu_count() or 1)], check=True)  # make takes no number for as many as there are files
        target = Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        package = folder / "python" / "orderlab"
        made = [stub for stub in package.glob("*.pyi") if not stub.is_symlink()]  # links go to what build_py copies
        for file in [package / f"_core{sysconfig.get_config_var('EXT_SUFFIX')}", *made]:
            shutil.copy2(file, target.parent)
        copy_schemas(folder / "schemas", target.parent / "schemas")

    def copy_extensions_to_source(self):  # for an editable install
        super().copy_extensions_to_source()
        package = Path(self.build_lib, "orderlab")
        for stub in package.glob("*.pyi"):
            shutil.copy2(stub, HERE / "orderlab")
        copy_schemas(package / "schemas", HERE / "orderlab" / "schemas")

    @staticmethod
    def fresh():
        ninja = ["-G", "Ninja"] if shutil.which("ninja") else []
        return [*ninja, "-DCMAKE_BUILD_TYPE=Release", "-DORDERLAB_UNITY=ON", "-DORDERLAB_TESTS=OFF",
                "-DORDERLAB_BENCH=OFF", "-DORDERLAB_PACKAGES=OFF"]


def copy_schemas(origin, folder):
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(origin, folder, ignore=lambda _, names: [name for name in names if not name.endswith(".json")])


class WithLicenses(build_py):
    """The package with the licences of what is in the module."""

    def run(self):
        package = Path(self.build_lib) / "orderlab"
        shutil.rmtree(package, ignore_errors=True)  # what an earlier build left there
        super().run()
        if self.editable_mode:
            return
        vega = SOURCE / "src" / "page" / "assets" / "vega"
        self.copy_all("licenses", [SOURCE / "LICENSE", *sorted(vega.glob("LICENSE*"))])
        for licence in (SOURCE / "src" / "inference" / "tiny").glob("LICENSE"):
            self.copy_file(licence, Path(self.build_lib) / "orderlab" / "licenses" / "model-tiny-LICENSE.txt")

    def copy_all(self, name, files):
        folder = Path(self.build_lib) / "orderlab" / name
        self.mkpath(str(folder))
        for file in files:
            self.copy_file(file, folder / file.name)


class WithSources(sdist):
    """An sdist with the C++ sources."""

    def finalize_options(self):
        super().finalize_options()
        self.keep_temp = True  # the release tree goes with PRODUCTS

    @staticmethod
    def left_out(folder, names):
        if Path(folder).name == "python":  # what the build reads of this folder
            return [name for name in names if name not in ("core", "orderlab") and not name.startswith("make_")]
        return shutil.ignore_patterns("__pycache__", "*.so")(folder, names)

    def make_release_tree(self, base_dir, files):
        base_dir = Path(PRODUCTS, base_dir)
        super().make_release_tree(str(base_dir), [file for file in files if not os.path.isabs(file)])  # no egg-info
        for name in NEEDED:
            origin, copy = SOURCE / name, base_dir / "source" / name
            if origin.is_dir():
                shutil.copytree(origin, copy, ignore=self.left_out)
            else:
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(origin, copy)

    def make_archive(self, base_name, format, root_dir=None, **more):
        return super().make_archive(base_name, format, root_dir=PRODUCTS, **more)


with tempfile.TemporaryDirectory(prefix="orderlab-") as PRODUCTS:
    setup(version=version(), ext_modules=[Extension("orderlab._core", [])],
          cmdclass={"build_ext": BuildModule, "build_py": WithLicenses, "sdist": WithSources},
          options={"build": {"build_base": os.path.join(PRODUCTS, "build")}, "egg_info": {"egg_base": PRODUCTS}})
