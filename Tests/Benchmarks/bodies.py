"""Writes the bodies that nginx serves: law.json and page.json (25 laws), shaped as the Murphy's Laws contract demands,
4,096 pages that differ, and a megabyte of JSON and of bytes with a contract of their own."""
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

def page(variant):
    """The page with other texts and counts."""
    data = [{**one, "upvotes": one["upvotes"] + variant % 89, "text": f"{one['text']} ({variant:03x})"}
            for one in PAGE["data"]]
    return {**PAGE, "data": data}


BIG = {"rows": [{"id": number, "name": f"row {number}", "text": "all that can go wrong " * 40, "done": number % 2 == 0}
                for number in range(1_050)]}

BIG_CONTRACT = """openapi: 3.0.3
info: { title: Big bodies, version: "1" }
paths:
  /big:
    get:
      operationId: big
      responses:
        "200":
          description: A megabyte of JSON.
          content:
            application/json:
              schema:
                type: object
                required: [rows]
                properties:
                  rows:
                    type: array
                    minItems: 1
                    items:
                      type: object
                      required: [id, name, text, done]
                      additionalProperties: false
                      properties:
                        id: { type: integer, minimum: 0 }
                        name: { type: string, maxLength: 40 }
                        text: { type: string, maxLength: 2000 }
                        done: { type: boolean }
  /binary:
    get:
      operationId: binary
      responses:
        "200":
          description: A megabyte of bytes.
          content:
            application/octet-stream:
              schema: { type: string, format: binary, minLength: 1 }
"""

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    for name, value in [("law.json", law(1)), ("page.json", PAGE), ("big.json", BIG)]:
        (folder / name).write_text(json.dumps(value, separators=(",", ":")))
    (folder / "pages").mkdir(exist_ok=True)
    for variant in range(4096):
        (folder / f"pages/{variant:03x}.json").write_text(json.dumps(page(variant), separators=(",", ":")))
    (folder / "bytes.bin").write_bytes(bytes(number % 251 for number in range(1_000_000)))
    (folder / "big-openapi.yaml").write_text(BIG_CONTRACT)
