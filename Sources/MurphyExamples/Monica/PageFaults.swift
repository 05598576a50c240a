import MurphyServer

/// The faults of lists.
extension Fault {
  static let pageFaults = [
    Fault(
      "page-repeats-rows", .state, on: .listContacts,
      "pages after the first repeat the last contact of the previous page",
      .before(\.monica.contacts) { query in if query.page > 1 { query.shift = -1 } }),
    Fault(
      "page-skips-rows", .state, on: .listContacts, "pages after the first skip one contact",
      .before(\.monica.contacts) { query in if query.page > 1 { query.shift = 1 } }),
    Fault(
      "page-too-long", .state, on: .listContacts, "pages have one contact more than the limit",
      .before(\.monica.contacts) { query in query.limit += 1 }),
    Fault(
      "query-ignored", .state, on: .listContacts, "listContacts ignores query",
      .before(\.monica.contacts) { $0.text = nil }),
    Fault(
      "long-query-cut", .state, on: .listContacts,
      "listContacts uses only the first letter of a query with more than four letters",
      .before(\.monica.contacts) { query in
        if let text = query.text, text.count > 4 { query.text = String(text.prefix(1)) }
      }),
    Fault(
      "total-ignores-query", .state, on: .listContacts, "the total of a search counts all contacts",
      .after(\.monica.contacts) { _, found in found.total = MonicaStore.contactCount }),
    Fault(
      "total-shifts", .state, on: .listContacts, frequency: .oneIn(2), "one total in 2 is three too high",
      .after(\.monica.contacts) { _, found in found.total += 3 }),
    Fault(
      "order-ignored", .state, on: .listContacts, "listContacts ignores sort",
      .before(\.monica.contacts) { query in (query.sort, query.isDescending) = (.createdAt, false) }),
    Fault(
      "order-direction-ignored", .state, on: .listContacts, "listContacts always sorts in ascending order",
      .before(\.monica.contacts) { $0.isDescending = false }),
    Fault(
      "pages-mixed-up", .state, on: .listContacts, "requests for pages within 10 ms get the same contacts",
      .mixingUp(\.monica.contacts)),
    Fault(
      "items-of-another", .state, on: .listContactNotes, "listContactNotes lists the notes of the next contact",
      .before(\.monica.items) { query in query.contact = query.contact.map { $0 % MonicaStore.contactCount + 1 } }),
    Fault(
      "task-twice", .state, on: .listContactTasks, "listContactTasks lists the first task twice",
      .after(\.monica.items) { _, found in if let first = found.items.first { found.items.append(first) } }),
    Fault(
      "page-number-wrong", .state, on: .listContacts, "current_page is always 1",
      .after(\.monica.frame) { $1.currentPage = 1 }),
    Fault(
      "per-page-wrong", .state, on: .listContacts, "per_page is always 10", .after(\.monica.frame) { $1.perPage = 10 }),
    Fault(
      "last-page-wrong", .state, on: .listContacts, "last_page is one too low",
      .after(\.monica.frame) { $1.lastPage = max($1.lastPage - 1, 1) }),
    Fault(
      "next-missing", .state, on: .listContacts, "links.next is null although there are more pages",
      .after(\.monica.frame) { $1.next = nil }),
    Fault(
      "next-loops", .state, on: .listContacts, "links.next leads to the same page",
      .after(\.monica.frame) { $1.next = $1.currentPage }
    ),
    Fault("slow-search", .latency, on: .listContacts, "listContacts takes 600 ms longer", .delay(milliseconds: 600)),
  ]
}
