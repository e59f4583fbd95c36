#!/usr/bin/env python3
"""Shards that know their number from what schedulers set, without a scheduler: the variables are those that Slurm 22.05,
Open MPI 4.1 and MPICH 4.0 were seen to set. The merged sweep is that of one process, byte for byte. Also reads the
scripts of configs/cluster.

usage: scheduler_variables.py PROGRAM
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPTS = Path(__file__).resolve().parents[2] / "configs" / "cluster"
CONFIG = """
n = [10, 20]
order = "random"
input = { from = 0, to = 10 }
samples = 10
"""
SCHEDULERS = re.compile("SLURM|OMPI|PMI|JOB_COMPLETION_INDEX")


def array(tasks, step=1):
    """A task of an array for each of these IDs; a batch script has a SLURM_PROCID of 0."""
    return [{"SLURM_JOB_ID": str(100 + task), "SLURM_PROCID": "0", "SLURM_ARRAY_JOB_ID": "101",
             "SLURM_ARRAY_TASK_ID": str(task), "SLURM_ARRAY_TASK_COUNT": str(len(tasks)),
             "SLURM_ARRAY_TASK_MIN": str(min(tasks)), "SLURM_ARRAY_TASK_MAX": str(max(tasks)),
             "SLURM_ARRAY_TASK_STEP": str(step)} for task in tasks]


def batch(tasks):
    """What stands in the batch script of a job that asked for this number of tasks."""
    return {"SLURM_JOB_ID": "101", "SLURM_PROCID": "0", "SLURM_NTASKS": str(tasks), "SLURM_NPROCS": str(tasks)}


def srun(tasks, **more):
    return [{"SLURM_JOB_ID": "101", "SLURM_STEP_ID": "0", "SLURM_PROCID": str(rank), "SLURM_NTASKS": str(tasks),
             "SLURM_NPROCS": str(tasks), "SLURM_STEP_NUM_TASKS": str(tasks), **more} for rank in range(tasks)]


def open_mpi(ranks, **more):
    return [{"OMPI_COMM_WORLD_RANK": str(rank), "OMPI_COMM_WORLD_SIZE": str(ranks), "PMIX_RANK": str(rank), **more}
            for rank in range(ranks)]


def pmi(ranks, **more):
    return [{"PMI_RANK": str(rank), "PMI_SIZE": str(ranks), **more} for rank in range(ranks)]


def pods(count):
    return [{"JOB_COMPLETION_INDEX": str(index)} for index in range(count)]


HYDRA_IN_SLURM = {**batch(3), "SLURM_NPROCS": "1", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1"}
WHOLE = {
    "sbatch --array=1-4": ("auto", array([1, 2, 3, 4])),
    "sbatch --array=0-3": ("auto", array([0, 1, 2, 3])),
    "sbatch --array=5-12:2": ("auto", array([5, 7, 9, 11], step=2)),
    "sbatch --array=1-4, requeued": ("auto", [{**task, "SLURM_RESTART_COUNT": "1"} for task in array([1, 2, 3, 4])]),
    "sbatch --array=1-4, N given": ("auto/4", array([1, 2, 3, 4])),
    "sbatch --array=1,3, then 2, then 4": ("auto/4", array([1, 3]) + array([2]) + array([4])),
    "sbatch --array=1-4 -n 2, without srun": ("auto", [{**batch(2), **task} for task in array([1, 2, 3, 4])]),
    "sbatch --array=1-4, each one srun -n 1": ("auto", [{**srun(1)[0], **task} for task in array([1, 2, 3, 4])]),
    "srun -n 3": ("auto", srun(3)),
    "srun -n 3, N given": ("auto/3", srun(3)),
    "srun --mpi=pmi2 -n 3": ("auto", [{**one, **other} for one, other in zip(srun(3), pmi(3))]),
    "mpirun -n 3": ("auto", open_mpi(3)),
    "mpirun -n 3 in sbatch -n 3": ("auto", open_mpi(3, **batch(3))),
    "mpiexec.hydra -n 3": ("auto", pmi(3)),
    "mpiexec.hydra -n 3 in sbatch -n 3": ("auto", pmi(3, **HYDRA_IN_SLURM)),
    "Kubernetes": ("auto/4", pods(4)),
    "mpirun -n 1": ("auto", open_mpi(1)),
}
REFUSED = {
    "no scheduler": ("auto", {}),
    "sbatch -n 4 without srun": ("auto", batch(4)),
    "mpirun -n 1 in sbatch --array=3,5": ("auto", {**array([3, 5])[1], **open_mpi(1)[0]}),
    "sbatch --array=3,5": ("auto", array([3, 5])[1]),
    "sbatch --array=0-3, N given": ("auto/4", array([0, 1, 2, 3])[0]),
    "sbatch --array=1-5, N less": ("auto/4", array([1, 2, 3, 4, 5])[4]),
    "srun -n 2 in sbatch --array=1-2": ("auto", {**srun(2)[1], **array([1, 2])[0]}),
    "mpirun -n 2 in sbatch --array=1-2": ("auto", {**open_mpi(2)[1], **array([1, 2])[0]}),
    "mpirun -n 3, N another": ("auto/4", open_mpi(3)[0]),
    "Kubernetes without N": ("auto", pods(4)[1]),
    "Kubernetes, N less": ("auto/4", pods(5)[4]),
}


class Shards:
    def __init__(self, program, folder):
        self.program = program
        self.folder = Path(folder)
        self.environment = {name: value for name, value in os.environ.items() if not SCHEDULERS.match(name)}
        (self.folder / "c.toml").write_text(CONFIG, encoding="utf-8")
        assert self.run("sweep", "c.toml", "--db", "whole.sqlite")[0] == 0
        self.whole = self.export("whole.sqlite")

    def run(self, *arguments, **variables):
        done = subprocess.run([self.program, *arguments], cwd=self.folder, env={**self.environment, **variables},
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def export(self, store):
        status, said = self.run("export", store, "--csv", "export.csv")
        assert status == 0, said
        return (self.folder / "export.csv").read_bytes()

    def sweep(self, shard, store, variables):
        return self.run("sweep", "c.toml", "--db", store, "--shard", shard, "--threads", "1", **variables)

    def parts(self, number):
        return [f"{number}-{shard + 1}.sqlite" for shard in range(len(list(self.folder.glob(f"{number}-*.sqlite"))))]

    def check_whole(self, number, shard, processes):
        for variables in processes:
            status, said = self.sweep(shard, f"{number}-{{shard}}.sqlite", variables)
            assert status == 0, said
        parts = self.parts(number)
        assert len(parts) == len(processes), "two processes had the same number"
        status, said = self.run("merge", "--complete", "--db", f"{number}.sqlite", *parts)
        assert status == 0, said
        assert self.export(f"{number}.sqlite") == self.whole, "the merged sweep is not that of one process"

    def check_refused(self, shard, variables):
        status, said = self.sweep(shard, "refused-{shard}.sqlite", variables)
        assert status == 2 and said.startswith("orderlab: ") and len(said.splitlines()) == 1, (status, said)
        assert not list(self.folder.glob("refused*")), "a refused sweep left a file"

    def check_lost(self):
        for variables in pods(4)[:3]:
            assert self.sweep("auto/4", "lost-{shard}.sqlite", variables)[0] == 0
        merge = ["merge", "--complete", "--db", "lost.sqlite"]
        status, said = self.run(*merge, *self.parts("lost"))
        assert status == 1 and "missing" in said, (status, said)
        assert self.sweep("auto/4", "lost-{shard}.sqlite", pods(4)[3])[0] == 0
        status, said = self.run(*merge, *self.parts("lost"))
        assert status == 0, said


def check_scripts():
    scripts = sorted([*SCRIPTS.glob("*.sh"), *SCRIPTS.glob("*.sbatch")])
    assert len(scripts) == 5, scripts
    for script in scripts:
        subprocess.run(["bash", "-n", script], check=True)
        assert "set -euo pipefail" in script.read_text(encoding="utf-8"), script
    text = (SCRIPTS / "sweep_kubernetes.yaml").read_text(encoding="utf-8")
    sweep = json.loads(re.search(r"command: (\[.*\])", text)[1])
    assert sweep[sweep.index("--shard") + 1] == "auto/" + re.search(r"completions: (\d+)", text)[1], "another number of shards"
    if shutil.which("shellcheck") is None:
        return "shellcheck is not installed"
    subprocess.run(["shellcheck", *scripts], check=True)
    return ""


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    skipped = check_scripts()
    with tempfile.TemporaryDirectory() as folder:
        shards = Shards(os.path.abspath(sys.argv[1]), folder)
        for number, (name, (shard, processes)) in enumerate(WHOLE.items()):
            try:
                shards.check_whole(number, shard, processes)
            except AssertionError as wrong:
                raise AssertionError(f"{name}: {wrong}") from wrong
        for name, (shard, variables) in REFUSED.items():
            try:
                shards.check_refused(shard, variables)
            except AssertionError as wrong:
                raise AssertionError(f"{name}: {wrong}") from wrong
        shards.check_lost()
    print(f"{len(WHOLE)} ways to start shards, {len(REFUSED)} refused" + (f"; skipped: {skipped}" if skipped else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
