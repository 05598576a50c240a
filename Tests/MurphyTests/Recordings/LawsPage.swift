import Foundation
import HeadlessBrowser
import Murphy
import WildServer

/// A page on a server of its own that calls the reference API of Murphy's Laws on another: a list, a search that waits until
/// nobody types, votes; and, as real pages do, a third party that is told of it all.
final class LawsPage: Sendable {
  private let pages: WildServer
  private let tracker: WildServer

  /// - Parameter api: the API's URL.
  init(api: String) throws {
    tracker = try WildServer { _, connection in
      connection.answer(headers: ["Access-Control-Allow-Origin": "*"], body: #"{"id": 1}"#)
    }
    let files = [
      "/": ("text/html", Self.html),
      "/app.js": (
        "text/javascript; charset=utf-8",
        Self.script.replacing("API", with: api).replacing("TRACKER", with: tracker.url)
      ),
      "/style.css": ("text/css", "body { font: 16px sans-serif }"),
      "/logo.svg": ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>"),
      "/words.json": ("application/json", #"{"search": "Search"}"#),
    ]
    pages = try WildServer { request, connection in
      guard let (type, text) = files[request.target] else {
        return connection.answer(404, type: "text/plain", body: "")
      }
      connection.answer(type: type, headers: ["Set-Cookie": "visit=hush-visit-0123456789"], body: text)
    }
  }

  var url: String { pages.url }

  func stop() {
    pages.stop()
    tracker.stop()
  }

  /// What a person does with it; each part begins when the last one is done.
  func use(_ page: BrowserPage) throws {
    try page.open(url: url)
    try page.wait(until: "document.body.dataset.shown === 'all'")
    // A person reads.
    Thread.sleep(forTimeInterval: 0.5)
    for (text, word) in [("ev", "ev"), ("erything", "everything")] {
      try page.click("#search")
      try page.type(text)
      try page.wait(until: "document.body.dataset.shown === '\(word)'")
    }
    try page.click("#list button")
    try page.wait(until: "document.body.dataset.voted !== undefined")
    try page.click("#list a")
    try page.wait(until: "document.body.dataset.opened !== undefined")
    try page.click("#submit")
    try page.wait(until: "document.body.dataset.submitted !== undefined")
  }

  private static let html = """
    <!doctype html><meta charset="utf-8"><title>Laws</title><link rel="stylesheet" href="/style.css"><img src="/logo.svg" alt="">
    <input id="search"><button id="submit">Submit</button><ul id="list"></ul><script src="/app.js"></script>
    """

  private static let script = #"""
    const api = "API/api/v1", device = crypto.randomUUID();
    const list = document.querySelector("#list"), search = document.querySelector("#search");
    const track = what => fetch("TRACKER/collect?what=" + what, { method: "POST", mode: "no-cors", body: "{}" });

    async function show(query, name) {
      const answer = await fetch(`${api}/laws?${new URLSearchParams({ ...query, limit: 5 })}`);
      const laws = (await answer.json()).data;
      list.replaceChildren(...laws.map(law => {
        const item = document.createElement("li"), vote = document.createElement("button"), link = document.createElement("a");
        vote.textContent = "+"; vote.onclick = () => send(law.id);
        link.textContent = law.text; link.href = "#" + law.id; link.onclick = () => open(law.id);
        item.append(vote, link);
        return item;
      }));
      document.body.dataset.shown = name;
      track("list");
    }

    let timer;
    search.oninput = () => {
      clearTimeout(timer);
      timer = setTimeout(() => show({ q: search.value }, search.value), 300);
    };

    async function send(id) {
      const answer = await fetch(`${api}/laws/${id}/vote`, {
        method: "POST", headers: { "Content-Type": "application/json", "X-Device-ID": device },
        body: JSON.stringify({ vote_type: "up" }),
      });
      document.body.dataset.voted = (await answer.json()).upvotes;
      track("vote");
    }

    async function open(id) {
      const law = await (await fetch(`${api}/laws/${id}`, { headers: { "X-Device-ID": device } })).json();
      // The second one comes out of the browser's cache.
      for (let i = 0; i < 2; i++) await (await fetch(`${api}/law-of-day`, { cache: "force-cache" })).text();
      document.body.dataset.opened = law.id;
      // A request that is not waited for.
      const control = new AbortController();
      fetch(`${api}/categories`, { signal: control.signal }).catch(() => 0);
      control.abort();
    }

    document.querySelector("#submit").onclick = async () => {
      const answer = await fetch(`${api}/laws`, {
        method: "POST", headers: { "Content-Type": "application/json", "X-Device-ID": device },
        body: JSON.stringify({ text: "A page that is tested breaks “nowhere” but at home: ${x} & <b>.", title: null, category_id: 5 }),
      });
      document.body.dataset.submitted = answer.status;
    };

    fetch("/words.json").then(answer => answer.json()).then(words => search.placeholder = words.search);
    show({ sort: "score" }, "all");
    """#
}
