"""Shows that each fault of the bookshop is one: a few requests that the clean server answers otherwise."""
import argparse
import http.client
import json
import pathlib
import time
import uuid

from servers import Bookshop

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MERGE = "application/merge-patch+json"
ADDRESS = {"street": "Quay 1", "city": "Delft", "country": "NL"}


class User:
    """Sends requests with one user's token; answers (status, headers, JSON), status 0 where no answer came."""

    def __init__(self, shop, token):
        self.host, self.token = shop.url.removeprefix("http://"), token

    def __call__(self, method, path, body=None, media="application/json", raw=None, **headers):
        connection = http.client.HTTPConnection(self.host, timeout=2)
        fields = {"Authorization": f"Bearer {self.token}"} | {key.replace("_", "-"): value for key, value in headers.items()}
        data = raw if body is None else json.dumps(body)
        if data is not None:
            fields["Content-Type"] = media
        try:
            connection.request(method, path, data, {key: value for key, value in fields.items() if value is not None})
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException):
            return 0, {}, None
        finally:
            connection.close()
        try:
            return answer.status, answer.headers, json.loads(text)
        except ValueError:
            return answer.status, answer.headers, text.decode()

    def status(self, *arguments, **words):
        return self(*arguments, **words)[0]

    def book(self, **fields):
        isbn = f"978{uuid.uuid4().int % 10 ** 10:010}"
        return self("POST", "/books", {"title": "A title", "isbn": isbn, "price": 1, "genre": "crime"} | fields)

    def order(self, **fields):
        self("PUT", "/cart/items/1", {"quantity": 1})
        return self("POST", "/orders", {"address": ADDRESS, "shipping": "pickup"} | fields)

    def ordered(self):
        """The path of an order that is done."""
        job = self.order()[2]["id"]
        while (state := self("GET", f"/jobs/{job}")[2])["status"] != "done":
            time.sleep(0.05)
        return f"/orders/{state['orderId']}"


def deleted(user):
    path = user.book()[1]["Location"]
    return user.status("DELETE", path), user.status("GET", path)


def patched(user, **fields):
    path = user.book(subtitle="Of many", pages=3)[1]["Location"]
    return user("PATCH", path, fields, MERGE)


def replaced(user, tag=None, **fields):
    _, headers, book = user.book()
    body = {"title": "B", "isbn": book["isbn"], "price": 7, "genre": "crime"} | fields
    status, _, _ = user("PUT", headers["Location"], body, If_Match=tag or headers["ETag"])
    return status, user("GET", headers["Location"])[2]["price"]


def kept_author(user):
    path = user("POST", "/authors", {"name": "Nobody"})[1]["Location"]
    return user.status("DELETE", path), user.status("GET", path)


def unlisted_author(user):
    number = user("POST", "/authors", {"name": "Nobody", "born": None})[2]["id"]
    return number in [author["id"] for author in user("GET", "/authors?limit=100")[2]["items"]]


def second_page(user):
    first = user("GET", "/authors?limit=2")[2]
    return user("GET", f"/authors?limit=2&cursor={first['next']}")[2]["items"][0]["id"]


def reviews(user, query):
    for rating in (1, 2, 3):
        user("POST", "/books/1/reviews", {"rating": rating})
    return len(user("GET", f"/books/1/reviews?{query}")[2]["items"])


def twice(user):
    isbn = user.book()[2]["isbn"]
    return user.book(isbn=isbn)[0]


# Each with the response of the clean server and the response of the faulty one. `a` and `b` are two users.
PROOFS = {
    "search-emoji": (lambda a, b: a.status("GET", "/books?q=%F0%9F%98%80"), 200, 500),
    "offset-huge": (lambda a, b: a.status("GET", "/books?offset=2147483648"), 200, 500),
    "note-empty": (lambda a, b: a.order(note="")[0], 202, 500),
    "offset-negative": (lambda a, b: a.status("GET", "/books/1/reviews?offset=-1"), 400, 500),
    "subtitle-null": (lambda a, b: a.book(subtitle=None)[0], 201, 500),
    "body-deep": (lambda a, b: a.status("POST", "/authors", raw="[" * 40 + "]" * 40), 422, 500),
    "review-long": (lambda a, b: a.status("POST", "/books/1/reviews", {"rating": 1, "text": "x" * 2000}), 201, 500),
    "genre-sorted": (lambda a, b: a.status("GET", "/books?genre=crime&sort=-price"), 200, 500),
    "isbn-twice": (lambda a, b: twice(a), 409, 500),
    "title-long": (lambda a, b: a.book(title="x" * 201)[0], 422, 201),
    "rating-low": (lambda a, b: a.status("POST", "/books/1/reviews", {"rating": 0}), 422, 201),
    "isbn-any": (lambda a, b: a.book(isbn="x")[0], 422, 201),
    "genre-any": (lambda a, b: replaced(a, genre="x")[0], 422, 200),
    "city-missing": (lambda a, b: a.order(address={"street": "Quay 1", "country": "NL"})[0], 422, 202),
    "cart-extra": (lambda a, b: a.status("PUT", "/cart/items/1", {"quantity": 1, "x": 1}), 422, 201),
    "tags-twice": (lambda a, b: patched(a, tags=["a", "a"])[0], 422, 200),
    "price-odd": (lambda a, b: patched(a, price=0.3)[0], 422, 200),
    "author-as-text": (lambda a, b: a.status("POST", "/authors", {"name": "N"}, "text/plain"), 415, 201),
    "patch-malformed": (lambda a, b: a.status("PATCH", "/books/1", media=MERGE, raw="{"), 400, 200),
    "limit-hundred": (lambda a, b: a.status("GET", "/books?limit=100"), 200, 400),
    "born-required": (lambda a, b: a.status("POST", "/authors", {"name": "N"}), 201, 422),
    "genre-poetry": (lambda a, b: a.status("GET", "/books?genre=poetry"), 200, 400),
    "deleted-gone": (lambda a, b: deleted(a), (204, 404), (204, 410)),
    "price-free": (lambda a, b: a("GET", "/books/4")[2]["price"], None, ""),
    "list-null": (lambda a, b: a("GET", "/books/1/reviews")[2]["items"], [], None),
    "second-page": (lambda a, b: "total" in a("GET", "/books?offset=1")[2], True, False),
    "location-missing": (lambda a, b: "Location" in a("POST", "/books/1/reviews", {"rating": 1})[1], True, False),
    "sql-shown": (lambda a, b: "SELECT" in a("GET", "/authors/99")[2]["detail"], False, True),
    "trace-shown": (lambda a, b: "    at " in a("POST", "/tokens", raw="{")[2]["detail"], False, True),
    "head-refused": (lambda a, b: a.status("HEAD", "/books/1"), 200, 501),
    "method-any": (lambda a, b: a.status("POST", "/cart"), 405, 200),
    "cart-open": (lambda a, b: a.status("GET", "/cart", Authorization=None), 401, 200),
    "review-of-others": (
        lambda a, b: b.status("DELETE", a("POST", "/books/1/reviews", {"rating": 1})[1]["Location"]), 403, 204),
    "scheme-any": (lambda a, b: a.status("GET", "/orders", Authorization=f"Basic {a.token}"), 401, 200),
    "order-of-others": (lambda a, b: b.status("GET", a.ordered()), 403, 200),
    "delete-kept": (lambda a, b: kept_author(a), (204, 404), (204, 200)),
    "patch-drops": (lambda a, b: patched(a, title="B")[2]["pages"], 3, None),
    "put-forgotten": (lambda a, b: replaced(a), (200, 7), (200, 1)),
    "author-unlisted": (lambda a, b: unlisted_author(a), True, False),
    "location-nowhere": (lambda a, b: a.status("GET", a.order()[1]["Location"]), 200, 404),
    "tag-stale": (lambda a, b: replaced(a, tag='"x"'), (412, 1), (200, 7)),
    "limit-exceeded": (lambda a, b: reviews(a, "limit=1"), 1, 2),
    "cursor-overlap": (lambda a, b: second_page(a), 3, 2),
    "patch-hangs": (lambda a, b: patched(a)[0], 200, 0),
    "dimensions-crash": (lambda a, b: a.book(dimensions={"widthMm": 1, "heightMm": 1})[0], 201, 0),
    "range-crossed": (lambda a, b: a.status("GET", "/books?minPrice=2&maxPrice=1"), 200, 0),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bookshop", type=pathlib.Path, default=ROOT / ".build/debug/bookshop-server")
    arguments = parser.parse_args()
    wrong = set(Bookshop.faults(arguments.bookshop)) ^ set(PROOFS)
    for name, (ask, clean, faulty) in PROOFS.items():
        for fault, expected in (("none", clean), (name, faulty)):
            with Bookshop(arguments.bookshop, fault) as shop:
                found = ask(*(User(shop, token) for token in shop.tokens))
            if found != expected:
                print(f"{name}: with --fault {fault} {found!r}, expected {expected!r}")
                wrong.add(name)
    if wrong:
        raise SystemExit(f"not shown: {', '.join(sorted(wrong))}")
    print(f"{len(PROOFS)} faults show themselves, and none of them is on the clean server.")


if __name__ == "__main__":
    main()
