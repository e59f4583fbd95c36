#!/usr/bin/env python3
"""Reads every #include under include/ and src/ and fails if one crosses the layers.

usage: check_layers.py SOURCE_DIR | --self-test
"""

import re
import sys
import tempfile
from pathlib import Path

from sources import code_files

# What each layer may include besides itself: all that stands to its left.
# core stands alone: the capture program is core and cuda, built where nothing but nvcc is.
CHAIN = ["core", "describe", "files", "vectors", "arrival", "order", "run", "reference", "terms", "operation",
         "metrics", "engine"]
SEES = {layer: set(CHAIN[:i]) for i, layer in enumerate(CHAIN)}
SEES["fit"] = set(CHAIN)
SEES["probe"] = set(CHAIN)  # black boxes
SEES["box"] = {"core", "probe"}  # boxes in processes of their own
SEES["program"] = set(CHAIN)  # code on drawn orders
SEES["solver"] = set(CHAIN) | {"program"}
SEES["training"] = set(CHAIN) | {"program"}
SEES["inference"] = set(CHAIN)  # language models
SEES["simt"] = set(CHAIN) | {"cuda"}  # the CUDA language on the host
SEES["study"] = set(CHAIN) | {"fit", "probe", "program", "solver", "training", "inference"}
SEES["crosscheck"] = set(CHAIN) | {"probe", "box", "simt", "cuda", "study"}  # runs kernels and programs; answers a question of study
SEES["cuda_source"] = {"core"}  # sources of CUDA as text
SEES["host_program"] = set(CHAIN) | {"cuda_source", "simt"}  # whole CUDA programs on the host
SEES["config"] = set(CHAIN) | {"fit", "probe", "program", "solver", "training", "inference", "study"}
SEES["show"] = set(CHAIN) | {"fit", "probe", "program", "solver", "training", "inference", "study", "simt", "crosscheck", "host_program",
                             "config"}
SEES["sweep"] = set(CHAIN) | {"program", "solver", "training", "inference", "study", "config", "show"}
SEES["page"] = SEES["sweep"] | {"sweep"}
SEES["cuda"] = {"core"}
SEES["cli"] = set(SEES)
SEES["python"] = set(SEES)

# Headers under the names of others, for sources of theirs: no part of the interface.
OF_OTHER_NAMES = "cuda_names/"

# Headers that belong to few layers: a pattern of the name between the brackets, the layers or files, the reason.
ONLY_IN = [
    (r"iostream|cstdio|stdio\.h|print", {"cli", "src/cuda/capture/main.cpp", "src/host_program/runtime.cpp", "src/host_program/record_writer.cpp"},
     "only the command line prints, and a program that is stopped"),
    (r"csignal|signal\.h", {"cli", "box"}, "only the command line handles signals, and a box kills its process"),
    (r"CLI/.*", {"src/cli/parse.cpp"}, "only the parser of the command line knows CLI11"),
    (r"(tbb|oneapi)/.*", {"src/engine/arena.cpp"}, "only the arena knows TBB"),
    (r"(mpfr|gmp|gmpxx|mpf2mpfr)\.h|boost/multiprecision/(?!cpp_int\.hpp).*", {"reference"}, "only the reference knows MPFR"),
    (r"boost/multiprecision/cpp_int\.hpp", {"src/metrics/big_count.cpp"}, "only the class BigCount knows cpp_int"),
    (r"boost/random(/.*|\.hpp)", {"terms"}, "only the terms know Boost's distributions"),
    (r"toml(\+\+)?(/.*|\.h|\.hpp)", {"sweep"}, "only sweeps know TOML"),
    (r"sqlite3\.h|SQLiteCpp/.*", {"sweep"}, "only sweeps know SQLite"),
    (r"cuda\.h|cuda_.*|cooperative_groups(/.*|\.h)|(cuda|cub|thrust|nv)/.*", {"cuda"}, "only kernels know CUDA"),
    (r"hwy/.*", {"vectors", "metrics", "arrival", "run", "reference", "operation", "training", "inference"}, "only hot loops over numbers know Highway"),
    (r"Eigen/.*", {"src/training/dense_product.cpp"}, "only dense products know Eigen, under another name"),
    (r"pybind11/.*", {"python"}, "only the module for Python knows pybind11"),
    (r"boost/context/.*", {"simt"}, "only the simulated GPU knows fibers"),
    (r"(zlib|bzlib|lzma|zstd)\.h", {"files"}, "only files know what they are compressed with"),
    (r"hdf5\.h", {"src/terms/hdf5_library.hpp"}, "the functions of libhdf5 are found when a file needs them"),
    (r"nlohmann/.*", {"src/config/json.cpp"}, "only the class Json knows the library for JSON"),
]
STANDARD_HEADER = re.compile(r"[a-z_0-9]+")  # no folder and no .h: all that a public header may include besides our own

COMMENT = re.compile(r"/\*.*?\*/", re.S)
INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(.*)$", re.M)
NAME = re.compile(r'([<"])([^>"]+)[>"]')


def read_table(path):
    """The layer of each public header, from lines 'HEADER LAYER'; # starts a comment."""
    table = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.partition("#")[0].split()
        if words:
            header, layer = words
            if layer not in SEES or header in table:
                raise SystemExit(f"{path}: '{line}': an unknown layer or a second entry")
            table[header] = layer
    return table


def includes(path):
    """Yields (line number, bracket, name); the bracket is '' where the name is a macro."""
    text = COMMENT.sub(lambda match: "\n" * match.group().count("\n"), path.read_text(encoding="utf-8"))
    for match in INCLUDE.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        name = NAME.match(match.group(1))
        yield (line, name.group(1), name.group(2)) if name else (line, "", match.group(1))


def layer_of_include(root, path, layer, bracket, name, table):
    """The layer that an include goes to, None for a header that is not ours; raises ValueError with what is wrong."""
    first = name.split("/")[0]
    if not bracket:
        raise ValueError("a computed include cannot be checked")
    if ".." in name.split("/"):
        raise ValueError("write the path from src/")
    if first == "orderlab":
        header = name.partition("/")[2]
        if header not in table:
            raise ValueError("no such public header in public_headers.txt")
        return table[header]
    if bracket == '"' and first in SEES and "/" in name:
        return first
    if bracket == '"' and (path.parent / name).is_file():
        return layer
    if bracket == '"' or (first in SEES and first != "cuda" and "/" in name):
        raise ValueError('write own headers as "layer/name.hpp", others as <name>')
    return None


def violations_of_file(root, path, layer, public, table):
    file = path.relative_to(root).as_posix()
    for line, bracket, name in includes(path):
        wrong = None
        try:
            target = layer_of_include(root, path, layer, bracket, name, table)
        except ValueError as error:
            wrong = str(error)
        else:
            if target is not None:
                if target != layer and target not in SEES[layer]:
                    wrong = f"{layer} may not include {target}"
                elif public and not name.startswith("orderlab/"):
                    wrong = "a public header includes ours as <orderlab/name.hpp>, and no private one"
            else:
                for pattern, places, reason in ONLY_IN:
                    if re.fullmatch(pattern, name) and not places & {layer, file}:
                        wrong = reason
                if public and not STANDARD_HEADER.fullmatch(name):
                    wrong = "a public header includes the standard library and orderlab/ only"
        if wrong:
            yield f"{file}:{line}: {name}: {wrong}"


def violations(root, table):
    """All that is wrong under root, one line each."""
    public = root / "include" / "orderlab"
    present = {path.relative_to(public).as_posix(): path for path in code_files(public)}
    present = {name: path for name, path in present.items() if not name.startswith(OF_OTHER_NAMES)}
    if (root / "include").exists():
        for header in sorted(set(present) ^ set(table)):
            yield f"include/orderlab/{header}: " + (
                "has no layer in public_headers.txt" if header in present else "in public_headers.txt, but absent")
    for header, path in present.items():
        if header in table:
            yield from violations_of_file(root, path, table[header], True, table)
    for path in code_files(root / "src"):
        layer = path.relative_to(root / "src").parts[0]
        if layer in SEES:
            yield from violations_of_file(root, path, layer, False, table)
        else:
            yield f"{path.relative_to(root)}: in no layer's folder"


# One line each: a file, its text, and a part of the complaint that it must draw (None: no complaint).
SELF_TEST = [
    ("src/core/a.cpp", '#include "order/tree.hpp"\n', "core may not include order"),
    ("src/core/a.cpp", "#include <orderlab/sample.hpp>\n", "core may not include engine"),
    ("src/core/a.cpp", "  #  include <iostream>\n", "a.cpp:1: iostream: only the command line prints"),
    ("src/show/a.cpp", "// a\n#include <cstdio>\n", "a.cpp:2: cstdio"),
    ("src/show/a.cpp", "#include <print>\n", "only the command line prints"),
    ("src/cuda/capture/main.cpp", "#include <iostream>\n", None),
    ("src/cuda/capture/plan.cpp", "#include <iostream>\n", "only the command line prints"),
    ("src/engine/a.cpp", "#include <csignal>\n", "handles signals"),
    ("src/engine/a.cpp", "#include <CLI/CLI.hpp>\n", "CLI11"),
    ("src/engine/a.cpp", '#include "show/json.hpp"\n', "engine may not include show"),
    ("src/fit/a.cpp", '#include "simt/a.hpp"\n', "fit may not include simt"),
    ("src/study/a.cpp", '#include "fit/a.hpp"\n#include "engine/a.hpp"\n', None),
    ("src/study/a.cpp", '#include "sweep/a.hpp"\n', "study may not include sweep"),
    ("src/study/a.cpp", "#include <cstdio>\n", "only the command line prints"),
    ("src/fit/a.cpp", '#include "study/a.hpp"\n', "fit may not include study"),
    ("src/cuda/a.cu", '#include "arrival/a.hpp"\n', "cuda may not include arrival"),
    ("src/engine/a.cpp", '#include "crosscheck/a.hpp"\n', "engine may not include crosscheck"),
    ("src/crosscheck/a.cpp", '#include "show/a.hpp"\n', "crosscheck may not include show"),
    ("src/crosscheck/a.cpp", '#include "cuda/a.hpp"\n#include "simt/a.hpp"\n#include "engine/a.hpp"\n', None),
    ("src/show/a.cpp", '#include "cli/a.hpp"\n', "show may not include cli"),
    ("src/terms/a.cpp", "#include <tbb/parallel_for.h>\n", "only the arena knows TBB"),
    ("src/terms/a.cpp", "#include <oneapi/tbb.h>\n", "only the arena knows TBB"),
    ("src/terms/a.cpp", "#include <mpfr.h>\n", "MPFR"),
    ("src/metrics/a.cpp", "#include <boost/multiprecision/mpfr.hpp>\n", "MPFR"),
    ("src/metrics/big_count.cpp", "#include <boost/multiprecision/cpp_int.hpp>\n", None),
    ("src/engine/c.cpp", "#include <boost/multiprecision/cpp_int.hpp>\n", "cpp_int"),
    ("src/metrics/a.cpp", "#include <boost/random/normal_distribution.hpp>\n", "Boost's distributions"),
    ("src/engine/a.cpp", "#include <toml++/toml.h>\n", "TOML"),
    ("src/engine/a.cpp", "#include <sqlite3.h>\n", "SQLite"),
    ("src/simt/a.cpp", "#include <cuda_runtime.h>\n", "CUDA"),
    ("src/simt/a.cpp", "#include <cuda/atomic>\n", "CUDA"),
    ("src/core/a.cpp", "#include <hwy/highway.h>\n", "know Highway"),
    ("src/cuda/a.cu", '#include "vectors/a.hpp"\n', "cuda may not include vectors"),
    ("src/vectors/a.cpp", '#include <hwy/highway.h>\n#include "core/a.hpp"\n', None),
    ("src/engine/a.cpp", "#include <boost/context/fiber.hpp>\n", "knows fibers"),
    ("src/simt/a.cpp", '#include "crosscheck/a.hpp"\n', "simt may not include crosscheck"),
    ("src/engine/a.cpp", '#include "crosscheck/a.hpp"\n', "engine may not include crosscheck"),
    ("src/engine/a.cpp", "#include <nlohmann/json.hpp>\n", "JSON"),
    ("src/order/a.cpp", '#include "../core/a.hpp"\n', "write the path from src/"),
    ("src/order/a.cpp", "#include <core/a.hpp>\n", "write own headers"),
    ("src/order/a.cpp", '#include "absent.hpp"\n', "write own headers"),
    ("src/order/a.cpp", "#include HEADER\n", "computed include"),
    ("src/order/a.cpp", "#include <orderlab/absent.hpp>\n", "no such public header"),
    ("src/other/a.cpp", "", "in no layer's folder"),
    ("src/a.cpp", "", "in no layer's folder"),
    ("include/orderlab/tree.hpp", "#include <orderlab/sample.hpp>\n", "order may not include engine"),
    ("include/orderlab/sample.hpp", "#include <tbb/task_arena.h>\n", "the standard library and orderlab/ only"),
    ("include/orderlab/sample.hpp", "#include <fmt/format.h>\n", "the standard library and orderlab/ only"),
    ("include/orderlab/sample.hpp", "#include <iostream>\n", "only the command line prints"),
    ("include/orderlab/sample.hpp", '#include "core/a.hpp"\n', "and no private one"),
    ("include/orderlab/tree.hpp", '#include "sample.hpp"\n', "as <orderlab/name.hpp>"),
    ("include/orderlab/new.hpp", "", "has no layer"),
    ("src/core/a.cpp", "#include <vector>\n#include <orderlab/error.hpp>\n// #include <iostream>\n", None),
    ("src/core/a.cpp", "/*\n#include <iostream>\n*/\n", None),
    ("src/order/a.cpp", '#include "core/a.hpp"\n#include "order/b.hpp"\n#include <bzlib.h>\n', "only files know"),
    ("src/engine/arena.cpp", "#include <oneapi/tbb/task_arena.h>\n", None),
    ("src/engine/a.cpp", "#include <tbb/parallel_for.h>\n", "only the arena knows TBB"),
    ("src/reference/a.cpp", "#include <boost/multiprecision/mpfr.hpp>\n#include <mpfr.h>\n", None),
    ("src/terms/a.cpp", "#include <boost/random.hpp>\n", None),
    ("src/config/json.cpp", "#include <nlohmann/json.hpp>\n", None),
    ("src/show/a.cpp", "#include <nlohmann/json.hpp>\n", "JSON"),
    ("src/show/a.cpp", '#include "simt/a.hpp"\n', None),
    ("src/cuda/a.cu", '#include <cuda_runtime.h>\n#include <cuda/atomic>\n#include "cuda/b.cuh"\n', None),
    ("src/cuda/a.cu", '#include "core/a.hpp"\n', None),
    ("src/simt/a.cpp", '#include <boost/context/detail/fcontext.hpp>\n#include "cuda/a.cuh"\n', None),
    ("src/crosscheck/a.cpp", '#include "simt/a.hpp"\n#include "cuda/a.cuh"\n#include "engine/a.hpp"\n', None),
    ("src/show/a.cpp", '#include "crosscheck/a.hpp"\n', None),
    ("src/page/a.cpp", '#include "show/a.hpp"\n#include "sweep/a.hpp"\n', None),
    ("src/page/a.cpp", '#include "cli/a.hpp"\n', "page may not include cli"),
    ("src/show/a.cpp", '#include "page/a.hpp"\n', "show may not include page"),
    ("src/cli/main.cpp", '#include <iostream>\n#include <csignal>\n#include "show/json.hpp"\n', None),
    ("include/orderlab/sample.hpp", '#include <cstdint>\n#include "orderlab/tree.hpp"\n', None),
    ("src/python/build/temp/CompilerId.cpp", '#include "absent.hpp"\n', None),  # what builds leave in the tree
    ("src/build/lib/a.cpp", "", None),
    ("src/python/dist/a.cpp", '#include "absent.hpp"\n', None),
    ("src/python/orderlab.egg-info/a.h", '#include "absent.hpp"\n', None),
    ("src/.cache/a.cpp", "", None),
    ("include/orderlab/__pycache__/a.hpp", "", None),
]


def complaints_about(file, text):
    """What the check says of a small correct tree to which one file was added."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ["error.hpp", "tree.hpp", "sample.hpp"]:
            (root / "include/orderlab").mkdir(parents=True, exist_ok=True)
            (root / "include/orderlab" / name).write_text("#include <vector>\n", encoding="utf-8")
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")
        return list(violations(root, {"error.hpp": "core", "tree.hpp": "order", "sample.hpp": "engine"}))


def self_test():
    failures = []
    for file, text, expected in SELF_TEST:
        found = complaints_about(file, text)
        good = len(found) == 1 and expected in found[0] if expected else not found
        if not good:
            failures.append(f"{file} with {text!r}: expected {expected!r}, got {found}")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "include").mkdir()
        if list(violations(Path(folder), {"gone.hpp": "core"})) == []:
            failures.append("a listed header that is absent drew no complaint")
        (Path(folder) / "src/out").mkdir(parents=True)
        for name in ["CMakeCache.txt", "a.cpp"]:
            (Path(folder) / "src/out" / name).touch()
        if code_files(Path(folder)):
            failures.append("a build folder of CMake was read")
    return failures


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    if sys.argv[1] == "--self-test":
        found = self_test()
    else:
        root = Path(sys.argv[1])
        found = list(violations(root, read_table(Path(__file__).with_name("public_headers.txt"))))
        print(f"{len(code_files(root / 'include')) + len(code_files(root / 'src'))} files read")
    print("\n".join(found + [f"{len(found)} violations"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
