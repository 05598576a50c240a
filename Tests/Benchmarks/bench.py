"""Murphy beside its peers, against one nginx on the other core, as ratios of one run.

Machines are shared and noisy: every round runs all clients one after another, and what counts is the median over the
rounds of each round's ratio, not the requests per second.
"""
import argparse
import pathlib

import accuracy
import capacity
import documents
import machine
import sections
import target
from figures import Figures
from peers import Peers

PARTS = ("throughput", "connections", "loops", "encrypted", "idle", "lateness", "bodies", "documents", "ending")
# They wait for most of their time, so they are not a part of a bench of a quarter of an hour.
ACCURACY = ("selfcheck", "freeze", "capacity")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    parser.add_argument("--murphy", required=True, type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=4, help="how long each client runs in a round")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--users", type=int, default=64)
    parser.add_argument("--part", action="append", choices=PARTS + ACCURACY, help="only this part")
    parser.add_argument("--accuracy", action="store_true", help="the accuracy of murphy instead of its costs")
    parser.add_argument("--only", action="append", help="throughput peers whose name contains this (murphy always runs)")
    parser.add_argument("--requests", type=int, default=1_000_000, help="of the run whose end is measured")
    arguments = parser.parse_args()
    work = arguments.work.resolve()
    figures = Figures(machine.describe(work, arguments.murphy.resolve()))
    for name, text in figures.machine.items():
        print(f"{name:13} {text}")
    peers = Peers(work, arguments.murphy.resolve(), arguments.seconds, arguments.users)
    server = target.start(work)
    more = {"throughput": [arguments.rounds, arguments.only], "connections": [arguments.rounds],
            "loops": [arguments.rounds], "encrypted": [arguments.rounds], "bodies": [arguments.rounds],
            "documents": [arguments.rounds], "ending": [arguments.requests], "freeze": [server]}
    try:
        parts = ACCURACY if arguments.accuracy else ["throughput"] if arguments.only else PARTS
        for part in arguments.part or parts:
            places = (sections, accuracy, capacity, documents)
            measure = next(getattr(place, part) for place in places if hasattr(place, part))
            measure(peers, figures, *more.get(part, []))
    finally:
        server.terminate()
        server.wait()
        figures.table()
        figures.write(work / "result.json")


if __name__ == "__main__":
    main()
