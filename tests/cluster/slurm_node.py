"""A Slurm of one node, of the programs that are installed, in a temporary folder: munged, slurmctld and slurmd."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "scontrol", "squeue")
SYSTEM_FOLDERS = "/usr/sbin:/usr/local/sbin:/sbin"

CONF = """\
ClusterName=orderlab
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={control_port}
SlurmdPort={node_port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,bf_interval=1
SlurmdTimeout=10
ReturnToService=2
KillWait=5
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def why_not():
    """Why no Slurm can be started here; empty if one can."""
    path = os.environ["PATH"] + ":" + SYSTEM_FOLDERS
    missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if missing:
        return "not installed: " + ", ".join(missing)
    return "" if os.geteuid() == 0 else "Slurm's daemons need root"


def free_port():
    with socket.socket() as here:
        here.bind(("127.0.0.1", 0))
        return here.getsockname()[1]


class SlurmNode:
    """Of `cpus` processors, as many as there are or not. Everything it started ends with the `with` block."""

    def __init__(self, folder, cpus):
        self.folder = Path(folder)
        self.cpus = cpus
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                PATH=os.environ["PATH"] + ":" + SYSTEM_FOLDERS)
        self.daemons = {}

    def __enter__(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "slurm.conf").write_text(CONF.format(
            host=socket.gethostname().split(".")[0], control_port=free_port(), node_port=free_port(),
            folder=self.folder, cpus=self.cpus), encoding="utf-8")
        key = self.folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        try:
            self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={self.folder}/munge.socket",
                       f"--pid-file={self.folder}/munged.pid", f"--seed-file={self.folder}/munge.seed",
                       f"--log-file={self.folder}/munge.log")
            self.wait_for(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", "-D", "-c")
            self.start_node()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        if "slurmctld" in self.daemons:
            self.run("scancel", "--user=root")
        for name in ("slurmd", "slurmctld", "munged"):
            if name in self.daemons:
                self.stop(name)

    def start_node(self):
        self.start("slurmd", "-D")
        self.wait_for_state("idle")

    def lose(self):
        """Ends slurmd and all that it started, as when the machine is switched off."""
        self.daemons.pop("slurmd").kill()
        mine = f"SLURM_CONF={self.folder}/slurm.conf".encode()
        for process in Path("/proc").iterdir():
            try:
                name = (process / "comm").read_text(encoding="utf-8").strip()
                if mine in (process / "environ").read_bytes().split(b"\0") and name not in ("munged", "slurmctld", "slurmscriptd"):
                    os.kill(int(process.name), signal.SIGKILL)
            except OSError:  # it has ended, or is no process
                continue
        self.wait_for_state("down")

    def start(self, name, *arguments):
        with open(self.folder / f"{name}.out", "ab") as log:
            self.daemons[name] = subprocess.Popen([name, *arguments], env=self.environment, stdin=subprocess.DEVNULL,
                                                  stdout=log, stderr=log, start_new_session=True)

    def stop(self, name):
        daemon = self.daemons.pop(name)
        daemon.terminate()
        try:
            daemon.wait(20)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()

    def wait_for_state(self, state):
        self.wait_for(lambda: self.run("sinfo", "--noheader", "--format=%T").stdout.startswith(state), "slurmctld")

    def wait_for(self, ready, name):
        for _ in range(600):
            if ready():
                return
            if self.daemons[name].poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError(f"{name} did not start: {(self.folder / f'{name}.out').read_text(errors='replace')[-500:]}")

    def run(self, *command, **more):
        return subprocess.run(command, env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              check=False, **more)

    def submit(self, *arguments, cwd, environment=None):
        """The number of the job."""
        done = subprocess.run(["sbatch", "--parsable", *arguments], cwd=cwd, env=dict(self.environment, **(environment or {})),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def wait(self, job, seconds=300):
        """Until no task of the job is waiting or running."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if self.run("squeue", "--noheader", f"--jobs={job}").stdout.strip() == "":
                return
            time.sleep(0.2)
        raise AssertionError(f"job {job} has not ended: {self.run('squeue').stdout}")
