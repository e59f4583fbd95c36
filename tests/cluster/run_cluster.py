#!/usr/bin/env python3
"""Runs the scripts of configs/cluster by the schedulers that are installed, kills shards, repeats them, and compares the
merged sweep with that of one process: the same bytes.

usage: run_cluster.py PROGRAM [--only PART ...]

A part whose programs are not installed is skipped and counted. Slurm is started by the script, as root; nothing else is
left running.
"""

import argparse
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from slurm_node import SlurmNode
import slurm_node

SCRIPTS = Path(__file__).resolve().parents[2] / "configs" / "cluster"
CONFIG = """
title = "A sweep in shards"
n = [3000, 5000]
order = ["random", "ao"]
format = ["fp64", "fp32"]
input = { from = 0, to = 24 }
samples = 1000
"""
POINTS = 200
SAMPLE = ["--n", "2e4", "--format", "fp32", "--order", "random", "--samples", "8e3"]


class Skipped(Exception):
    """What a part needs is not installed."""


def need(*programs):
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        raise Skipped("not installed: " + ", ".join(missing))


class Cluster:
    """Runs orderlab and the scripts in a folder of its own."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.environment = dict(os.environ, ORDERLAB=program, PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "orderlab").symlink_to(program)
        (self.folder / "c.toml").write_text(CONFIG, encoding="utf-8")
        self.orderlab("sweep", "c.toml", "--db", "whole.sqlite", "--quiet")
        self.whole = self.export("whole.sqlite")
        assert len(self.whole.splitlines()) == POINTS + 1

    def start(self, *command, **variables):
        return subprocess.Popen([str(word) for word in command], cwd=self.folder, env=dict(self.environment, **variables),
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def run(self, *command, **variables):
        """Exit status and all that was printed."""
        process = self.start(*command, **variables)
        out, err = process.communicate()
        return process.returncode, out + err

    def orderlab(self, *arguments):
        status, said = self.run(self.program, *arguments)
        assert status == 0, said
        return said

    def export(self, store):
        self.orderlab("export", store, "--csv", "export.csv")
        return (self.folder / "export.csv").read_bytes()

    def require_whole(self, part):
        assert self.export(f"{part}/all.sqlite") == self.whole, f"{part} is not what one process stores"

    def merge(self, part):
        stores = sorted(str(path.relative_to(self.folder)) for path in (self.folder / part).glob("part-*.sqlite"))
        return self.run(self.program, "merge", "--complete", "--db", f"{part}/all.sqlite", *stores)

    def require_incomplete(self, status, said, part, shard, shards):
        """A merge found that shard `shard` has points missing, and no other."""
        assert status == 1, (status, said)
        assert re.findall(r"unfinished shards of (\d+): (.*)", said) == [(str(shards), str(shard))], said
        left = POINTS - self.points(f"{part}/all.sqlite")
        assert 0 < left <= -(-POINTS // shards), f"{left} points are missing"

    def points(self, store):
        """How many are stored; 0 before the store has a schema."""
        try:
            database = sqlite3.connect(f"file:{self.folder / store}?mode=ro", uri=True, timeout=30)
            try:
                return database.execute("SELECT COUNT(*) FROM point").fetchone()[0]
            finally:
                database.close()
        except sqlite3.OperationalError:
            return 0

    def kill_amid(self, store, how, points):
        """Sends a signal to the process that writes a store once some, but not all, of its points are there."""
        end = time.monotonic() + 120
        while time.monotonic() < end:
            if 0 < self.points(store) < points // 2:
                for process in self.writers(store):
                    os.kill(process, how)
                    return
            time.sleep(0.01)
        raise AssertionError(f"nobody was seen to write {store}")

    def writers(self, store):
        path = str(self.folder / store)
        for process in Path("/proc").iterdir():
            try:
                if process.name.isdigit() and any(os.readlink(file) == path for file in (process / "fd").iterdir()):
                    yield int(process.name)
            except OSError:  # it has ended, or is another user's
                continue


def by_slurm(cluster):
    reason = slurm_node.why_not()
    if reason:
        raise Skipped(reason)
    with SlurmNode(cluster.folder / "slurm", cpus=8) as node:
        array_of_slurm(cluster, node)
        ranks_of_srun(cluster, node)
        lost_in_slurm(cluster, node)
        lost_node(cluster, node)
        samples_by_slurm(cluster, node)


def submit_sweep(cluster, node, part, tasks, *options):
    return node.submit(f"--array={tasks}", *options, SCRIPTS / "sweep.sbatch", "c.toml", part, "8", cwd=cluster.folder,
                       environment=cluster.environment)


def merge_by_slurm(cluster, node, part, after, script="sweep.sbatch"):
    """The second command in a script's comment. Exit status of the job, and what it printed."""
    wrapped = re.search("--wrap='(.*)'", (SCRIPTS / script).read_text(encoding="utf-8"))[1].replace("FOLDER", part)
    job = node.submit(f"--dependency=afterany:{after}", "--output=merge.out", f"--wrap={wrapped}", cwd=cluster.folder,
                      environment=cluster.environment)
    node.wait(job)
    return exit_status(node, job), (cluster.folder / "merge.out").read_text(encoding="utf-8")


def array_of_slurm(cluster, node):
    job = submit_sweep(cluster, node, "array", "1-8")
    status, said = merge_by_slurm(cluster, node, "array", job)
    assert status == 0, said
    cluster.require_whole("array")
    done("sbatch: an array of 8, then the merge")


def exit_status(node, job):
    return int(re.search(r"ExitCode=(\d+):", node.run("scontrol", "show", "job", job).stdout)[1])


def ranks_of_srun(cluster, node):
    job = node.submit("-n", "4", "--output=srun.out", f"--wrap={SCRIPTS}/sweep_mpirun.sh c.toml srun 4", cwd=cluster.folder,
                      environment=dict(cluster.environment, MPIRUN="srun"))
    node.wait(job)
    assert exit_status(node, job) == 0, (cluster.folder / "srun.out").read_text(encoding="utf-8")
    cluster.require_whole("srun")
    done("srun: 4 tasks of one job")


def lost_in_slurm(cluster, node):
    """One task is told that its time is over, one is killed, and the node is lost with all that runs on it."""
    job = submit_sweep(cluster, node, "lost", "1-8")
    cluster.kill_amid("lost/part-3.sqlite", signal.SIGKILL, POINTS // 8)
    amid(cluster, "lost/part-2.sqlite")
    node.run("scancel", "--signal=USR1", "--batch", f"{job}_2")
    status, said = merge_by_slurm(cluster, node, "lost", job)
    cluster.require_incomplete(status, said, "lost", 3, 8)
    restarts = (cluster.folder / f"orderlab-{job}_2.out").read_text(encoding="utf-8")
    assert "interrupted" in restarts, restarts
    done("sbatch: at its time limit a task is requeued and goes on; a killed one is missing in the merge")
    again = submit_sweep(cluster, node, "lost", "3")
    status, said = merge_by_slurm(cluster, node, "lost", again)
    assert status == 0, said
    cluster.require_whole("lost")
    done("sbatch: the lost task alone, --array=3, completes it")


def lost_node(cluster, node):
    """Slurm itself puts the tasks of a lost node into the queue again, about two minutes later."""
    job = submit_sweep(cluster, node, "node", "1-8")
    amid(cluster, "node/part-8.sqlite")
    node.lose()
    before = sum(cluster.points(f"node/part-{shard}.sqlite") for shard in range(1, 9))
    assert 0 < before < POINTS, before
    node.start_node()
    status, said = merge_by_slurm(cluster, node, "node", job)
    assert status == 0, said
    cluster.require_whole("node")
    done("sbatch: a node that is lost and comes back completes its tasks")


def amid(cluster, store):
    while cluster.points(store) == 0:
        time.sleep(0.01)


def samples_by_slurm(cluster, node):
    def submit(tasks):
        return node.submit(f"--array={tasks}", SCRIPTS / "sample.sbatch", "samples", "4", *SAMPLE, cwd=cluster.folder,
                           environment=cluster.environment)

    status, said = merge_by_slurm(cluster, node, "samples", submit("1,2,4"), "sample.sbatch")
    assert status == 1 and "missing: 2000 samples, 4000:6000\n" in said, (status, said)
    status, said = merge_by_slurm(cluster, node, "samples", submit("3"), "sample.sbatch")
    assert status == 0, said
    for counts, shown in (("samples/all.counts", "merged.json"), ("whole.counts", "one.json")):
        cluster.orderlab("sample", *SAMPLE, "--counts", counts, "--json", shown, "--quiet")
    assert (cluster.folder / "merged.json").read_bytes() == (cluster.folder / "one.json").read_bytes()
    done("sbatch: samples of one command in 4 tasks, one of them lost and repeated: the result of one process")


def by_mpirun(cluster):
    need("mpirun")
    root = "--allow-run-as-root " if os.geteuid() == 0 else ""
    mpirun = "mpirun " + root + "--oversubscribe --enable-recovery"
    script = [SCRIPTS / "sweep_mpirun.sh", "c.toml", "ranks", "4"]
    process = cluster.start(*script, MPIRUN=mpirun)
    cluster.kill_amid("ranks/part-2.sqlite", signal.SIGKILL, POINTS // 4)
    out, err = process.communicate()
    cluster.require_incomplete(process.returncode, out + err, "ranks", 2, 4)
    done("mpirun: a killed rank is missing in the merge")
    status, said = cluster.run(*script, MPIRUN=mpirun)
    assert status == 0, said
    cluster.require_whole("ranks")
    done("mpirun: the same line again completes it")


def by_hydra(cluster):
    need("mpiexec.hydra")
    status, said = cluster.run(SCRIPTS / "sweep_mpirun.sh", "c.toml", "hydra", "4", MPIRUN="mpiexec.hydra")
    assert status == 0, said
    cluster.require_whole("hydra")
    done("mpiexec of MPICH: 4 ranks")


def by_parallel(cluster):
    need("parallel")
    process = cluster.start(SCRIPTS / "sweep_parallel.sh", "c.toml", "parallel", "8")
    cluster.kill_amid("parallel/part-2.sqlite", signal.SIGKILL, POINTS // 8)
    out, err = process.communicate()
    assert process.returncode == 0, out + err
    cluster.require_whole("parallel")
    done("parallel: a killed shard is run again")


def by_kubernetes(cluster):
    """What the pods would run, with the variable that Kubernetes sets."""
    text = (SCRIPTS / "sweep_kubernetes.yaml").read_text(encoding="utf-8")
    sweep, merge = (json.loads(line) for line in re.findall(r"command: (\[.*\])", text))
    pods = int(re.search(r"completions: (\d+)", text)[1])
    (cluster.folder / "pods").mkdir()

    def command(words):
        return [word.replace("/config/sweep.toml", "c.toml").replace("/sweep/", "pods/") for word in words]

    interrupted = cluster.start(*command(sweep), JOB_COMPLETION_INDEX="4")
    cluster.kill_amid("pods/part-5.sqlite", signal.SIGTERM, POINTS // pods)
    interrupted.communicate()
    assert interrupted.returncode == 130, interrupted.returncode
    for pod in range(pods):
        if pod != 4:
            status, said = cluster.run(*command(sweep), JOB_COMPLETION_INDEX=str(pod))
            assert status == 0, said
    cluster.require_incomplete(*cluster.run(*command(merge)), "pods", 5, pods)
    status, said = cluster.run(*command(sweep), JOB_COMPLETION_INDEX="4")
    assert status == 0, said
    status, said = cluster.run(*command(merge))
    assert status == 0, said
    cluster.require_whole("pods")
    done("kubernetes: the pods' commands; one is stopped and goes on")


PARTS = {"slurm": by_slurm, "mpirun": by_mpirun, "hydra": by_hydra, "parallel": by_parallel, "kubernetes": by_kubernetes}
passed = []


def done(what):
    passed.append(what)
    print(what, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program", type=os.path.abspath)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    options = parser.parse_args()
    skipped = 0
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(options.program, folder)
        for name in options.only:
            try:
                PARTS[name](cluster)
            except Skipped as reason:
                skipped += 1
                print(f"skipped: {name}: {reason}", flush=True)
    print(f"{len(passed)} checks passed, {skipped} of {len(options.only)} parts skipped")
    return 0 if passed else 77


if __name__ == "__main__":
    sys.exit(main())
