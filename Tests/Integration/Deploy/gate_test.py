#!/usr/bin/env python3
"""Runs deploy/ci/murphy-gate with a program that records how it is called, in place of murphy.

    Tests/Integration/Deploy/gate_test.py
"""
import os
import pathlib
import socket
import subprocess
import tempfile
import unittest

from tools import ROOT

# Like `murphy run`, it keeps the result of a run with the verdict PASS or NO DATA in the folder of `--baseline`.
MURPHY = """\
#!/bin/sh
echo "$*" >> calls
echo "${GITHUB_ACTIONS:-}" >> workflows
status=$(sed -n "$(wc -l < calls)p;\\$p" statuses | head -1)
while [ $# -gt 0 ]; do
  case $1 in --report) report=$2 ;; --baseline) baseline=$2 ;; esac
  shift
done
mkdir -p "$report" $baseline
comparable=$(ls ${baseline:-.} | wc -l)
echo '{ "status": '$status', "folder": {"path": "x", "comparable": '$comparable', "left_out": []} }' > "$report/result.json"
case $status in 0 | 5) [ -z "$baseline" ] || touch "$baseline/$comparable.json" ;; esac
case $status in 0) echo PASS ;; 1) echo FAIL ;; 5) echo "NO DATA" ;; *) echo INVALID ;; esac
exit "$status"
"""


class GateTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "programs").mkdir()
        (self.folder / "programs/murphy").write_text(MURPHY)
        (self.folder / "programs/murphy").chmod(0o755)
        (self.folder / "gate.yaml").write_text("name: gate\n")
        self.baseline = self.folder / "baseline"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.target = f"http://127.0.0.1:{free.getsockname()[1]}"

    def gate(self, *words, status=0, errors=True, **variables):
        """The exit status, the text, and the calls of murphy. `status` is that of all calls, or a list with that of each call."""
        (self.folder / "statuses").write_text("".join(f"{each}\n" for each in (status if isinstance(status, list) else [status])))
        for name in ["calls", "workflows"]:
            (self.folder / name).write_text("")
        done = subprocess.run(
            [ROOT / "deploy/ci/murphy-gate", *words], cwd=self.folder, text=True, timeout=60,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT if errors else subprocess.DEVNULL,
            env={"PATH": f"{self.folder}/programs:{os.environ['PATH']}", **variables})
        self.workflows = (self.folder / "workflows").read_text().splitlines()
        return done.returncode, done.stdout, (self.folder / "calls").read_text().splitlines()

    def kept(self):
        return len(list(self.baseline.iterdir()))

    def test_without_a_baseline_it_is_one_run(self):
        status, _, calls = self.gate("gate.yaml", "--quiet", status=5, TARGET=self.target, REPORT="mine")
        self.assertEqual((status, calls), (5, [f"run gate.yaml --quiet --target {self.target} --report mine"]))

    def test_a_new_baseline_gets_five_runs_and_later_one_a_job(self):
        _, _, calls = self.gate("gate.yaml", "--load", "2", BASELINE="baseline")
        self.assertEqual((len(calls), self.kept()), (5, 5))
        self.assertEqual(calls[0], "run gate.yaml --load 2 --baseline baseline --report murphy-report")
        for number in [6, 7]:
            status, _, calls = self.gate("gate.yaml", status=5, BASELINE="baseline")
            self.assertEqual((status, len(calls), self.kept()), (5, 1, number))

    def test_a_job_can_add_one_run_to_a_new_baseline(self):
        for number in [1, 2, 3]:
            _, _, calls = self.gate("gate.yaml", BASELINE="baseline", FIRST_RUNS="1")
            self.assertEqual((len(calls), self.kept()), (1, number))

    def test_a_first_run_that_fails_is_the_only_one(self):
        for verdict in [1, 2, 3, 4]:
            status, _, calls = self.gate("gate.yaml", status=verdict, BASELINE="baseline")
            self.assertEqual((status, len(calls), self.kept()), (verdict, 1, 0))

    def test_an_extra_run_that_fails_gives_the_verdict_and_the_report(self):
        for verdict, text in [(1, "FAIL"), (4, "INVALID")]:
            status, output, calls = self.gate("gate.yaml", status=[0, 5, verdict], BASELINE=f"baseline/{verdict}")
            self.assertEqual((status, output.splitlines()[-1], len(calls)), (verdict, text, 3))
            self.assertIn(f'"status": {verdict}', (self.folder / "murphy-report/result.json").read_text())

    def test_only_the_first_run_writes_annotations_and_the_last_line(self):
        _, output, _ = self.gate("gate.yaml", status=[5, 0], BASELINE="baseline", GITHUB_ACTIONS="true", errors=False)
        self.assertEqual((self.workflows, output), (["true", "", "", "", ""], "NO DATA\n"))

    def test_a_server_that_starts_only_once_gives_no_pass(self):
        port = self.target.rsplit(":", 1)[1]
        server = f"mkdir started && exec python3 -m http.server {port} --bind 127.0.0.1"
        status, output, calls = self.gate("gate.yaml", BASELINE="baseline", SERVER=server, TARGET=self.target)
        self.assertEqual((status, output.splitlines()[-1], len(calls)), (3, "INVALID", 1))
        self.assertFalse((self.folder / "murphy-report").exists())

    def test_murphy_reports_a_missing_scenario(self):
        status, _, calls = self.gate("missing.yaml", status=2, BASELINE="baseline")
        self.assertEqual((status, calls), (2, ["run missing.yaml --baseline baseline --report murphy-report"]))

    def test_the_server_is_started_for_each_run_and_stopped_with_its_children(self):
        port = self.target.rsplit(":", 1)[1]
        server = f"echo started >> starts; python3 -m http.server {port} --bind 127.0.0.1 & wait"
        self.assertEqual(self.gate("gate.yaml", BASELINE="baseline", SERVER=server, TARGET=self.target)[0], 0)
        self.assertEqual((self.folder / "starts").read_text(), "started\n" * 5)
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", int(port)))

    def test_a_server_that_ends(self):
        status, text, calls = self.gate("gate.yaml", SERVER="exit 7", TARGET=self.target)
        self.assertEqual((status, calls), (3, []))
        self.assertIn("the server did not listen", text)

    def test_a_port_that_another_server_uses(self):
        with socket.create_server(("127.0.0.1", int(self.target.rsplit(":", 1)[1]))):
            status, text, calls = self.gate("gate.yaml", SERVER="sleep 60", TARGET=self.target)
        self.assertEqual((status, calls), (3, []))
        self.assertIn("another server listens", text)

    def test_a_server_without_a_port(self):
        status, text, _ = self.gate("gate.yaml", SERVER="sleep 60", TARGET="http://localhost")
        self.assertEqual(status, 2)
        self.assertIn("a TARGET with a port", text)

    def test_no_scenario(self):
        status, text, _ = self.gate()
        self.assertEqual(status, 2)
        self.assertIn("usage", text)


if __name__ == "__main__":
    unittest.main()
