"""Two runs of the bench side by side: python3 compare.py OLD/result.json NEW/result.json"""
import json
import pathlib
import sys


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    old, new = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
    for name in {**old["machine"], **new["machine"]}:
        values = [result["machine"].get(name, "-") for result in (old, new)]
        if values[0] != values[1]:
            print(f"{name}: {values[0]} -> {values[1]}")
    before = {(row["section"], row["name"]): row for row in old["rows"]}
    print(f"\n{'':16} {'':44} {'old':>10} {'new':>10}  what")
    for row in new["rows"]:
        then = before.get((row["section"], row["name"]))
        # Requests per second depend on the machine: ratios to the peers of the same run do not.
        key = "ratio" if "ratio" in row else "value"
        what = "murphy / it" if key == "ratio" else row["unit"]
        was = f"{then[key]:10,.2f}" if then and key in then else f"{'-':>10}"
        print(f"{row['section']:16} {row['name']:44} {was} {row[key]:10,.2f}  {what}")


if __name__ == "__main__":
    main()
