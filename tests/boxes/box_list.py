"""The black boxes of run_boxes.py: how each is asked, what it needs, and what is known of its order."""

import dataclasses
import os
import re
import shutil
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = os.environ.get("ORDERLAB_PYTHON", "/usr/bin/python3")  # the one that python3-numpy installs for
LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")  # Debian's, with every BLAS in a folder of its own
NAMED, REVEALED, RANDOM = "named", "revealed", "random"
MAY_VARY = (NAMED, REVEALED, RANDOM)  # threads: on an idle machine no call may differ from the others
EXACT, BY_VALUE, NOT_A_SUM = "exact or compensated", "data-dependent", "not a sum"


class Skipped(Exception):
    """What a box needs is not installed."""


@dataclasses.dataclass
class Box:
    """One black box. `order` is a known answer for every n; `verdict` is one without an order."""

    name: str
    version: str  # a key of VERSIONS
    flags: list
    format: str = "fp32"
    order: str = ""
    verdict: "str | tuple" = ""  # one, or several that are right
    sizes: tuple = ()  # the only ones that it is asked for; empty: all
    needs: tuple = ()  # programs, and flags of the CPU as "cpu:avx2"
    build: "Build | None" = None


@dataclasses.dataclass(frozen=True)
class Build:
    """A library made of a file beside this one; `flags` go before the file, `libraries` behind it."""

    source: str
    compiler: str
    flags: tuple = ()
    libraries: tuple = ()
    symbol: str = ""


def first_line(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    return (done.stdout or done.stderr).strip().split("\n")[0]


def number_in(text):
    found = re.search(r"\d+(\.\d+)+", text)
    return found.group(0) if found else text[:20]


def version_of(program, *arguments):
    return f"{program} {number_in(first_line(program, *(arguments or ['--version'])))}"


def package(name):
    return f"{name} {number_in(first_line('dpkg-query', '-W', '-f', '${Version}', name))}"


def python_says(expression, module="sys"):
    return first_line(PYTHON, "-c", f"import {module}; print({expression})")


VERSIONS = {
    "numpy": lambda: "NumPy " + python_says("numpy.__version__", "numpy"),
    "python": lambda: "CPython " + python_says("sys.version.split()[0]"),
    "gcc": lambda: version_of("g++", "-dumpfullversion"),
    "clang": lambda: version_of("clang"),
    "rustc": lambda: version_of("rustc"),
    "gfortran": lambda: version_of("gfortran", "-dumpfullversion"),
    "libstdc++": lambda: "libstdc++ " + number_in(first_line("g++", "-dumpfullversion")),
    "tbb": lambda: package("libtbb-dev"),
    "eigen": lambda: package("libeigen3-dev"),
    "libomp": lambda: version_of("clang") + ", libomp",
    "libgomp": lambda: version_of("g++", "-dumpfullversion") + ", libgomp",
    "openblas": lambda: package("libopenblas0-pthread"),
    "blas": lambda: package("libblas3"),
    "blis": lambda: package("libblis4-pthread"),
    "atlas": lambda: package("libatlas3-base"),
    "gsl": lambda: package("libgslcblas0"),
    "mawk": lambda: version_of("mawk", "-W", "version"),
    "gawk": lambda: version_of("gawk"),
    "busybox": lambda: "busybox " + number_in(first_line("busybox")),
    "perl": lambda: version_of("perl"),
    "node": lambda: version_of("node"),
    "sqlite3": lambda: version_of("sqlite3"),
    "R": lambda: version_of("Rscript"),
    "octave": lambda: version_of("octave"),
    "jq": lambda: version_of("jq"),
    "ruby": lambda: version_of("ruby"),
    "php": lambda: version_of("php"),
    "lua": lambda: version_of("lua5.4", "-v"),
    "datamash": lambda: version_of("datamash"),
    "tcl": lambda: "tclsh " + package("tcl8.6").split()[1],
    "guile": lambda: version_of("guile"),
    "sort": lambda: version_of("sort"),
}


def python(name, function, version="numpy", axis=None, **more):
    flags = ["--python", function] + ([] if axis is None else ["--axis", str(axis)])
    return Box(name, version, flags, needs=(PYTHON,), **more)


def command(name, program, text, version=None, lines=False, **more):
    flags = ["--command", text] + (["--lines"] if lines else [])
    more.setdefault("format", "fp64")
    return Box(name, version or program, flags, needs=(program,), **more)


def compiled(name, version, build, needs=(), **more):
    """The symbol's last letter, or the one before :dot, says the format."""
    stem = build.symbol.split(":")[0]
    return Box(name, version, [], format="fp64" if stem.endswith("_d") else "fp32",
               needs=(build.compiler,) + tuple(needs), build=build, **more)


def installed(name, version, file, symbol, **more):
    return Box(name, version, ["--library", f"{LIBRARIES / file}:{symbol}"], needs=(str(LIBRARIES / file),), **more)


def numpy_boxes():
    ours = "array_sums:"
    yield python("numpy.sum", "numpy:sum", order="numpy")
    yield python("numpy.sum", "numpy:sum", format="fp64", order="numpy")
    yield python("numpy.sum", "numpy:sum", format="fp16", order="numpy")
    yield python("numpy.sum, axis=0", "numpy:sum", axis=0, order="sequential")
    yield python("numpy.sum, axis=1", "numpy:sum", axis=1, order="numpy")
    yield python("numpy.sum, every second element", ours + "strided_view", order="numpy")
    yield python("numpy.sum, reversed view", ours + "reversed_view")
    yield python("numpy.sum, two dimensions, Fortran order", ours + "fortran_order", order="numpy")
    yield python("numpy.sum(dtype=float64)", ours + "fp64_accumulator", order="numpy")
    yield python("numpy.sum(where=)", ours + "masked")
    yield python("numpy.add.reduce", "numpy:add.reduce", order="numpy")
    yield python("numpy.add.reduceat", ours + "reduceat")
    yield python("numpy.add.accumulate, last", ours + "accumulate_last", order="sequential")
    yield python("numpy.cumsum, last", ours + "cumsum_last", order="sequential")
    yield python("numpy.add.at", ours + "add_at", order="seq(from=zero)")
    yield python("numpy.bincount(weights=)", ours + "bincount", format="fp64", order="seq(from=zero)")
    yield python("numpy.nansum", "numpy:nansum", order="numpy")
    yield python("numpy.einsum('i->')", ours + "einsum", order="numpy_einsum")
    yield python("numpy.einsum('i,i->')", ours + "einsum_dot:dot")
    yield python("numpy.dot", "numpy:dot:dot")
    yield python("numpy.inner", "numpy:inner:dot")
    yield python("numpy.matmul", "numpy:matmul:dot")
    yield python("numpy.dot", "numpy:dot:dot", format="fp16")
    yield python("numpy.polyval at 1", ours + "polyval_at_1")
    yield python("numpy.mean", "numpy:mean", verdict=NOT_A_SUM)
    yield python("numpy.mean times n", ours + "mean_times_n")
    yield python("sum", "builtins:sum", version="python", format="fp64", order="seq(from=zero)")
    yield python("functools.reduce(add)", ours + "reduce_floats", version="python", format="fp64", order="sequential")
    yield python("math.fsum", "math:fsum", version="python", format="fp64", verdict=EXACT)
    yield python("sum of fractions.Fraction", ours + "fractions_sum", version="python", format="fp64", verdict=EXACT)


# clang 14 adds the vectors of a round by halves; with SSE its first rounds have an order without a name.
OLDER_CLANG = {("AVX2", "sum_f"): "gcc_simd(32,1)", ("AVX2", "sum_d"): "gcc_simd(16,1)",
               ("AVX-512", "sum_f"): "clang_simd(32,2,8)", ("AVX-512", "sum_d"): "gcc_simd(32,1)"}


def clang_major():
    return int(number_in(first_line("clang", "--version")).split(".")[0]) if shutil.which("clang") else 0


def loop_boxes():
    gcc_options = ("-O3", "-ffast-math")
    widths = {
        "SSE": ((), (), "4,1", "4,2", "2,1", "2,2"),
        "AVX2": (("-mavx2",), ("cpu:avx2",), "8,4", "8,4", "4,1", "4,4"),
        "AVX-512": (("-mavx512f", "-mavx512vl", "-mavx512dq", "-mavx512bw", "-mprefer-vector-width=512"),
                    ("cpu:avx512f", "cpu:avx512vl"), "16,8", "16,4,8", "8,4", "8,4"),
    }
    for width, (options, needs, gcc_f, clang_f, gcc_d, clang_d) in widths.items():
        for compiler, name, arguments in (("gcc", "gcc_simd", (gcc_f, gcc_d)), ("clang", "clang_simd", (clang_f, clang_d))):
            for symbol, argument in zip(("sum_f", "sum_d"), arguments):
                build = Build("loops.c", compiler, gcc_options + options, ("-lm",), symbol)
                order = f"{name}({argument})"
                if compiler == "clang" and clang_major() < 16:
                    order = OLDER_CLANG.get((width, symbol), "")
                yield compiled(f"{compiler} loop, {width}", compiler, build, needs, order=order)
    fma = ("-mavx2", "-mfma")
    for compiler in ("gcc", "clang"):
        build = Build("loops.c", compiler, gcc_options + fma, ("-lm",), "dot_f:dot")
        yield compiled(f"{compiler} dot loop, AVX2 and FMA", compiler, build, ("cpu:fma",))
        build = Build("loops.c", compiler, ("-O2", "-fopenmp-simd"), ("-lm",), "simd_f")
        yield compiled(f"{compiler} -O2 omp simd", compiler, build)
    plain = {"sum_f": "seq(from=zero)", "dot_f:dot": "seq(from=zero)", "unrolled_f": "", "fma_dot_f:dot": "seq(acc=fma,from=zero)",
             "fp64_accumulator_f": "seq(from=zero)", "kahan_f": "seq(acc=kahan)", "pairwise_f": "pairwise",
             "blocked_f": "seq(128) | seq(from=zero)"}
    for symbol, order in plain.items():
        name = symbol.split(":")[0].removesuffix("_f").replace("_", " ")
        yield compiled(f"C: {name}", "gcc", Build("loops.c", "gcc", ("-O2",), ("-lm",), symbol), order=order)
    yield compiled("C: neumaier", "gcc", Build("loops.c", "gcc", ("-O2",), ("-lm",), "neumaier_d"), verdict=EXACT)
    yield compiled("C: long double", "gcc", Build("loops.c", "gcc", ("-O2",), ("-lm",), "long_double_d"), verdict=REVEALED)
    for compiler, version in (("gcc", "libgomp"), ("clang", "libomp")):
        build = Build("loops.c", compiler, ("-O2", "-fopenmp"), ("-lm",), "openmp_f")
        for threads in (1, 2, 4):
            box = compiled(f"OpenMP reduction, OMP_NUM_THREADS={threads}", version, build,
                           order={1: "seq(from=zero)", 2: "chunks(2) | seq(from=zero)"}.get(threads, ""),
                           verdict=MAY_VARY if threads > 2 else "")
            box.flags = ["--box-threads", str(threads)]
            yield box
    for threads in (5, 8):  # of libomp: more than four add their sums by a tree
        build = Build("loops.c", "clang", ("-O2", "-fopenmp"), ("-lm",), "openmp_f")
        box = compiled(f"OpenMP reduction, OMP_NUM_THREADS={threads}", "libomp", build, order=f"openmp_llvm({threads})")
        box.flags = ["--box-threads", str(threads)]
        yield box


def library_boxes():
    def standard(symbol):
        return Build("standard.cpp", "g++", ("-O2", "-std=c++20"), ("-ltbb",), symbol)

    yield compiled("std::accumulate", "libstdc++", standard("accumulate_f"), order="seq(from=zero)")
    yield compiled("std::accumulate", "libstdc++", standard("accumulate_d"), order="seq(from=zero)")
    yield compiled("std::reduce", "libstdc++", standard("reduce_f"), order="std_reduce")
    yield compiled("std::reduce", "libstdc++", standard("reduce_d"), order="std_reduce")
    yield compiled("std::reduce(unseq)", "libstdc++", standard("reduce_unseq_f"))
    yield compiled("std::reduce(par)", "libstdc++", standard("reduce_par_f"), verdict=MAY_VARY)
    yield compiled("std::reduce(par_unseq)", "libstdc++", standard("reduce_par_unseq_f"), verdict=MAY_VARY)
    yield compiled("std::transform_reduce", "libstdc++", standard("transform_reduce_f:dot"), order="std_reduce")
    yield compiled("std::inner_product", "libstdc++", standard("inner_product_f:dot"), order="seq(from=zero)")
    yield compiled("std::valarray::sum", "libstdc++", standard("valarray_f"), order="sequential")
    yield compiled("tbb::parallel_deterministic_reduce", "tbb", standard("tbb_fixed_f"), order="tbb_deterministic")
    yield compiled("tbb::parallel_deterministic_reduce, grain 100", "tbb", standard("tbb_fixed_100_f"),
                   order="tbb_deterministic(100)")
    yield compiled("tbb::parallel_reduce", "tbb", standard("tbb_reduce_f"), verdict=MAY_VARY, sizes=(1000,))

    def eigen(symbol, *flags):
        return Build("eigen.cpp", "g++", ("-O3", "-DNDEBUG", "-isystem", "/usr/include/eigen3") + flags, (), symbol)

    forms = {"sum_f": "VectorXf::sum", "sum_d": "VectorXd::sum", "dot_f:dot": "VectorXf::dot",
             "gemv_rows_f:dot": "row-major matrix times vector", "gemv_columns_f:dot": "column-major matrix times vector",
             "gemv_rows_d:dot": "row-major matrix times vector", "gemv_columns_d:dot": "column-major matrix times vector",
             "gemm_f:dot": "matrix product"}
    known = {"sum_f": "eigen", "dot_f:dot": "eigen", "sum_d": "eigen(2)"}
    for symbol, form in forms.items():
        yield compiled(f"Eigen {form}", "eigen", eigen(symbol), order=known.get(symbol, ""))
    for symbol, avx2, avx512 in (("sum_f", "eigen(8)", "eigen(16)"), ("dot_f:dot", "", "")):
        yield compiled(f"Eigen {forms[symbol]}, AVX2", "eigen", eigen(symbol, "-mavx2", "-mfma"), ("cpu:fma",),
                       order=avx2)
        yield compiled(f"Eigen {forms[symbol]}, AVX-512", "eigen", eigen(symbol, "-mavx512f", "-mavx512dq", "-mfma"),
                       ("cpu:avx512dq",), order=avx512)
    yield compiled("Rust iter().sum()", "rustc", Build("sums.rs", "rustc", ("-O",), (), "iter_sum_f"))
    yield compiled("Rust rev().fold()", "rustc", Build("sums.rs", "rustc", ("-O",), (), "fold_reversed_f"))
    for level, flags in (("-O2", ("-O2",)), ("-O3 -ffast-math", ("-O3", "-ffast-math"))):
        for symbol, form in (("sum_f", "SUM"), ("dot_product_f:dot", "DOT_PRODUCT")):
            yield compiled(f"Fortran {form}, {level}", "gfortran", Build("sums.f90", "gfortran", flags, (), symbol))


def blas_boxes():
    # One thread: with more, a large product is another box.
    for version, title, folder, file in (("openblas", "OpenBLAS", "openblas-pthread", "libopenblas.so.0"),
                                         ("blis", "BLIS", "blis-pthread", "libblis.so.4"),
                                         ("blas", "reference BLAS", "blas", "libblas.so.3"),
                                         ("atlas", "ATLAS", "atlas", "libblas.so.3")):
        path = f"{folder}/{file}"
        plain = "seq(from=zero)" if version == "blas" else ""
        yield installed(f"{title} sdot", version, path, "sdot_:blas", order=plain)
        yield installed(f"{title} ddot", version, path, "ddot_:blas", format="fp64", order=plain)
        # Results in the format of the terms hide a wider accumulator: then no order is known.
        for symbol, form, number in (("sasum_", "abs", "fp32"), ("dasum_", "abs", "fp64"), ("snrm2_", "norm", "fp32"),
                                     ("dnrm2_", "norm", "fp64")):
            box = installed(f"{title} {symbol[:-1]}", version, path, f"{symbol}:blas", format=number,
                            order="sequential" if version == "blas" else "")
            box.flags += ["--of", form]
            yield box
        link = (f"-L{LIBRARIES / folder}", f"-l:{file}", f"-Wl,-rpath,{LIBRARIES / folder}")
        for symbol, form in (("gemv_f", "sgemv"), ("gemv_transposed_f", "sgemv, transposed"), ("gemv_d", "dgemv"),
                             ("gemv_transposed_d", "dgemv, transposed"), ("gemm_f", "sgemm"), ("gemm_d", "dgemm")):
            yield compiled(f"{title} {form}", version, Build("matrices.cpp", "g++", ("-O2",), link, symbol + ":dot"),
                           (str(LIBRARIES / path),))
    yield installed("GSL cblas_sdot", "gsl", "libgslcblas.so.0", "cblas_sdot:blas", order="seq(from=zero)")


AWK = "'{s += $1} END {printf \"%.17g\\n\", s}'"


def command_boxes():
    yield command("mawk", "mawk", "mawk " + AWK, order="seq(from=zero)")
    yield command("gawk", "gawk", "gawk " + AWK, order="seq(from=zero)")
    yield command("busybox awk", "busybox", "busybox awk " + AWK, order="seq(from=zero)")
    yield command("sort -g, then awk", "sort", "sort -g | mawk " + AWK, verdict=BY_VALUE)
    yield command("perl", "perl", """perl -e '$|=1; while(<>) {$s=0; $s+=$_ for split; printf "%.17g\\n",$s}'""",
                  lines=True, order="seq(from=zero)")
    yield command("perl List::Util::sum", "perl",
                  """perl -MList::Util=sum -e '$|=1; while(<>) {printf "%.17g\\n",sum(split)}'""", lines=True)
    yield command("node", "node", """node -e 'require("readline").createInterface({input: process.stdin}).on("line","""
                  """ l => console.log(String(l.trim().split(" ").reduce((s, x) => s + Number(x), 0))))'""", lines=True,
                  order="seq(from=zero)")
    yield command("sqlite3 sum()", "sqlite3", "sqlite3 :memory: 'create table t(x real)' '.import /dev/stdin t'"
                  """ "select printf('%!.17g', sum(x)) from t" """.rstrip())
    yield command("R sum", "Rscript", """Rscript -e 'f <- file("stdin", "r"); while (length(l <- readLines(f, 1)) > 0)"""
                  """ {cat(sprintf("%.17g\\n", sum(scan(text=l, quiet=TRUE)))); flush(stdout())}'""", "R", True)
    yield command("R Reduce(+)", "Rscript", """Rscript -e 'f <- file("stdin", "r"); while (length(l <- readLines(f, 1)) > 0)"""
                  """ {cat(sprintf("%.17g\\n", Reduce(`+`, scan(text=l, quiet=TRUE)))); flush(stdout())}'""", "R", True,
                  order="sequential")
    yield command("octave sum", "octave", """octave -qf --eval 'while true l = input("", "s"); printf("%.17g\\n","""
                  """ sum(sscanf(l, "%f"))); fflush(stdout); end'""", lines=True)
    yield command("jq add", "jq", "jq --unbuffered -R 'split(\" \") | map(tonumber) | add'", lines=True)
    yield command("ruby sum", "ruby", "ruby -ne '$stdout.sync = true; puts $_.split.map(&:to_f).sum'", lines=True,
                  verdict=EXACT)
    yield command("ruby inject(:+)", "ruby", "ruby -ne '$stdout.sync = true; puts $_.split.map(&:to_f).inject(:+)'",
                  lines=True, order="sequential")
    yield command("php array_sum", "php", """php -r 'while ($l = fgets(STDIN)) printf("%.17g\\n", array_sum(array_map("floatval","""
                  """ explode(" ", trim($l)))));'""", lines=True)
    yield command("lua", "lua5.4", """lua5.4 -e 'for l in io.lines() do local s = 0.0 for x in l:gmatch("%S+") do s = s +"""
                  """ tonumber(x) end print(string.format("%.17g", s)) io.flush() end'""", "lua", True,
                  order="seq(from=zero)")
    yield command("tcl +", "tclsh", f"tclsh '{HERE / 'sums.tcl'}'", "tcl", True)
    yield command("guile", "guile", """guile -c '(use-modules (ice-9 rdelim)) (let loop ((l (read-line))) (unless"""
                  """ (eof-object? l) (display (apply + (map (lambda (x) (exact->inexact (string->number x)))"""
                  """ (string-tokenize l)))) (newline) (force-output) (loop (read-line))))'""", lines=True)
    yield command("datamash sum", "datamash", "datamash --format '%.17g' sum 1")


def all_boxes():
    for boxes in (numpy_boxes, loop_boxes, library_boxes, blas_boxes, command_boxes):
        yield from boxes()


def cpu_flags():
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return set()
    found = re.search(r"^flags\s*:(.*)$", text, re.M)
    return set(found.group(1).split()) if found else set()


def missing(box, flags_of_cpu):
    """What the box needs and this machine lacks."""
    def lacks(need):
        if need.startswith("cpu:"):
            return need[4:] not in flags_of_cpu
        return not Path(need).exists() if "/" in need else shutil.which(need) is None
    return [need for need in box.needs if lacks(need)]


def build(made, folder):
    """The path of the library, which is built once."""
    key = "_".join([made.source, made.compiler, *made.flags, *made.libraries])
    path = folder / ("lib" + re.sub(r"[^A-Za-z0-9.]+", "_", key)[-180:] + ".so")
    if not path.exists():
        shared = ("--crate-type", "cdylib") if made.compiler == "rustc" else ("-shared", "-fPIC")
        command_line = [made.compiler, *shared, *made.flags, str(HERE / made.source), *made.libraries, "-o", str(path)]
        done = subprocess.run(command_line, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Skipped(f"does not compile: {(done.stderr.strip().splitlines() or ['?'])[0]}")
    return path
