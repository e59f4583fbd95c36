"""orderlab beside libraries that compute something like it: CPU seconds on one thread, of what is installed.

A peer draws no orders and measures no errors; it does the additions of a sample, or the loop that people write. Its
imports and the program's start are not counted, but `probe` includes the start of Python and of numpy, in its process.
Exact sums stand beside xsum in bench/compare.
"""

import os
import subprocess
import tempfile
from dataclasses import dataclass

from waits import PYTHON, command_of, cpu_seconds, write_scores

PRELUDE = """
import time
{imports}
rng = np.random.default_rng(1)
{prepare}
start = time.process_time()
{work}
print(time.process_time() - start)
"""


@dataclass
class Peer:
    """What `command` computes, done by `library` in `work`, after `prepare`."""

    what: str
    command: str
    library: str
    prepare: str
    work: str


FLOATS = "x = rng.random(2**20, np.float32)"
INDEXED = FLOATS + "; i = rng.integers(0, 2**14, 2**20); out = np.zeros(2**14, np.float32)"
TENSORS = INDEXED + "; x, i, out = torch.from_numpy(x), torch.from_numpy(i), torch.from_numpy(out)"
POISSON = """
import inspect
from scipy.sparse import diags, identity, kron
from scipy.sparse.linalg import cg
K = 128
line = diags([-1, 2, -1], [-1, 0, 1], shape=(K, K))
matrix = (kron(line, identity(K)) + kron(identity(K), line)).tocsr()
right = rng.random(K * K)
tolerance = dict([("rtol" if "rtol" in inspect.signature(cg).parameters else "tol", 1e-8)])
"""
# FPRev's own steps for a sum of ones with two large numbers among them that cancel.
REVEALED = """
import fprev
class Sum(fprev.AccumImpl):
    n_summands = 1000
    data = np.ones(n_summands, np.float32)
    def set_mask(self, k, negative=False): self.data[k] = -2.0**127 if negative else 2.0**127
    def reset_mask(self, k): self.data[k] = 1
    def get_l(self): return self.n_summands - int(self.data.sum())
"""
SCATTER_ADD = "sample --op scatter_add --shape 1048576 --ratio 0.015625 --format fp32 --samples 20 --threads 1"
CUMSUM = "sample --op cumsum --n 1048576 --format fp32 --samples 20 --threads 1"

PEERS = (
    Peer("sum of 1e7 drawn numbers", "sum --n 1e7 --order numpy --threads 1", "numpy", "",
         "rng.uniform(0, 10, 10**7).sum()"),
    Peer("sum of a text file of 1e6 numbers", "sum --input {text} --order numpy --threads 1", "numpy", "",
         "np.loadtxt('{text}').sum()"),
    Peer("100 sums of 1e6 numbers in random orders", "sample --n 1e6 --order random --samples 100 --threads 1", "numpy",
         "x = rng.uniform(0, 10, 10**6)", "for _ in range(100): np.cumsum(rng.permutation(x))[-1]"),
    Peer("20 scatter_add of 2^20 numbers to 2^14", SCATTER_ADD, "numpy", INDEXED,
         "for _ in range(20): np.add.at(out, i, x)"),
    Peer("20 scatter_add of 2^20 numbers to 2^14", SCATTER_ADD, "torch", TENSORS,
         "for _ in range(20): out.scatter_add_(0, i, x)"),
    Peer("20 cumsum of 2^20 numbers", CUMSUM, "numpy", FLOATS, "for _ in range(20): np.cumsum(x)"),
    Peer("20 cumsum of 2^20 numbers", CUMSUM, "torch", FLOATS + "; x = torch.from_numpy(x)",
         "for _ in range(20): torch.cumsum(x, 0)"),
    Peer("compare of two files of 1000 scores", "compare {scores} {more_scores}", "scipy",
         "from scipy.stats import permutation_test; a, b = np.loadtxt('{scores}'), np.loadtxt('{more_scores}')",
         "permutation_test((a, b), lambda x, y, axis: x.mean(axis) - y.mean(axis), vectorized=True, n_resamples=10**4)"),
    Peer("4 runs of cg on poisson2d(128), one in launch order, one with exact sums",
         "solve cg --matrix poisson2d(128) --samples 4 --threads 1", "scipy", POISSON,
         "for _ in range(6): cg(matrix, right, **tolerance)"),
    Peer("the order of numpy's sum of 1000 numbers", "probe --python numpy:sum --sizes 1000 --format fp32", "fprev",
         REVEALED, "fprev.fprev(Sum())"),
)


def peer_seconds(peer, values):
    """CPU seconds; None where the library is not installed."""
    imports = "import numpy as np" + ("" if peer.library == "numpy" else f"; import {peer.library}")
    code = PRELUDE.format(imports=imports, prepare=peer.prepare.format(**values), work=peer.work.format(**values))
    one_thread = os.environ | {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}
    done = subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, check=False, env=one_thread)
    if done.returncode != 0 and "ModuleNotFoundError" not in done.stderr:
        raise RuntimeError(f"{peer.what}, {peer.library}: {done.stderr}")
    return float(done.stdout) if done.returncode == 0 else None


def measure_peers(orderlab):
    """Seconds of (ours, peer) by (what, library), of libraries that are installed."""
    env = os.environ | {"ORDERLAB_PYTHON": PYTHON}  # for `probe --python`
    start = cpu_seconds([orderlab, "--version"], 5)
    measured = {}
    with tempfile.TemporaryDirectory(prefix="orderlab_peers_") as folder:
        scores, more_scores = write_scores(folder, 1000)
        values = {"scores": scores, "more_scores": more_scores, "text": os.path.join(folder, "numbers.txt")}
        with open(values["text"], "w", encoding="utf-8") as file:
            file.writelines(f"{i * 0.7390851332151607 % 10!r}\n" for i in range(1_000_000))
        for peer in PEERS:
            theirs = peer_seconds(peer, values)
            if theirs is not None:
                command = command_of(orderlab, peer.command, values)
                measured[f"{peer.what}, {peer.library}"] = (cpu_seconds(command, env=env) - start, theirs)
    return measured


def peer_lines(measured):
    yield "| what, and beside which library | orderlab, s | the library, s | orderlab / library |"
    yield "|---|---|---|---|"
    for what, (ours, theirs) in measured.items():
        yield f"| {what} | {ours:.2g} | {theirs:.2g} | {ours / theirs:.2g} |"
