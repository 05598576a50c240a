"""The capacity that murphy finds over the one that is set, for several settings of the reference API."""
import json

from process import Done

# Workers, milliseconds of work, arrivals. Beyond some 1,000 requests a second the reference API itself is the bound.
SETTINGS = ((1, 20, "even"), (2, 20, "even"), (4, 10, "even"), (8, 40, "even"), (10, 20, "even"), (4, 10, "poisson"))


def capacity(peers, figures):
    figures.title("capacity found by murphy over the capacity set (workers / work), windows of 8 s")
    for workers, work, pattern in SETTINGS:
        known = workers * 1000 / work
        # The first load is neither near the capacity nor a power of two away from it.
        scenario = peers.scenario("capacity", FIRST=round(known / 5, 1), PATTERN=pattern)
        report = peers.work / "capacity"
        done = Done([peers.murphy, "capacity", scenario, "--workers", workers, "--work", work, "--limits", "off",
                     "--window", "8s", "--seed", 7, "--quiet", "--report", report], cores=None, timeout=1800)
        result = json.loads((report / "capacity.json").read_text())
        found = result.get("capacity")
        name = f"{workers} workers of {work} ms, {pattern} arrivals: {known:.0f}/s"
        if not found:
            raise SystemExit(f"{name}: {result['ending']}\n{done.text[-1500:]}")
        ratio = found / known
        # Poisson arrivals queue even below the capacity, so only the upper bound is required.
        met = abs(ratio - 1) <= 0.05 if pattern == "even" else ratio <= 1.05
        figures.add("capacity", name, ratio, "found / set", "0.95 to 1.05" if pattern == "even" else "<= 1.05", met,
                    found=found, broke=result["broke"], cause=result["bounds"][0]["kind"], seconds=result["duration"],
                    steps=len(result["steps"]))
