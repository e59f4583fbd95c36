#!/usr/bin/env python3
"""`orderlab host` on programs with one planted bug each: what is found, at which line, with which status.

usage: check_host.py PROGRAM
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


def line_of(file, text, bug=None):
    """Number of the line of `file` that holds `text`; with `bug`, the first behind its #if."""
    lines = (HERE / file).read_text(encoding="utf-8").splitlines()
    start = 0 if bug is None else next(i for i, line in enumerate(lines) if line.endswith(f"if BUG == {bug}"))
    return next(i for i in range(start, len(lines)) if text in lines[i]) + 1


COPIES = ["copies.cu", "copies_more.cu"]
COPIES_SUM = "sum 16065.6251, 100 blocks, 25 of remainder 3, 1 begun, 1 made, more 225"

# Flags, status, what the output begins with or holds.
CASES = [
    (["bugs.cu", "-DBUG=0"], 0, ["sum 500, 1 launch", "2 launches, all 12 thread blocks checked; the program: exit status 0; no "
                                 "fault found"]),
    (["bugs.cu", "-DBUG=1"], 1, [f"bugs.cu:{line_of('bugs.cu', '// BUG', 1)}: ", 'of device array "d_x" of 4000 bytes: out of bounds']),
    (["bugs.cu", "-DBUG=2"], 1, [f"kernels.cuh:{line_of('kernels.cuh', 'atomicAdd')}: ", "which nothing has written"]),
    (["bugs.cu", "-DBUG=3"], 1, [f"kernels.cuh:{line_of('kernels.cuh', 'v += x[i]')}: ", "which has been freed"]),
    (["bugs.cu", "-DBUG=4"], 1, [f"bugs.cu:{line_of('bugs.cu', '// BUG', 4)}: copies 8 bytes from byte 0 on of device array d_out of 4",
                                 "error: invalid argument"]),
    (["bugs.cu", "-DBUG=5"], 1, [f"bugs.cu:{line_of('bugs.cu', 'h_out = *d_out')}: host code reads 4 bytes of device array d_out"]),
    (["bugs.cu", "-DBUG=6"], 0, ["never freed: device array d_x of 4000 bytes (allocated at bugs.cu:"]),
    (["bugs.cu", "-DBUG=6", "--fail-on", "leak"], 1, ["never freed"]),
    (["bugs.cu", "-DBUG=7"], 1, [f"bugs.cu:{line_of('bugs.cu', 'LAUNCH(fill')}: launch of kernel fill: a thread block of 2048"]),
    (["bugs.cu", "-DBUG=8"], 1, [f"bugs.cu:{line_of('bugs.cu', 'STEP')}: ", "kernel warp_sum", "with no barrier between them"]),
    (["bugs.cu", "-DBUG=8", "--warp-sync", "legacy"], 0, ["sum 32, 1 launch"]),
    (["bugs.cu", "-DBUG=9"], 3, ["the program: exit status 5"]),
    (["bugs.cu", "-DBUG=0", "--check", "3"], 0, ["6 of 12 thread blocks checked"]),
    (["bugs.cu", "-DBUG=0", "--runs", "3"], 0, ["nothing varies over 3 runs"]),
    (["bugs.cu", "-DBUG=0", "--runs", "2", "--watch", "absent"], 2, ["--watch absent: no copy to the host has this name; there "
                                                                    "are "]),
    (["bugs.cu", "-DBUG="], 2, ["bugs.cu:", "the compiler refuses the program"]),
    (["absent.cu"], 2, ["absent.cu: no such file"]),
    (["groups.cu"], 0, ["tiles 32640 255", "grid 32640", "cub 5050 4950", "halves 3.5 7"]),
    (["groups.cu", "--", "--n=128"], 0, ["tiles 8128 127", "grid 8128"]),
    ([*COPIES, "--check", "all"], 0, [COPIES_SUM, "unchecked copy: 0 blocks"]),
    (COPIES, 0, [COPIES_SUM, "unchecked copy: 68 blocks"]),
    ([*COPIES, "--check", "0"], 0, [COPIES_SUM, "unchecked copy: 100 blocks"]),
    ([*COPIES, "-DPOLLS"], 0, [COPIES_SUM, "unchecked copy: 0 blocks"]),
    ([*COPIES, "-DDEEP", "--check", "0"], 3, ["the program: crashed (SIGSEGV)"]),
    ([*COPIES, "-DDEEP"], 1, [f"copies.cu:{line_of('copies.cu', 'int depth')}: ", "needs more local memory than there is"]),
]


def run(program, folder, flags):
    """The command, which leaves nothing outside of `folder`."""
    return subprocess.run([program, *flags], cwd=folder, env={**os.environ, "TMPDIR": str(folder)}, capture_output=True,
                          text=True, timeout=300, check=False)


def problems_of(program, folder, flags, status, texts):
    done = run(program, folder, ["host", *flags])
    output = done.stdout + done.stderr
    missing = [text for text in texts if text not in output]
    if done.returncode == status and not missing:
        return []
    return [f"{' '.join(flags)}: status {done.returncode}, not {status}; without {missing}\n{output}"]


def problems_of_json(program, folder):
    """The document of a program in which numbers vary."""
    flags = ["host", "varies.cu", "--runs", "8", "--json", "-"]
    (folder / "varies.cu").write_text("""#include <stdio.h>
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
""", encoding="utf-8")
    done = run(program, folder, flags)
    document = json.loads(done.stdout)
    kinds = [(one["place"], one["what"], one["varying"], one["values"] > 1) for one in document["varying"]]
    expected = [("varies.cu:8", "h_out, copied back from d_out", 1, True), (None, "line 1 of the output", 1, True)]
    launches = [(one["kernel"], one["place"], one["float_atomics"]) for one in document["launches"]]
    if done.returncode == 1 and kinds == expected and launches == [("add", "varies.cu:7", 100)]:
        return []
    return [f"the JSON of varies.cu: status {done.returncode}, {kinds}, {launches}"]


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    program = str(Path(sys.argv[1]).resolve())
    if not shutil.which("g++") and not shutil.which("clang++"):
        print("skipped: no compiler")
        return 77
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in ["bugs.cu", "groups.cu", "kernels.cuh", "copies.cu", "copies.cuh", "copies_more.cu"]:
            shutil.copy(HERE / file, folder)
        for case in CASES:
            problems += problems_of(program, folder, *case)
        problems += problems_of_json(program, folder)
        problems += [f"{path.name}: left behind" for path in folder.glob("orderlab-run-*")]
        problems += [f"{path.name}: left behind" for path in folder.glob("orderlab-host-*/build-*")]
    print("\n".join(problems + [f"{len(CASES) + 1} programs, {len(problems)} problems"]))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
