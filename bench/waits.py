"""What people wait for: whole commands, their CPU seconds, and how these grow. bench/compare prints it."""

import math
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

PYTHON = "/usr/bin/python3"  # which may have packages that the one of this program has not


@dataclass
class Wait:
    """A command that somebody waits for, and the CPU seconds that it may take."""

    what: str
    command: str
    goal: float
    long: bool = False  # not for --quick, and once


UNIFORM = "--dist uniform(0,1) --format fp32"
WAITS = (
    Wait("`orderlab --version`", "--version", 0.005),
    Wait("`sum` of 3 numbers", "sum --values 1,2,3 --order sequential", 0.006),
    Wait("`compare` of two files of 50,000 scores", "compare {scores} {more_scores}", 1),
    Wait("`check --order random` of 1e6 terms, two results",
         f"check --n 1e6 {UNIFORM} --order random --value 499990.5 --value 499991.5", 15),
    Wait("`tolerance --order random --against run` of 1e6 terms",
         f"tolerance --n 1e6 {UNIFORM} --order random --against run", 60, True),
    Wait("`tolerance --op cumsum --against run` of 1e6 terms", "tolerance --op cumsum --n 1e6 --against run", 60, True),
    Wait("`check` of an array of 192 outputs", "check {scatter} --actual {array}", 0.1),
    Wait("`report` of 1200 points", "report {store} -o {page}", 0.25),
    Wait("`check --order any` of 1e6 terms, one result", f"check --n 1e6 {UNIFORM} --order any --value 500061", 20),
    Wait("`check --order any` of 2^24 terms, one result", f"check --n 2^24 {UNIFORM} --order any --value 8388700", 200,
         True),
    Wait("`enumerate` of 24 terms normal(0,1), fp32, random",
         "enumerate --n 24 --dist normal(0,1) --format fp32 --order random", 4, True),
    Wait("`train`, one run of 10 epochs", "train --seeds 1 --orders 1", 0.4),
    Wait("`solve cg` on poisson2d(64), 3 runs",
         "solve cg --matrix poisson2d(64) --samples 3 --order halving(128)|arrive|seq(from=zero)", 0.5),
    Wait("`infer tiny --batch 1,8`", "infer tiny --batch 1,8", 5),
)

# Its command is a program in Python that prints the seconds of a call.
PYTHON_CALL = Wait("`orderlab.sum` of 1e3 terms from Python, a call", """
import time, numpy, orderlab
x = numpy.random.default_rng(1).random(1000, numpy.float32)
times = []
for _ in range(2000):
    start = time.perf_counter()
    orderlab.sum(x, "pairwise")
    times.append(time.perf_counter() - start)
print(sorted(times)[1000])""", 50e-6)


@dataclass
class Growth:
    """A command with {names} of what its cost grows with, and their full sizes: one is made smaller at a time."""

    what: str
    command: str
    base: dict
    threads: bool = True  # it takes --threads


# Large enough that the start of the program is little of the time, small enough that all take a minute.
GROWTHS = (
    Growth("sum, pairwise", "sum --n {n} --order pairwise", {"n": 2**24}),
    Growth("sample, random", "sample --n {n} --order random --samples {samples}", {"n": 2**18, "samples": 256}),
    Growth("sample, warp", "sample --n {n} --order warp --samples {samples}", {"n": 2**20, "samples": 2**12}),
    Growth("sample, random_tree", "sample --n {n} --order random_tree --samples {samples}",
           {"n": 2**17, "samples": 128}),
    Growth("sample --op scatter_add", "sample --op scatter_add --shape {n} --ratio {ratio} --samples {samples}",
           {"n": 2**20, "outputs": 2**14, "samples": 256}),
    Growth("sample --op cumsum", "sample --op cumsum --n {n} --samples {samples}", {"n": 2**18, "samples": 256}),
    Growth("tolerance, random", "tolerance --n {n} --order random --coverage 0.8", {"n": 2**18}),
    Growth("check, random", f"check --n {{n}} {UNIFORM} --order random --confidence 0.9 --value 0", {"n": 2**16}),
    Growth("compare", "compare {scores_of_n} {more_scores_of_n}", {"n": 2**18}, threads=False),
    Growth("solve cg", "solve cg --matrix poisson2d({side}) --samples {samples}", {"n": 2**12, "samples": 64}),
    Growth("train", "train --nodes 300 --epochs 5 --seeds {samples} --orders 1", {"samples": 16}),
)
STEPS = (16, 4)  # parts of the base that are measured too


def usage_of(command, env=None):
    """CPU seconds and seconds of a process of its own; `check` has an exit status of 1 where it explains nothing."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, text=True,
                          env=env)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}: {done.stderr}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, seconds


def cpu_seconds(command, times=1, env=None):
    return statistics.median(usage_of(command, env)[0] for _ in range(times))


def write_scores(folder, count):
    """Two files of drawn scores."""
    paths = []
    for name, mean in (("scores", 0.7), ("more_scores", 0.7001)):
        draw = random.Random(name)
        paths.append(os.path.join(folder, f"{name}_{count}.txt"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.writelines(f"{draw.gauss(mean, 0.02)!r}\n" for _ in range(count))
    return paths


def files_for_waits(orderlab, folder):
    """What the commands of WAITS read and write, by name; `scatter` are the arguments that made the array."""
    paths = {name: os.path.join(folder, name) for name in ("array.npy", "page", "store", "runs", "config")}
    scores, more_scores = write_scores(folder, 50_000)
    scatter = "--op scatter_add --shape 100000 --ratio 0.00192"
    usage_of([orderlab, "sample", *scatter.split(), "--samples", "1", "--npy", paths["runs"], "--quiet"])
    with open(paths["runs"], "rb") as runs, open(paths["array.npy"], "wb") as array:  # one run, without its dimension
        array.write(runs.read().replace(b"(1, 192)", b"(192,)  "))
    with open(paths["config"], "w", encoding="utf-8") as file:
        file.write('n = [10, 30, 100, 300]\ndist = ["uniform(0,10)", "normal(0,1)"]\norder = ["spa", "warp", "ao"]\n'
                   'format = ["fp32", "fp64"]\ninput = { from = 0, to = 24 }\nsamples = 50\n')
    usage_of([orderlab, "sweep", paths["config"], "--db", paths["store"], "--quiet"])
    return {"scores": scores, "more_scores": more_scores, "scatter": scatter, "array": paths["array.npy"],
            "store": paths["store"], "page": paths["page"]}


def command_of(orderlab, text, values):
    return [orderlab, *text.format(**values).split(), *([] if "--version" in text else ["--quiet"])]


def python_call(orderlab):
    """Seconds of PYTHON_CALL by name; of none where the package and numpy are not installed beside the program."""
    package = os.path.join(os.path.dirname(orderlab), "python")
    done = subprocess.run([PYTHON, "-c", PYTHON_CALL.command], capture_output=True, text=True, check=False,
                          env=os.environ | {"PYTHONPATH": package})
    if done.returncode != 0 and "ModuleNotFoundError" not in done.stderr:
        raise RuntimeError(f"{PYTHON_CALL.what}: {done.stderr}")
    return {PYTHON_CALL.what: float(done.stdout)} if done.returncode == 0 else {}


def measure_waits(orderlab, quick):
    """CPU seconds of each Wait, on all cores, by name; of a call from Python seconds."""
    with tempfile.TemporaryDirectory(prefix="orderlab_waits_") as folder:
        values = files_for_waits(orderlab, folder)
        chosen = [wait for wait in WAITS if not (wait.long and quick)]
        return {wait.what: cpu_seconds(command_of(orderlab, wait.command, values),
                                       11 if wait.goal < 0.1 else 1 if quick or wait.long else 3)
                for wait in chosen} | python_call(orderlab)


def slope(points):
    """Least squares of log(cost) against log(size)."""
    xs, ys = [[math.log(point[i]) for point in points] for i in (0, 1)]
    x, y = statistics.mean(xs), statistics.mean(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def values_of(folder, base):
    """What stands for {names} in the command of a Growth."""
    values = dict(base)
    n = base.get("n", 1)
    values["side"] = math.isqrt(n)
    values["ratio"] = base.get("outputs", 0) / n
    values["scores_of_n"], values["more_scores_of_n"] = (os.path.join(folder, f"{name}_{n}.txt")
                                                         for name in ("scores", "more_scores"))
    return values


def measure_growth(orderlab, growth, folder, start):
    """CPU seconds, on one thread where the command takes --threads, and exponents: of cost in what `base` names, and of time in the number of threads."""
    if "scores_of_n" in growth.command:
        for step in (*STEPS, 1):
            write_scores(folder, growth.base["n"] // step)

    def measure(base, threads):
        command = command_of(orderlab, growth.command, values_of(folder, base))
        return usage_of(command + (["--threads", str(threads)] if growth.threads else []))

    cpu, alone = measure(growth.base, 1)
    result = {"seconds": cpu}
    for name, size in growth.base.items():
        smaller = [(size // step, measure(growth.base | {name: size // step}, 1)[0]) for step in STEPS]
        result[name] = slope([(count, max(seconds - start, 1e-4)) for count, seconds in [*smaller, (size, cpu)]])
    cores = os.cpu_count() or 1
    if cores > 1 and growth.threads:
        result["threads"] = slope([(1, alone), (cores, measure(growth.base, cores)[1])])
    return result


def measure_growths(orderlab):
    start = cpu_seconds([orderlab, "--version"], 5)
    with tempfile.TemporaryDirectory(prefix="orderlab_waits_") as folder:
        return {growth.what: measure_growth(orderlab, growth, folder, start) for growth in GROWTHS}


def growth_lines(growths):
    """A table of exponents: cost as n^e."""
    names = ("n", "outputs", "samples", "threads")
    yield "| command | CPU seconds | " + " | ".join(f"exponent of {name}" for name in names) + " |"
    yield "|---" * (len(names) + 2) + "|"
    for what, found in growths.items():
        cells = [f"{found[name]:.2f}" if name in found else "" for name in names]
        yield f"| {what} | {found['seconds']:.2g} | " + " | ".join(cells) + " |"
