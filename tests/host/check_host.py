#!/usr/bin/env python3
"""`orderlab host` on programs with planted bugs: what is found, at which line, with which status.

usage: check_host.py PROGRAM PART

PART: bugs, planted, work (streams, GPUs, memory), copies, equal (values, and too little memory), runs (several runs, several commands, what cannot be run).
"""

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent


def at(file, text, last=False):
    """"FILE:LINE: " of the first line that holds `text`, or of the last one."""
    path = HERE / file if (HERE / file).exists() else HERE / "programs" / file
    lines = [i for i, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if text in line]
    return f"{file}:{lines[-1 if last else 0]}: "


# Flags, status, what the output holds.
BUGS = [
    ("bugs.cu -- 0", 0, ["sum 500, 1 launch", "2 launches, all 12 thread blocks checked; the program: exit status 0; no "
                         "fault found"]),
    ("bugs.cu -- 1", 1, [at("bugs.cu", "// BUG 1"), 'of device array "d_x" of 4000 bytes: out of bounds']),
    ("bugs.cu -- 2", 1, [at("kernels.cuh", "atomicAdd"), "which nothing has written"]),
    ("bugs.cu -- 3", 1, [at("kernels.cuh", "v += x[i]"), "which has been freed"]),
    ("bugs.cu -- 4", 1, [at("bugs.cu", "// BUG 4") + "copies 8 bytes from byte 0 on of device array d_out of 4",
                         "error: invalid argument"]),
    ("bugs.cu -- 5", 1, [at("bugs.cu", "// BUG 5") + "host code reads 4 bytes of device array d_out"]),
    ("bugs.cu -- 6", 0, ["never freed: device array d_x of 4000 bytes (allocated at bugs.cu:"]),
    ("bugs.cu --fail-on leak -- 6", 1, ["never freed"]),
    ("bugs.cu -- 7", 1, [at("bugs.cu", "LAUNCH(fill") + "launch of kernel fill: a thread block of 2048"]),
    ("bugs.cu -- 8", 1, [at("bugs.cu", "STEP"), "kernel warp_sum", "with no barrier between them"]),
    ("bugs.cu --warp-sync legacy -- 8", 0, ["sum 32, 1 launch"]),
    ("bugs.cu -- 9", 3, ["the program: exit status 5"]),
    ("bugs.cu --check 3 -- 0", 0, ["6 of 12 thread blocks checked"]),
    ("bugs.cu --runs 3 -- 0", 0, ["nothing varies over 3 runs"]),
    ("bugs.cu --runs 2 --watch absent -- 0", 2, ["--watch absent: no copy to the host has this name; there are "]),
    ("names.cu", 0, ["lerp 3", "no fault found"]),
    ("backslashes.cu", 0, ["sum 6 7", "no fault found"]),
    ("broken.cu", 2, ["broken.cu:3:", "the compiler refuses the program"]),
    ("absent.cu", 2, ["absent.cu: no such file"]),
    ("refused.cu", 1, [at("refused.cu", "// NO SHARED"), "dynamic shared memory of 0 bytes (a launch gives their number as its "
                       "third argument): out of bounds"]),
    ("refused.cu -- bounds", 1, [at("refused.cu", "// BOUNDS") + "launch of kernel bounded: a thread block of 128 x 1 x 1 "
                                 "threads; its __launch_bounds__ allow 64", "invalid configuration argument"]),
    ("groups.cu", 0, ["tiles 32640 255", "grid 32640", "cub 5050 4950", "halves 3.5 7", "scans 0 800 9277, 0 2 40 1 1 1 3"]),
    ("groups.cu -- --n=128", 0, ["tiles 8128 127", "grid 8128"]),
]

# The same programs with an argument have no bug.
PLANTED = [
    ("stencil.cu", 1, [at("stencil.cu", "BUG"), "reads 4 bytes at byte 1200", "d_x", "out of bounds"], "middle 150"),
    ("transpose.cu", 1, [at("transpose.cu", "// BUG"), "out of bounds"], "second row 1 33"),
    ("histogram.cu", 1, [at("histogram.cu", "BUG"), 'static shared array "own"', "with no barrier between them"], "a: 20"),
    ("tree.cu", 1, [at("tree.cu", "BUG"), "with no barrier between them; put a __syncthreads there"], "largest 255"),
    ("divergent.cu", 1, ["divergent barrier", "must reach the same __syncthreads"], "last 197"),
    ("dot.cu", 1, [at("dot.cu", "BUG"), "dynamic shared memory", "which nothing has written"], "dot 40425"),
    ("product.cu", 1, [at("product.cu", "BUG"), 'device array "d_c"', "which nothing has written"], "first "),
    ("iterate.cu", 1, [at("iterate.cu", "STEP"), "which has been freed"], "last "),
    ("leak.cu", 0, ["never freed: device array d_x of 128 bytes (" + at("leak.cu", "BUG").replace("leak", "allocated at leak")
                    .rstrip(": ") + "); device array d_x"], "no fault found"),
    ("warp.cu", 1, [at("warp.cu", "BUG").split(":")[0], "with no barrier between them", "or a __syncwarp"], "last 32"),
    ("counter.cu", 1, [at("counter.cu", "BUG"), '__device__ variable "odd"', "without __threadfence and an atomic"], "odd 500"),
    ("host_sum.cu", 1, [at("host_sum.cu", "BUG") + "host code reads 4 bytes of device array d_sums of 16 bytes"], "sum 8128"),
]
PLANTED = [case for file, status, texts, fixed in PLANTED
           for case in [(file, status, texts), (f"{file} --fail-on leak -- fixed", 0, [fixed, "no fault found"])]] + [
    ("saxpy.cu -- direction", 1, [at("saxpy.cu", "// DIRECTION") + "copies 4000 bytes from device array d_y of 4000",
                                  "the direction of the copy is wrong"]),
    ("saxpy.cu -- longer", 1, [at("saxpy.cu", "// LONGER") + "copies 8000 bytes from byte 0 on of device array d_y of 4000"]),
    ("saxpy.cu -- size", 1, [at("saxpy.cu", "// SIZE"), 'of device array "d_x" of 4000 bytes', "which nothing has written"]),
    ("saxpy.cu -- right", 0, ["last 3", "no fault found"]),
]

SHARED = "in different streams, without an event or a synchronisation between them"
WORK = [
    ("streams.cu -- 0", 1, [at("streams.cu", "// BUG") + "kernel add_up and kernel fill (streams.cu:", SHARED, "sum 256"]),
    ("streams.cu --runs 20 -- 0", 1, ["h_out, copied back from d_out: 1 of 1 number varies over 20 runs: 2 values from 0 to "
                                      "256", "h_out"]),
    ("streams.cu --runs 6 -- 1", 0, ["sum 256", "nothing varies over 6 runs"]),
    ("streams.cu --runs 6 -- 2", 0, ["sum 512", "nothing varies over 6 runs"]),
    ("streams.cu --runs 6 -- 3", 0, ["sum 256", "nothing varies over 6 runs"]),
    ("no_wait.cu -- nothing", 0, ["managed 25\npinned 9\ncounts 42 100", "no fault found"]),
    ("no_wait.cu -- atomic", 1, [at("no_wait.cu", "// ATOMIC") + "host code reads 4 bytes of managed array counts of 8"]),
    ("no_wait.cu -- managed", 1, [at("no_wait.cu", "// MANAGED") + "host code reads 4 bytes of managed array x of 128",
                                  "which kernel square (no_wait.cu:"]),
    ("no_wait.cu -- pinned", 1, [at("no_wait.cu", "// PINNED") + "host code reads 4 bytes of pinned array pinned of 128",
                                 "which copy (no_wait.cu:"]),
    ("order.cu -- between", 0, ["value 1", "no fault found"]),
    ("order.cu -- parts", 0, [at("order.cu", "// PARTS") + "kernel fill and kernel fill (order.cu:",
                              "may use the same bytes of device array d_x of 400000 bytes", "both access parts of bytes 4 to 20475"]),
    ("order.cu -- count", 0, ["value 64", "no fault found"]),
    ("order.cu -- read", 1, [at("order.cu", "// READ") + "copy and kernel count (order.cu:", SHARED]),
    ("order.cu -- functions", 0, ["value 100", "32 of 100 thread blocks checked"]),
    ("order.cu --check 0 -- names", 0, ["rep 4", "value 32"]),
    ("order.cu --check 0 -- child", 0, ["no fault found"]),
    ("order.cu --check 1 -- child", 1, [at("order.cu", "// CHILD") + "kernel child, thread block 0", "out of bounds"]),
    ("order.cu -- spin", 0, ["value 0", "no fault found"]),
    ("order.cu -- freed", 1, [at("order.cu", "// FREED") + "copies 400 bytes from pinned array pinned of 400 bytes", "was freed at"]),
    ("order.cu -- longer", 1, [at("order.cu", "// LONGER") + "copies 404 bytes from byte 0 on of pinned array", "beyond its end"]),
    ("order.cu -- registered", 1, [at("order.cu", "// REGISTERED") + "registers memory of the host that kernels may use"]),
    ("order.cu -- thread", 0, ["last no error"]),
    ("gpus.cu", 3, ["1 GPUs", "exit status 4"]),
    ("gpus.cu --gpus 2", 0, ["2 GPUs", "peer 0", "last 62, invalid device ordinal", "no fault found"]),
    ("gpus.cu --gpus 2 -- twice", 0, ["peer 0 cudaErrorPeerAccessAlreadyEnabled"]),
    ("gpus.cu --gpus 2 -- copies", 0, ["last 62", "no fault found"]),
    ("gpus.cu --gpus 2 -- no_access", 1, [at("gpus.cu", "// READ"), 'device array "d_from"', "which is of another GPU"]),
    ("gpus.cu --gpus 2 -- stream", 1, [at("gpus.cu", "// STREAM") + "launches kernel twice in a stream of GPU 1 while GPU 0"]),
    ("managed.cu", 0, ["registered 1 12 120 34, counter 7", "tree 210"]),
    ("managed.cu -- waits", 1, [at("managed.cu", "// WAITS"), "waits for kernels that it has launched"]),
    ("unread.cu", 0, [at("unread.cu", "// UNREAD") + "kernel scale writes device array d_z of 128 bytes (allocated at "
                      "unread.cu:13), and nothing reads it afterwards"]),
]

SAME = "several threads write the same value to an element of "
EQUAL = [
    ("equal.cu -- mark", 0, [at("equal.cu", "// MARK") + "kernel mark: " + SAME + "device array \"out\" of 16 bytes, and nothing "
                             "orders them: no fault as long as the values are equal", "first 1", "no fault found"]),
    ("equal.cu --fail-on leak -- mark", 0, ["no fault found"]),
    ("equal.cu -- more", 0, [at("equal.cu", "// MARK"), SAME, "thread blocks that were not checked may have written others"]),
    ("equal.cu --runs 3 -- mark", 0, [SAME, "nothing varies over 3 runs"]),
    ("equal.cu -- status", 3, [at("equal.cu", "// MARK"), SAME, "exit status 4"]),
    ("equal.cu -- search", 0, [at("equal.cu", "// RESET"), SAME + 'static shared array "found" (search) of 1 byte',
                               at("equal.cu", "// FOUND"), "first 40", "no fault found"]),
    ("equal.cu -- number", 1, [at("equal.cu", "// NUMBER"), "with no barrier between them", "stopped at the fault"]),
    ("equal.cu -- part", 0, [at("equal.cu", "x->x = 1")[:-2], SAME, "no fault found"]),
    ("equal.cu -- exchange", 1, [at("equal.cu", "// EXCHANGE")[:-2], "with no barrier between them"]),
] + [(f"equal.cu --seed {seed} -- {kind}", 1, [at("equal.cu", f"// {kind.upper()}")[:-2], "with no barrier between them"])
     for kind in ["look", "change"] for seed in range(1, 6)]

# Thread blocks that are not checked run a copy of the program, unless it reads what another may change.
COPIES_SUM = "sum 16065.6251, 100 blocks, 25 of remainder 3, 1 begun, 1 made, more 225"
COPIES = [(f"copies.cu copies_more.cu {flags}", status, texts) for flags, status, texts in [
    ("--check all", 0, [COPIES_SUM, "unchecked copy: 0 blocks"]),
    ("", 0, [COPIES_SUM, "unchecked copy: 68 blocks"]),
    ("--check 0", 0, [COPIES_SUM, "unchecked copy: 100 blocks"]),
    ("-DPOLLS", 0, [COPIES_SUM, "unchecked copy: 0 blocks"]),
    ("-DDEEP --check 0", 3, ["the program: crashed (SIGSEGV)"]),
    ("-DDEEP", 1, [at("copies.cu", "int depth"), "needs more local memory than there is"]),
]]

TEXTS = {
    "names.cu": """#include <cuda.h>
#include <math.h>
#include <stdio.h>
static_assert(CUDA_ERROR_ILLEGAL_ADDRESS == 700);
__device__ float lerp(float a, float b, float t) { return fma(t, b, fma(-t, a, a)); }
__global__ void middle(float* out) { *out = lerp(2, 4, 0.5f); }
int main() {
  float *d_out, h_out;
  cudaMalloc(&d_out, 4);
  middle<<<1, 1>>>(d_out);
  cudaMemcpy(&h_out, d_out, 4, cudaMemcpyDeviceToHost);
  printf("lerp %g\\n", h_out);
  cudaFree(d_out);
}
""",
    # As nvcc takes them: g++ refuses the first one, whose comment stands behind it.
    "backslashes.cu": "#include <stdio.h>\n"
                      "#define LAUNCH(out) \\ \t\n  add<<<1, 1>>>(out)\n"
                      "__global__ void add(int* out) {\n"
                      "  *out = 1 + \\ // one, and\n    2 + \\ /* two */\n    3; \\ \n"
                      "}\n"
                      "int main() {\n"
                      "  int *d_out, h_out; // not \\  \n  the code\n"
                      "  cudaMalloc(&d_out, 4);\n"
                      "  LAUNCH(d_out);\n"
                      "  cudaMemcpy(&h_out, d_out, 4, cudaMemcpyDeviceToHost);\n"
                      "  printf(\"sum %d \\  \n%d\\n\", h_out, h_out + 1);\n"
                      "  cudaFree(d_out);\n"
                      "}\n",
    "broken.cu": "int main() {\n  cudaDeviceSynchronize();\n  nothing();\n}\n",
    "varies.cu": """#include <stdio.h>
__global__ void add(float* out) { atomicAdd(out, 1.0f / (1 + blockIdx.x)); }
int main() {
  float *d_out, h_out;
  cudaMalloc(&d_out, 4);
  cudaMemset(d_out, 0, 4);
  add<<<100, 1>>>(d_out);
  cudaMemcpy(&h_out, d_out, 4, cudaMemcpyDeviceToHost);
  printf("%.9g\\n", h_out);
  cudaFree(d_out);
}
""",
    # An array whose records take 1.6 GB; 1: without an order, 2: out of bounds, 3: unwritten.
    "large.cu": """#include <stdio.h>
__global__ void set(int* x, int i) { x[i] = 7; }
__global__ void overrun(int* x, int n) { x[n - 1] = 7, x[n] = 7; }
__global__ void add(int* x, int i) {
  if (i >= 0) x[i] += blockIdx.x;
}
int main(int, char** argv) {
  const int n = 25000000, kind = atoi(argv[1]);
  int *d_x, h_x;
  cudaMalloc(&d_x, n * sizeof(int));
  if (kind != 2) set<<<1, 1>>>(d_x, n - 1);
  if (kind == 1) add<<<2, 1>>>(d_x, n - 1);
  if (kind == 2) overrun<<<1, 1>>>(d_x, n);
  if (kind == 3) add<<<1, 1>>>(d_x, n - 2);
  cudaMemcpy(&h_x, d_x + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("last %d\\n", h_x);
  cudaFree(d_x);
}
""",
    # The last of 100 thread blocks crashes the host, but for the order of the first run.
    "crashes.cu": """#include <stdio.h>
#include <stdlib.h>
__global__ void last(int* out) { atomicExch(out, blockIdx.x); }
int main() {
  int *d_out, h_out;
  cudaMalloc(&d_out, 4);
  cudaMemset(d_out, 0, 4);
  last<<<2, 1>>>(d_out);
  cudaMemcpy(&h_out, d_out, 4, cudaMemcpyDeviceToHost);
  cudaFree(d_out);
  FILE* first = fopen("first", "r");
  if (first) {
    int number;
    if (fscanf(first, "%d", &number) == 1 && number != h_out) abort();
  } else {
    fprintf(fopen("first", "w"), "%d", h_out);
  }
}
""",
}


ADDED = "by float atomics, in the order in which they arrive"
VARYING = [(f"atomics.cu --runs 6 -- {kind}", 1, ["varies over 6 runs", f"kernel {kernel} (atomics.cu:", f") {does}"])
           for kind, kernel, does in [("launches", "add", f"adds 60 numbers {ADDED}"),
                                      ("shared", "add_shared", f"adds 128 numbers {ADDED}"),
                                      ("double", "add", f"adds 64 numbers {ADDED}"),
                                      ("halves", "add_halves", f"adds 128 numbers {ADDED}"),
                                      ("bfloat16", "add_bfloat16", f"adds 64 numbers {ADDED}"),
                                      ("loop", "add_by_loop", "changes values 64 times by atomicCAS or atomicExch, in the ")]]
VARYING += [("atomics.cu --runs 6 -- integers", 0, ["bits 2016", "nothing varies over 6 runs"])]


class Runner:
    """Commands whose files all are in one folder."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.problems = []

    def run(self, flags, **more):
        environment = {**os.environ, "TMPDIR": str(self.folder), **more.pop("environment", {})}
        return subprocess.run([self.program, "host", *flags], cwd=self.folder, env=environment, capture_output=True,
                              text=True, timeout=300, check=False, **more)

    def expect(self, flags, status, texts, **more):
        done = self.run(flags.split(), **more)
        output = done.stdout + done.stderr
        missing = [text for text in texts if text not in output]
        if done.returncode != status or missing:
            self.problems.append(f"{flags}: status {done.returncode}, not {status}; without {missing}\n{output}")


def check_json(runner):
    """The document of a program in which numbers vary."""
    done = runner.run("varies.cu --runs 8 --json -".split())
    document = json.loads(done.stdout)
    kinds = [(one["place"], one["what"], one["varying"], one["values"] > 1) for one in document["varying"]]
    expected = [("varies.cu:8", "h_out, copied back from d_out", 1, True), (None, "line 1 of the output", 1, True)]
    in_runs = all(len(one["of_runs"]) == 8 and min(one["of_runs"]) == float(one["least"]) for one in document["varying"][1:])
    launches = [(one["kernel"], one["place"], one["float_atomics"]) for one in document["launches"]]
    ending = (document["crashed"], document["not_compared"], document["config"]["gpus"])
    if done.returncode != 1 or kinds != expected or launches != [("add", "varies.cu:7", 100)] or ending != (False, 0, 1) or not in_runs:
        runner.problems.append(f"the JSON of varies.cu: status {done.returncode}, {kinds}, {launches}, {ending}")


def check_equal_values(runner):
    """Equal values in JSON and on the page: one finding of three launches."""
    done = runner.run("equal.cu --json - --html equal.html -- mark".split())
    found = [(one["kind"], one["place"]) for one in json.loads(done.stdout)["findings"]]
    page = (runner.folder / "equal.html").read_text(encoding="utf-8")
    if done.returncode != 0 or found != [("same_value", at("equal.cu", "// MARK")[:-2])] or SAME not in page:
        runner.problems.append(f"equal values: status {done.returncode}, {found}")


def check_too_little_memory(runner):
    """Where records of an array do not fit in memory, the program goes on without them."""
    runner.expect("large.cu -- 1", 1, ["kernel add", "large.cu:5", "without __threadfence and an atomic"])
    little = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))}
    note = ("large.cu:10: device array d_x of 100000000 bytes (allocated at large.cu:10): accesses without an order, of threads "
            "and of streams, were not looked for")
    runner.expect("large.cu -- 1", 0, [note, "last 8", "no fault found"], **little)
    runner.expect("large.cu -- 2", 1, [note, "of device array \"d_x\" of 100000000 bytes: out of bounds"], **little)
    runner.expect("large.cu -- 3", 1, [note, "which nothing has written"], **little)


def check_later_crash(runner):
    runner.expect("crashes.cu --runs 10", 1, ["ends otherwise: crashed (SIGABRT); the first run: exit status 0"])


def check_two_commands(runner):
    """Two commands that build one program at once."""
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(runner.run, [["varies.cu", "-D", "BOTH"]] * 2))
    if [one.returncode for one in both] != [0, 0] or both[0].stdout != both[1].stdout:
        runner.problems.append(f"two commands at once: {both}")


def check_failed_exec(runner):
    """What was built cannot be run, as in a folder of a file system that lets no program run."""
    runner.expect("varies.cu", 0, [])
    for path in runner.folder.glob("orderlab-host-*/program-*"):
        path.chmod(0o600)
    runner.expect("varies.cu", 2, ["cannot be run: Permission denied; set TMPDIR to a folder from which programs may run"])
    for path in runner.folder.glob("orderlab-host-*/program-*"):
        path.chmod(0o700)


def check_address_limit(runner):
    """A program that may have little address space, and one that may have too little."""
    built = runner.folder / "varies"
    runner.expect("varies.cu --build varies", 0, [])
    for limit, status, text in [(6 << 30, 0, "5.18"), (200 << 20, 2, "no address space for device memory")]:
        done = subprocess.run(["prlimit", f"--as={limit}", str(built)], capture_output=True, text=True, check=False)
        if done.returncode != status or text not in done.stdout + done.stderr:
            runner.problems.append(f"with {limit} bytes of addresses: status {done.returncode}\n{done.stdout}{done.stderr}")


def check_kept_program(runner):
    """What --build keeps runs alone."""
    runner.expect("broken.cu --build kept", 2, ["the compiler refuses the program"])
    if (runner.folder / "kept").exists():
        runner.problems.append("a program was kept of what does not compile")
    runner.expect("bugs.cu --build kept -- 1", 2, ["--build does not run the program, so it takes no arguments"])
    runner.expect("bugs.cu --build kept --html page", 2, ["--build does not run the program, so there is no report", "--html"])
    runner.expect("bugs.cu --build kept", 0, [])
    done = subprocess.run([runner.folder / "kept", "1"], capture_output=True, text=True, check=False)
    runner.expect("bugs.cu --build own", 0, [], umask=0o077)
    if (runner.folder / "own").stat().st_mode & 0o777 != 0o700:
        runner.problems.append(f"a kept program of umask 077: mode {(runner.folder / 'own').stat().st_mode:o}")
    if done.returncode != 97 or at("bugs.cu", "// BUG 1") not in done.stderr:
        runner.problems.append(f"a kept program: status {done.returncode}, {done.stderr}")


def check_no_folder(runner):
    """A temporary folder that is not there."""
    runner.expect("varies.cu", 2, ["no folder for temporary files: TMPDIR is ", "absent; set it to a folder that is there"],
                  environment={"TMPDIR": str(runner.folder / "absent")})


def check_registers(runner):
    """No value is in a register of AVX-512 while other threads run."""
    if not shutil.which("g++") or os.uname().machine != "x86_64":
        return
    command = ["g++", "-std=c++20", "-O2", "-march=skylake-avx512", "-I", HERE.parent.parent / "include", "-S", "-o", "-",
               HERE / "registers.cpp"]
    assembly = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if found := re.findall(r"%[xyz]mm(?:1[6-9]|2\d|3[01])\b", assembly):
        runner.problems.append(f"registers.cpp: {found}")


def check_thread_sanitizer(runner):
    """A program that is linked with libtsan is refused."""
    if not shutil.which("g++"):
        return
    compiler = runner.folder / "linking-g++"
    compiler.write_text('#!/bin/sh\ncase " $* " in *" -c "*|*version*) exec g++ "$@";; *) exec g++ "$@" -fsanitize=thread;; esac\n')
    compiler.chmod(0o755)
    runner.expect("varies.cu", 1, ["launch of kernel add: the program is linked with -fsanitize=thread, whose library takes"],
                  environment={"CXX": str(compiler)})


PARTS = {
    "bugs": (BUGS, []),
    "planted": (PLANTED, []),
    "work": (WORK, []),
    "copies": (COPIES, []),
    "equal": (EQUAL, [check_equal_values, check_too_little_memory]),
    "runs": (VARYING, [check_json, check_later_crash, check_two_commands, check_failed_exec, check_address_limit, check_kept_program,
                       check_no_folder, check_registers, check_thread_sanitizer]),
}


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in PARTS:
        raise SystemExit(__doc__)
    if not shutil.which("g++") and not shutil.which("clang++"):
        print("skipped: no compiler")
        return 77
    cases, checks = PARTS[sys.argv[2]]
    with tempfile.TemporaryDirectory() as name:
        runner = Runner(str(Path(sys.argv[1]).resolve()), Path(name))
        for file in [*HERE.glob("*.cu*"), *HERE.glob("programs/*.cu")]:
            shutil.copy(file, name)
        for file, text in TEXTS.items():
            Path(name, file).write_text(text, encoding="utf-8")
        for case in cases:
            runner.expect(*case)
        for check in checks:
            check(runner)
        runner.problems += [f"{path.name}: left behind" for path in Path(name).glob("orderlab-run-*")]
        runner.problems += [f"{path.name}: left behind" for path in Path(name).glob("orderlab-host-*/build-*")]
        runner.problems += [f"{path.name}: left behind" for path in Path(name).glob("cc*")]
    print("\n".join(runner.problems + [f"{len(cases) + len(checks)} cases, {len(runner.problems)} problems"]))
    return 1 if runner.problems else 0


if __name__ == "__main__":
    sys.exit(main())
