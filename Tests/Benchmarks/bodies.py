"""Writes law.json (one law) and page.json (25 laws), shaped as the Murphy's Laws contract demands."""
import json
import pathlib
import sys

ENDINGS = ["at the worst possible moment", "when you have no spare part", "as soon as the guests arrive",
           "unless you are prepared for it", "the day after the warranty ends"]


def law(number):
    return {
        "id": number,
        "text": f"If anything can go wrong with plan number {number}, it will, and {ENDINGS[number % 5]}.",
        "title": f"Murphy's Law number {number}",
        "category_id": number % 40 + 1,
        "upvotes": number * 7 % 97,
        "downvotes": number * 3 % 11,
        "created_at": f"2024-01-{number % 28 + 1:02}T10:30:00Z",
        "attributions": [{
            "name": "Edward A. Murphy Jr.", "contact_type": "url",
            "contact_value": "https://en.wikipedia.org/wiki/Edward_A._Murphy_Jr."}],
    }


PAGE = {"data": [law(number) for number in range(1, 26)], "total": 1234, "limit": 25, "offset": 0}

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name, value in [("law.json", law(1)), ("page.json", PAGE)]:
        (folder / name).write_text(json.dumps(value, separators=(",", ":")))
