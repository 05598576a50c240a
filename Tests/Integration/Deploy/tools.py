"""A Python with the packages of requirements.txt, in a folder of its own below .build-deploy."""
import os
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FOLDER = ROOT / ".build-deploy"


def use_requirements():
    """Starts the program that runs anew with that Python, unless it is the one that runs."""
    wanted = (HERE / "requirements.txt").read_text()
    python, installed = FOLDER / "bin/python", FOLDER / "installed.txt"
    if pathlib.Path(sys.prefix) == FOLDER:
        return
    if not installed.exists() or installed.read_text() != wanted:
        print(f"Installing {HERE.relative_to(ROOT)}/requirements.txt into {FOLDER.relative_to(ROOT)}", file=sys.stderr)
        for command in [
            [sys.executable, "-m", "venv", "--clear", FOLDER],
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--requirement", HERE / "requirements.txt"],
        ]:
            if subprocess.run(command).returncode != 0:
                sys.exit(f"{' '.join(map(str, command))} failed; see above. It needs python3-venv and PyPI.")
        installed.write_text(wanted)
    os.execv(python, [python, *sys.argv])
