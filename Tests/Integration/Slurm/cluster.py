"""A Slurm cluster of one machine, without systemd: munged, slurmctld and slurmd in a folder of their own, on free ports.

    with Cluster(pathlib.Path("/tmp/cluster")) as cluster:
        cluster.run("sinfo")

It needs Debian's slurm-wlm and munge, and root: slurmd starts tasks as the user of a job. Nothing outside of the folder is read or
written, so that a Slurm that the machine has already is not disturbed.
"""
import os
import pathlib
import secrets
import socket
import subprocess
import time

# Possibly more than the machine has: a task of these tests waits most of its time.
PROCESSORS = 8
LIMIT_SECONDS = 60


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    def __init__(self, folder):
        self.folder = folder
        self.name = socket.gethostname().partition(".")[0]
        self.config = folder / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.config)}
        self.daemons = []

    def __enter__(self):
        for name in ["state", "spool"]:
            (self.folder / name).mkdir(parents=True)
        try:
            self.start_munge()
            self.configure()
            self.start("slurmctld", "-D", "-f", self.config)
            self.start("slurmd", "-D", "-f", self.config, "-N", self.name)
            self.wait("the node is idle", lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False).stdout)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def start(self, program, *words):
        log = (self.folder / f"{program}.log").open("wb")
        self.daemons.append(subprocess.Popen(
            [f"/usr/sbin/{program}", *map(str, words)], stdout=log, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL,
            env=self.environment))
        log.close()

    def start_munge(self):
        """Who sends a message within the cluster is vouched for by munged, by a key that its machines share."""
        self.socket = self.folder / "munge.socket"
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        # --force: the folder is below one that others may write, such as /tmp.
        self.start(
            "munged", "--foreground", "--force", f"--socket={self.socket}", f"--key-file={key}",
            f"--pid-file={self.folder / 'munge.pid'}", f"--seed-file={self.folder / 'munge.seed'}",
            f"--log-file={self.folder / 'munge.log'}")
        self.wait("munged listens", self.socket.exists)

    def configure(self):
        self.config.write_text(f"""\
ClusterName=murphy
SlurmctldHost={self.name}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={self.socket}
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdParameters=config_overrides
StateSaveLocation={self.folder / 'state'}
SlurmdSpoolDir={self.folder / 'spool'}
SlurmctldPidFile={self.folder / 'slurmctld.pid'}
SlurmdPidFile={self.folder / 'slurmd.pid'}
NodeName={self.name} NodeAddr=127.0.0.1 CPUs={PROCESSORS} State=UNKNOWN
PartitionName=all Nodes={self.name} Default=YES MaxTime=INFINITE State=UP
""")

    def wait(self, what, is_true, seconds=LIMIT_SECONDS):
        deadline = time.monotonic() + seconds
        while not is_true():
            for daemon in self.daemons:
                if daemon.poll() is not None:
                    raise RuntimeError(f"{what}: {daemon.args[0]} ended with {daemon.returncode}\n{self.logs}")
            if time.monotonic() > deadline:
                raise RuntimeError(f"{what}: not within {seconds} s\n{self.logs}")
            time.sleep(0.1)

    @property
    def logs(self):
        return "\n".join(
            f"{path.name}:\n{path.read_text(errors='replace')[-3000:]}" for path in sorted(self.folder.glob("*.log")))

    def run(self, *words, check=True, **variables):
        return subprocess.run(
            list(map(str, words)), env={**self.environment, **variables}, capture_output=True, text=True, check=check,
            timeout=LIMIT_SECONDS)
