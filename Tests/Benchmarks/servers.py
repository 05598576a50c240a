"""Servers with a fault: the bookshop, and the reference APIs of murphy."""
import subprocess
import threading


class Bookshop:
    """`bookshop-server --fault NAME`, until the end of a `with`."""

    def __init__(self, program, fault="none"):
        self.process = subprocess.Popen(
            [program, "--port", "0", "--fault", fault], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        lines = [self.process.stdout.readline().split() for _ in range(3)]
        if not all(lines):
            raise SystemExit(f"{program} --fault {fault}: no address was printed")
        self.url, *self.tokens = (line[-1] for line in lines)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    @staticmethod
    def faults(program):
        """Each fault's name with its operation and sentence."""
        done = subprocess.run([program, "--list-faults"], stdout=subprocess.PIPE, text=True, check=True)
        return {name: (operation, sentence) for name, operation, sentence in
                (line.split("\t") for line in done.stdout.splitlines())}
