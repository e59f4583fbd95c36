"""Files that the command lines of cases.py read: terms, arrays, scores, recorded orders, a graph, a matrix."""

import ast
import json
import random
import struct


def npy(path, dtype, shape, values):
    """An array as .npy; `dtype` such as '<f8' or '<i8'."""
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {tuple(shape)}, }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    letter = {"<f8": "d", "<f4": "f", "<i8": "q"}[dtype]
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() +
                     struct.pack(f"<{len(values)}{letter}", *values))


def drop_first_axis(path):
    """One sample x outputs, in fp32, becomes the outputs. A copy beside it, wrong_NAME, has another last number."""
    data = path.read_bytes()
    end = 10 + struct.unpack("<H", data[8:10])[0]
    shape = ast.literal_eval(data[10:end].decode())["shape"][1:]
    values = [value for (value,) in struct.iter_unpack("<f", data[end:])]
    npy(path, "<f4", shape, values)
    npy(path.with_name("wrong_" + path.name), "<f4", shape, [*values[:-1], values[-1] * 1.00003])


def checksum_line(body):
    """The last line of a capture: FNV-1a of all before it, 64 bits."""
    value = 0xcbf29ce484222325
    for byte in body.encode():
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return f"checksum 0x{value:016x}\n"


def write_captures(folder, captures):
    """Captures with bits that are not those recorded, and one whose runs take seconds to judge."""
    for name, begin in (("synthetic", "run"), ("outputs", "outputs")):
        lines = (captures / f"{name}.capture").read_text().splitlines()[:-1]
        body = "".join((line[:-1] + "0" if line.startswith(begin) else line) + "\n" for line in lines)
        (folder / f"wrong_{name}.capture").write_text(body + checksum_line(body))
    body = "orderlab capture 1\n" + "".join(
        f"run kernel=ao format=fp32 n=100000 threads=128 items=1 grid=0 input=dyadic(24,-23,4) seed={seed} repeat=1 "
        "bits=0x404eb4c5\n" for seed in range(50))
    (folder / "slow.capture").write_text(body + checksum_line(body))


def arrival_orders(draw, rows, length, spread):
    """Recorded arrival orders: launch order with noise that grows along the grid."""
    lines = []
    for _ in range(rows):
        keys = [k + draw.gauss(0, spread * (0.3 + k / length)) for k in range(length)]
        lines.append(",".join(map(str, sorted(range(length), key=keys.__getitem__))))
    return "\n".join(lines) + "\n"


def recorded_arrivals(draw, launches, blocks):
    """A file as orderlab_capture --record writes it."""
    rows = arrival_orders(draw, launches, blocks, 4).replace(",", " ").splitlines()
    body = (f"orderlab arrivals 1\nlaunches kernel=spa unit=thread_block format=fp64 n={128 * blocks} threads=64 items=2"
            f" grid={blocks} tiles=in_turn condition=warm multiprocessors=6 sm_ids=6 resident=3\n"
            + "".join(f"tickets {row}\n" for row in rows))
    return body + checksum_line(body)


SUMS = """import math, random, sys

def in_turn(x):
    s = 0.0
    for value in x:
        s += value
    return s

def in_drawn_order(x):
    parts = [in_turn(x[:4]), in_turn(x[4:8]), in_turn(x[8:])]
    random.shuffle(parts)
    return in_turn(parts)

def sorted_first(x):
    return in_turn(sorted(x))

def of_squares(x):
    return in_turn([value * value for value in x])

def products(x):
    return [a * b for a, b in zip(x[::2], x[1::2])]

def of_products(x):
    return in_turn(products(x))

def by_halves(x):
    half = len(x) // 4 * 2
    return in_turn(products(x[:half])) + in_turn(products(x[half:]))

def by_steps(x):  # 8 products of fp16 and the sum before, cut to 24 fraction bits of the greatest exponent, then to 24 bits
    exponent = lambda value: max(math.frexp(value)[1] - 1, -14)
    s = 0.0
    for begin in range(0, len(x), 16):
        pairs = [(a, b) for a, b in zip(x[begin:begin + 16:2], x[begin + 1:begin + 16:2]) if a * b]
        terms = [(a * b, exponent(a) + exponent(b)) for a, b in pairs] + [(s, math.frexp(s)[1] - 1)] * (s != 0)
        unit = max((e for _, e in terms), default=0) - 24
        total = sum(int(math.ldexp(value, -unit)) for value, _ in terms)
        drop = max(abs(total).bit_length() - 24, 0)
        s = math.ldexp(math.copysign(abs(total) >> drop << drop, total), unit)
    return s

def exactly(x):
    return math.fsum(x)

def as_no_stage_does(x):
    return (x[3] + (x[0] + x[7])) + ((x[5] + x[1]) + (in_turn([x[2], x[9], x[4]]) + ((x[10] + x[6]) + x[8])))

def mean(x):
    return in_turn(x) / len(x)

for line in sys.stdin:
    print(repr(globals()[sys.argv[1]]([float(word) for word in line.split()])), flush=True)
"""


def write_black_boxes(folder):
    """Programs that `probe` asks."""
    (folder / "sum.awk").write_text('{s += $1} END {printf "%.17g", s}\n')
    (folder / "sums.py").write_text(SUMS)


# A sum by an atomic, whose result varies from run to run; an array of it is never freed.
PROGRAM = """#include <stdio.h>
__global__ void add(float* out) { atomicAdd(out, 1.0f / (1 + blockIdx.x)); }
int main() {
  float *d_out, h_out;
  cudaMalloc(&d_out, 4);
  cudaMemset(d_out, 0, 4);
  add<<<100, 1>>>(d_out);
  cudaMemcpy(&h_out, d_out, 4, cudaMemcpyDeviceToHost);
  printf("%.9g\\n", h_out);
}
"""


def write_graph(folder, draw):
    """A graph of two communities, as `train --data` reads it."""
    folder.mkdir()
    nodes = 60
    edges = [(a, b) for a in range(nodes) for b in range(nodes)
             if a != b and draw.random() < (0.2 if a % 2 == b % 2 else 0.02)]
    npy(folder / "edges.npy", "<i8", (2, len(edges)), [a for a, _ in edges] + [b for _, b in edges])
    ones = [(node, 2 * draw.randrange(8) + node % 2) for node in range(nodes) for _ in range(3)]
    npy(folder / "features.npy", "<i8", (2, len(ones)), [node for node, _ in ones] + [one for _, one in ones])
    npy(folder / "labels.npy", "<i8", (nodes,), [node % 2 for node in range(nodes)])
    npy(folder / "split.npy", "<i8", (nodes,), [1 + node % 3 for node in range(nodes)])


def write_inputs(folder):
    draw = random.Random(1)
    (folder / "terms.txt").write_text("".join(f"{draw.gauss(0, 1)!r}\n" for _ in range(50)))
    (folder / "more.txt").write_text("".join(f"{draw.gauss(0, 1)!r}\n" for _ in range(50)))
    (folder / "table.csv").write_text("shard,price\na,0.1\nb,0.5\na,0.2\na,0.3\nb,0.25\n")
    (folder / "program.cu").write_text(PROGRAM)
    (folder / "infinite.txt").write_text("1\ninf\n2\n-3\n0.1\n")
    (folder / "both.txt").write_text("1\ninf\n-inf\n2\n")
    (folder / "zero.txt").write_text("0.1\n-0.1\n0.3\n-0.3\n1e16\n-1e16\n")
    (folder / "huge.txt").write_text("6e4\n6e4\n-6e4\n-6e4\n1\n")
    (folder / "many_infinite.txt").write_text("inf\n" + "".join(f"{draw.random()!r}\n" for _ in range(60)))
    (folder / "many_huge.txt").write_text("".join(f"{draw.randrange(-60000, 60000)}\n" for _ in range(60)))
    (folder / "results.txt").write_text("\n".join(["4984.30029", "4984.3052", "4984.3052", "inf"]) + "\n")
    npy(folder / "source.npy", "<f4", (6, 4), [draw.gauss(0, 1) for _ in range(24)])
    npy(folder / "self.npy", "<f4", (3, 4), [draw.gauss(0, 1) for _ in range(12)])
    (folder / "index.txt").write_text("0\n1\n0\n2\n0\n1\n")
    npy(folder / "a.npy", "<f4", (2, 40), [draw.gauss(0, 1) for _ in range(80)])
    npy(folder / "b.npy", "<f4", (40, 3), [draw.gauss(0, 1) for _ in range(120)])
    npy(folder / "pair.npy", "<f4", (2,), [0.5, -3])
    (folder / "seeded_a.csv").write_text("seed,score\n1,0.70\n2,0.74\n3,0.71\n4,0.73\n9,0.72\n")
    (folder / "seeded_b.csv").write_text("seed,score\n1,0.72\n2,0.75\n3,0.74\n4,0.74\n8,0.75\n")
    (folder / "orders.csv").write_text(arrival_orders(draw, 20, 48, 4))
    (folder / "few.csv").write_text(arrival_orders(draw, 17, 40, 2) + ",".join(map(str, reversed(range(40)))) + "\n")
    (folder / "recorded.arrivals").write_text(recorded_arrivals(random.Random(3), 12, 48))
    (folder / "vc.csv").write_text("n,R,vc_mean,vc_sd\n40,0.5,0.01,0.002\n60,0.5,0.012,0.003\n80,0.5,0.015,0.002\n"
                                   "100,0.5,0.011,0.002\n20,0.5,0,0\n")
    (folder / "prompts.txt").write_text("def open(\nimport os\nThe function returns\n")
    (folder / "many_prompts.txt").write_text("The\n" * 100000)
    for name in ("run_a.jsonl", "run_b.jsonl"):
        noise = random.Random(name)
        margins = [[0 if t == 7 else 4 + noise.gauss(0, 0.02) for t in range(30)] for _ in range(4)]
        (folder / name).write_text("".join(json.dumps({"choices": [{"logprobs": {"content": [
            {"token": "a", "logprob": -0.5, "top_logprobs": [{"token": "a", "logprob": -0.5},
                                                            {"token": "b", "logprob": -0.5 - margin}]}
            for margin in answer]}}]}) + "\n" for answer in margins))
    (folder / "matrix.mtx").write_text("%%MatrixMarket matrix coordinate real general\n3 3 5\n"
                                       "1 1 4\n2 2 3\n3 3 2\n1 2 1\n2 3 0.5\n")
    (folder / "skew.mtx").write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 -1\n")
    (folder / "right.txt").write_text("1\n2\n3\n")
    (folder / "sums.toml").write_text("n = [50]\norder = ['warp', 'spa']\narrival = ['uniform', 'jitter(3)']\n"
                                      "samples = 20\n")
    (folder / "all.toml").write_text("n = [8]\norder = ['random', 'seq']\nsamples = 'all'\ninput = 1\n"
                                     "baseline = 'sequential'\n")
    (folder / "operations.toml").write_text("op = 'index_add'\nshape = '20x20'\nratio = [0.5]\nsamples = 10\n")
    (folder / "given.toml").write_text("op = 'index_add'\ninput = 'source.npy'\nindex = 'index.txt'\n"
                                       "self = 'self.npy'\nsamples = 3\n")
    (folder / "product.toml").write_text("op = 'matmul(2,3,40,split_k=4)'\ninput = 'a.npy'\nwith = 'b.npy'\n"
                                         "samples = 3\nbaseline = 'launch'\n")
    (folder / "rows.toml").write_text("op = 'sum(axis=1)'\nshape = '4x50'\norder = 'random'\nsamples = 3\ninput = 2\n")
    write_graph(folder / "graph", draw)
    write_black_boxes(folder)
