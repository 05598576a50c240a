"""A shop on SQLite with 50 planted changes: each is allowed by its contract, and breaks some client.

The responses are noisy as those of real servers: ids and times of new orders, tokens, a list in random order, counters
and durations. `behaviour_server.py PORT [CHANGE] [--first ID]` serves until it is killed.
"""
import argparse
import datetime
import http.server
import json
import random
import re
import sqlite3
import time
import unicodedata
import urllib.parse
import uuid

UTC = datetime.timezone.utc
PAGE = 10


def database(first):
    """80 products with reviews, the same in each process; orders begin at the id `first`."""
    shop = sqlite3.connect(":memory:", check_same_thread=False, isolation_level=None)
    shop.executescript("""
        create table products (id integer primary key, sku text, name text, price real, rating real, stock integer,
          category text, tags text, description text, discount real, created_at text);
        create table reviews (id integer primary key, product integer, stars integer, text text, created_at text);
        create table orders (id integer primary key autoincrement, uuid text, status text, customer text, note text,
          items text, total real, created_at text);
    """)
    shop.execute("insert into sqlite_sequence values ('orders', ?)", (first - 1,))
    data = random.Random(7)
    words = ["Lamp", "Chair & Co", "Café table", "Shelf", "Desk", "Sofa", "Rug", "Clock"]
    for number in range(1, 81):
        created = datetime.datetime(2024, 1 + number % 12, 1 + number % 28, number % 24, number % 60, tzinfo=UTC)
        tags = data.sample(["new", "sale", "eco", "wood", "steel"], number % 4)
        shop.execute("insert into products values (?,?,?,?,?,?,?,?,?,?,?)", (
            number, f"SKU-{number:04}", f"{data.choice(words)} {number}", round(data.uniform(5, 500), 2),
            round(data.uniform(1, 5), 2), data.randrange(0, 40), ["home", "office", "garden"][number % 3],
            json.dumps(tags), None if number % 3 == 0 else f"A fine {data.choice(words)}",
            None if number % 2 else round(data.uniform(0.05, 0.5), 2), created.isoformat()))
        for _ in range(number % 4):
            shop.execute("insert into reviews (product, stars, text, created_at) values (?,?,?,?)", (
                number, data.randrange(1, 6), f"{data.choice(words)} as described", created.isoformat()))
    return shop


class Shop:
    """The handlers. `on` is true for the planted change; the other branch is the base."""

    def __init__(self, change, first):
        self.change, self.shop, self.visits = change, database(first), 0
        self.started = time.time()

    def on(self, name):
        return self.change == name

    def product(self, row, isList=False):
        (number, sku, name, price, rating, stock, category, tags, description, discount, created) = row
        tags = json.loads(tags)
        item = {"id": number, "sku": sku, "name": name, "price": price, "rating": rating, "stock": stock,
                "available": stock > 0, "currency": "EUR", "category": category, "tags": tags,
                "description": description, "created_at": created, "links": {"self": f"/products/{number}"}}
        if discount is not None:
            item["discount"] = discount
        if self.on("price-rounded"):
            item["price"] = round(price, 1)
        if self.on("rating-truncated"):
            item["rating"] = int(rating * 10) / 10
        if self.on("stock-off-by-one") and stock > 30:
            item["stock"] -= 1
        if self.on("currency-lower-case"):
            item["currency"] = "eur"
        if self.on("trailing-space"):
            item["name"] += " "
        if self.on("sku-lower-case"):
            item["sku"] = sku.lower()
        if self.on("zone-as-z"):
            item["created_at"] = created.replace("+00:00", "Z")
        if self.on("local-time"):
            moment = datetime.datetime.fromisoformat(created)
            item["created_at"] = moment.astimezone(datetime.timezone(datetime.timedelta(hours=2))).isoformat()
        if self.on("decomposed-unicode"):
            item["name"] = unicodedata.normalize("NFD", name)
        if self.on("escaped-html"):
            item["name"] = name.replace("&", "&amp;")
        if self.on("sold-out-available"):
            item["available"] = True
        if self.on("absolute-link"):
            item["links"]["self"] = f"http://shop.internal/products/{number}"
        if self.on("rating-as-string"):
            item["rating"] = str(rating)
        if self.on("stock-as-fraction"):
            item["stock"] = float(stock)
        if self.on("empty-string-for-null") and description is None:
            item["description"] = ""
        if self.on("null-for-missing"):
            item["discount"] = discount
        if self.on("null-for-empty-list"):
            item["tags"] = tags or None
        if self.on("single-tag-as-string") and len(tags) == 1:
            item["tags"] = tags[0]
        if self.on("missing-optional"):
            item.pop("discount", None)
        if self.on("null-dropped") and description is None:
            del item["description"]
        if self.on("new-field"):
            item["internal_margin"] = round(price * 0.2, 2)
        if self.on("missing-link"):
            item["links"] = {}
        if self.on("tags-sorted"):
            item["tags"] = sorted(tags)
        if self.on("list-without-price") and isList and number % 10 == 0:
            item["price"] = 0
        return item

    def listProducts(self, query):
        order = "name" if self.on("order-by-name") else "id"
        where, values = "1=1", []
        if "category" in query and not self.on("filter-ignored"):
            where, values = "category = ?", [query["category"]]
        rows = self.shop.execute(f"select * from products where {where} order by {order}", values).fetchall()
        size = int(query.get("size", 8 if self.on("page-size") else PAGE))
        page = int(query.get("page", 1))
        begin = (page if self.on("off-by-one-page") else page - 1) * size
        found = [self.product(row, isList=True) for row in rows[begin:begin + size]]
        if self.on("last-item-dropped"):
            found = found[:size - 1]
        if self.on("duplicated-item") and len(found) > 2:
            found.insert(2, found[1])
        total = len(rows) + (1 if self.on("total-off-by-one") else 0)
        body = {"data": found, "total": total, "page": page, "size": size,
                "next": None if begin + size >= len(rows) else f"/products?page={page + 1}",
                "took_ms": round(random.uniform(0.5, 9), 2), "cursor": uuid.uuid4().hex}
        if self.on("next-link-lost"):
            body["next"] = None
        headers = {"Cache-Control": "max-age=60", "Vary": "Accept", "ETag": f'"{random.randrange(10**9)}"',
                   "Link": '</products?page=2>; rel="next"'}
        if self.on("cache-control"):
            headers["Cache-Control"] = "no-store"
        if self.on("link-header-dropped"):
            del headers["Link"]
        if self.on("etag-dropped"):
            del headers["ETag"]
        return 200, headers, body

    def getProduct(self, number):
        row = self.shop.execute("select * from products where id = ?", (number,)).fetchone()
        if row is None:
            return self.error(410 if self.on("gone") else 404, "not_found", f"No product {number}")
        item = self.product(row)
        order = "id desc" if self.on("reviews-newest-first") else "id"
        reviews = self.shop.execute(f"select * from reviews where product = ? order by {order}", (number,)).fetchall()
        item["reviews"] = [
            {"id": id, "stars": stars, "text": text, "created_at": created} for id, _, stars, text, created in reviews]
        if self.on("empty-list-dropped") and not reviews:
            del item["reviews"]
        return 200, {"Cache-Control": "max-age=60"}, item

    def related(self, number):
        rows = self.shop.execute("select * from products where category = (select category from products where id = ?)"
                                 " order by id limit 6", (number,)).fetchall()
        found = [{"id": row[0], "name": row[2], "score": round(1 / (1 + abs(row[0] - int(number))), 4)} for row in rows]
        random.shuffle(found)
        if self.on("score-in-shuffled-list"):
            for item in found:
                item["score"] = round(item["score"], 1)
        return 200, {}, found

    def order(self, row):
        number, token, status, customer, note, items, total, created = row
        order = {"id": number, "uuid": token, "status": status, "customer": json.loads(customer), "note": note,
                 "items": json.loads(items), "total": total, "created_at": created}
        if self.on("status-upper-case"):
            order["status"] = status.upper()
        if self.on("total-rounded-down"):
            order["total"] = int(total * 10) / 10
        if self.on("present-shifted"):
            moment = datetime.datetime.fromisoformat(created) + datetime.timedelta(hours=1)
            order["created_at"] = moment.isoformat()
        if self.on("present-without-zone"):
            order["created_at"] = created.replace("+00:00", "")
        if self.on("uuid-upper-case"):
            order["uuid"] = token.upper()
        if self.on("name-lower-case"):
            order["customer"]["name"] = order["customer"]["name"].lower()
        if self.on("id-as-string"):
            order["id"] = str(number)
        if self.on("customer-missing"):
            del order["customer"]
        if self.on("items-reversed"):
            order["items"].reverse()
        return order

    def createOrder(self, body):
        if not body.get("items"):
            status = 400 if self.on("bad-request") else 422
            return self.error(status, "invalid", "An order needs items")
        prices = dict(self.shop.execute("select id, price from products").fetchall())
        total = round(sum(prices[item["product"]] * item["quantity"] for item in body["items"]), 2)
        cursor = self.shop.execute(
            "insert into orders (uuid, status, customer, note, items, total, created_at) values (?,?,?,?,?,?,?)",
            (str(uuid.uuid4()), "pending", json.dumps(body["customer"]), body.get("note"), json.dumps(body["items"]),
             total, datetime.datetime.now(UTC).isoformat()))
        number = cursor.lastrowid
        headers = {"Location": f"/orders/{number}", "Set-Cookie": f"basket={uuid.uuid4().hex}; Path=/; HttpOnly"}
        if self.on("location-missing"):
            del headers["Location"]
        if self.on("cookie-flag"):
            headers["Set-Cookie"] = headers["Set-Cookie"].replace("; HttpOnly", "")
        return 200 if self.on("created-as-200") else 201, headers, self.order(self.row(number))

    def row(self, number):
        return self.shop.execute("select * from orders where id = ?", (number,)).fetchone()

    def getOrder(self, number):
        row = self.row(number)
        return (200, {}, self.order(row)) if row else self.error(404, "not_found", f"No order {number}")

    def changeOrder(self, number, body):
        if self.row(number) is None:
            return self.error(404, "not_found", f"No order {number}")
        self.shop.execute("update orders set note = ?, status = 'changed' where id = ?", (body.get("note"), number))
        if self.on("empty-update"):
            return 204, {}, None
        return 200, {}, self.order(self.row(number))

    def deleteOrder(self, number):
        if not self.on("not-deleted"):
            self.shop.execute("delete from orders where id = ?", (number,))
        return (200, {}, {"deleted": True}) if self.on("deleted-with-body") else (204, {}, None)

    def listOrders(self, query):
        rows = self.shop.execute("select * from orders order by id desc limit 5").fetchall()
        count = self.shop.execute("select count(*) from orders").fetchone()[0]
        return 200, {}, {"data": [self.order(row) for row in rows], "total": count}

    def stats(self):
        self.visits += 1
        now = datetime.datetime.now(UTC)
        return 200, {}, {"visits": self.visits, "online": random.randrange(5, 50), "version": "1.4",
                         "uptime": round(time.time() - self.started, 3), "time": now.isoformat(),
                         "started_at": datetime.datetime.fromtimestamp(self.started, UTC).isoformat(),
                         "limits": {"orders": 100, "page": 100 if not self.on("limit-changed") else 50}}

    def export(self):
        rows = self.shop.execute("select id, sku, price from products order by id limit 20").fetchall()
        mark = ";" if self.on("csv-separator") else ","
        text = "\n".join([mark.join(["id", "sku", "price"])] + [mark.join(map(str, row)) for row in rows]) + "\n"
        return 200, {"Content-Type": "text/csv"}, text

    def error(self, status, code, message):
        if self.on("error-text"):
            message = message.replace("No ", "Unknown ")
        if self.on("error-code"):
            code = code.upper()
        return status, {}, {"error": {"code": code, "message": message, "trace": uuid.uuid4().hex}}

    def respond(self, method, path, query, body):
        item = re.fullmatch(r"/(products|orders)/(\d+)(/related)?", path)
        if item and item[1] == "products":
            return self.related(item[2]) if item[3] else self.getProduct(item[2])
        if item:
            number = int(item[2])
            return (self.getOrder(number) if method == "GET" else self.deleteOrder(number) if method == "DELETE"
                    else self.changeOrder(number, body))
        return {"GET /products": lambda: self.listProducts(query), "GET /orders": lambda: self.listOrders(query),
                "POST /orders": lambda: self.createOrder(body), "GET /stats": self.stats,
                "GET /export.csv": self.export}[f"{method} {path}"]()


# All planted changes, in the order of the table.
CHANGES = """price-rounded rating-truncated stock-off-by-one currency-lower-case trailing-space sku-lower-case zone-as-z
local-time decomposed-unicode escaped-html sold-out-available absolute-link rating-as-string stock-as-fraction
empty-string-for-null null-for-missing null-for-empty-list single-tag-as-string missing-optional null-dropped new-field
missing-link tags-sorted order-by-name filter-ignored page-size off-by-one-page last-item-dropped
duplicated-item total-off-by-one cache-control link-header-dropped etag-dropped gone
reviews-newest-first empty-list-dropped score-in-shuffled-list status-upper-case total-rounded-down present-shifted
present-without-zone id-as-string customer-missing created-as-200
empty-update deleted-with-body csv-separator error-text header-added location-missing""".split()
# Planted as well, but not part of the bar.
MORE = """list-without-price next-link-lost uuid-upper-case name-lower-case items-reversed bad-request cookie-flag
not-deleted limit-changed error-code vary-dropped charset""".split()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("change", nargs="?", choices=["none"] + CHANGES + MORE, default="none")
    parser.add_argument("--first", type=int, default=1000, help="the id of the first order")
    arguments = parser.parse_args()
    shop = Shop(arguments.change, arguments.first)

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def handle_request(self):
            url = urllib.parse.urlsplit(self.path)
            length = int(self.headers.get("Content-Length") or 0)
            sent = json.loads(self.rfile.read(length)) if length else {}
            status, headers, body = shop.respond(
                self.command, url.path, dict(urllib.parse.parse_qsl(url.query)), sent)
            headers = {"Vary": "Accept", "X-Request-ID": str(uuid.uuid4()), "X-Response-Time": f"{random.random():.4f}"} | headers
            if shop.on("header-added"):
                headers["X-Powered-By"] = "shop/2"
            if shop.on("vary-dropped"):
                del headers["Vary"]
            data = b""
            if isinstance(body, str):
                data = body.encode()
            elif body is not None:
                data = json.dumps(body, ensure_ascii=False).encode()
                headers["Content-Type"] = "application/json" + ("; charset=utf-8" if shop.on("charset") else "")
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            if status != 204:
                self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_PATCH = do_DELETE = handle_request

        def log_message(self, *_):
            pass

    class Server(http.server.ThreadingHTTPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", arguments.port), Handler)
    print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
