import MurphySchema

extension BrowserPage {
  /// What an opened report must not be: a sentence told twice, figures of a row that do not add up, a link that leads
  /// nowhere, a page that scrolls sideways.
  ///
  /// - Parameter tellsOnce: false for a report whose texts are all the same.
  package func mistakes(tellsOnce: Bool = true) throws -> [String] {
    let (complaints, _) = try takeComplaints()
    var mistakes = complaints.map { "console: \($0)" }
    for (rule, expression) in Self.rules where tellsOnce || rule != "told twice" {
      mistakes += (try value(expression).array ?? []).map { "\(rule): \($0.string ?? $0.text)" }
    }
    return mistakes
  }

  private static let rules = [
    (
      "told twice",
      """
      (() => {
        const seen = new Map();
        for (const part of document.querySelectorAll("li, p, td")) {
          // The names of what can be covered are not sentences: operations have equal ones.
          if (part.querySelector("li, p, td") || part.closest(".coverage, p.strength")) continue;
          // What promises were worth may be worth the same.
          const copy = part.cloneNode(true);
          copy.querySelectorAll(".strength").forEach(e => e.remove());
          const text = copy.textContent.replace(/\\s+/g, " ").trim();
          if (text.length > 40) seen.set(text, (seen.get(text) ?? 0) + 1);
        }
        return [...seen].filter(entry => entry[1] > 1).map(entry => entry[0]);
      })()
      """
    ),
    (
      "does not add up",
      """
      [...document.querySelectorAll("table.ends tbody tr")].flatMap(row => {
        const figures = [...row.querySelectorAll("td.n")].map(cell =>
          +(cell.querySelector(".zero, .figure") ?? cell).textContent.replaceAll(",", ""));
        const sum = figures.slice(1).reduce((left, right) => left + right, 0);
        return sum === figures[0] ? [] : [row.textContent];
      })
      """
    ),
    (
      "leads nowhere",
      """
      [...document.querySelectorAll("a")].map(link => link.getAttribute("href"))
        .filter(target => !document.getElementById(target.slice(1)))
      """
    ),
    (
      "scrolls sideways",
      "document.documentElement.scrollWidth > innerWidth ? [String(document.documentElement.scrollWidth)] : []"
    ),
    (
      "twice as an id",
      """
      [...document.querySelectorAll("[id]")].map(part => part.id).filter((id, index, all) => all.indexOf(id) !== index)
      """
    ),
    (
      "all ok beside violations",
      """
      [...document.querySelectorAll("table.ends tbody tr")].filter(row => /100\\s*% ok/.test(row.textContent))
        .map(row => row.textContent)
      """
    ),
  ]
}
