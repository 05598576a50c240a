"""The figures of a bench: printed as they come, kept for result.json."""
import json
import statistics
import time


class Figures:
    def __init__(self, machine):
        self.rows = []
        self.machine = machine
        self.started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())

    def title(self, text):
        print(f"\n{text}", flush=True)

    def add(self, section, name, value, unit, aim=None, met=None, **more):
        """One figure; `aim` is what it should be, in words, `met` whether it is."""
        self.rows.append(dict(section=section, name=name, value=value, unit=unit, aim=aim, met=met, **more))
        text = f"{value:,.2f}" if abs(value) < 100 else f"{value:,.0f}"
        aimed = "" if aim is None else f"   (aim {aim}{'' if met is None else ': met' if met else ': not met'})"
        print(f"  {name:44} {text:>10} {unit}{aimed}", flush=True)

    def compare(self, section, rounds, subject, aims):
        """Rates of one subject beside its peers'; `rounds` is a list of dictionaries from names to rates.

        What counts is the median over the rounds of each round's ratio: all clients of a round met the same machine.
        """
        for name in rounds[0]:
            rates = [one[name].per_second for one in rounds]
            row = dict(section=section, name=name, value=statistics.median(rates), unit="requests/s", rates=rates,
                       cpu=statistics.median(one[name].cpu for one in rounds))
            line = f"  {name:34} {row['value']:>10,.0f} requests/s {row['cpu']:>8,.1f} us CPU each"
            if name != subject:
                ratios = [one[subject].per_second / one[name].per_second for one in rounds]
                row["ratios"], row["ratio"] = ratios, statistics.median(ratios)
                row["cpu_ratio"] = statistics.median(one[name].cpu / one[subject].cpu for one in rounds)
                line += f"   murphy / it = {row['ratio']:5.2f}  ({min(ratios):.2f} to {max(ratios):.2f})"
                line += f", by CPU {row['cpu_ratio']:.2f}"
                if name in aims:
                    rate, cpu = aims[name] if isinstance(aims[name], tuple) else (aims[name], 0)
                    row["aim"] = f">= {rate}" + (f" ({cpu})" if cpu else "")
                    row["met"] = row["ratio"] >= rate and row["cpu_ratio"] >= cpu
                    line += f"   aim {row['aim']}: {'met' if row['met'] else 'not met'}"
            self.rows.append(row)
            print(line, flush=True)

    def table(self):
        """All ratios to other tools, and all figures with an aim."""
        print(f"\n{'measured':14} {'peer or figure':44} {'rate':>6} {'CPU':>6} {'spread':>14}  aim", flush=True)
        for row in self.rows:
            if "ratio" not in row and not row.get("aim"):
                continue
            spread = f"{min(row['ratios']):.2f} to {max(row['ratios']):.2f}" if row.get("ratios") else ""
            cpu = f"{row['cpu_ratio']:.2f}" if "cpu_ratio" in row else ""
            value = f"{row.get('ratio', row['value']):,.2f}"
            aim = f"{row['aim']}: {'met' if row['met'] else 'not met'}" if row.get("aim") else ""
            print(f"{row['section']:14} {row['name'][:44]:44} {value:>6} {cpu:>6} {spread:>14}  {aim}", flush=True)

    def write(self, path):
        path.write_text(json.dumps(dict(started=self.started, machine=self.machine, rows=self.rows), indent=1) + "\n")
        print(f"\nAll figures: {path}", flush=True)
