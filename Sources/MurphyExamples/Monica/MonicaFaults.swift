import HTTPTypes
import MurphyServer

/// The faults of single contacts, and those that change a finished response.
extension Fault {
  static let contactFaults = [
    Fault(
      "another-contact-under-id", .state, on: .getContact, frequency: .oneIn(3),
      "one getContact in 3 sends the next contact",
      .at(\.monica.contact) { id, rest in try await rest(id % MonicaStore.contactCount + 1) }),
    Fault(
      "contacts-mixed-up", .state, on: .getContact, "requests within 10 ms get the same contact",
      .at(\.monica.contact, keeping: SharedVariable<Contact>()) { variable, id, rest in
        guard let contact = try await rest(id) else { return nil }
        return try await variable.exchange(contact, waiting: .milliseconds(10))
      }),
    Fault(
      "contact-differs-from-list", .state, on: .getContact, "getContact sends no nickname, although listContacts does",
      .after(\.monica.contact) { _, contact in
        contact?.name.nickname = nil
        let last = contact?.name.last?.uppercased()
        contact?.name.last = last
      }),
    Fault(
      "counts-wrong", .state, on: .getContact, "number_of_notes is one too high",
      .after(\.monica.contact) { _, contact in contact?.notes += 1 }),
    Fault(
      "contact-changes", .state, on: .getContact, frequency: .oneIn(2),
      "is_starred is inverted every second time",
      .after(\.monica.contact) { _, contact in contact?.isStarred.toggle() }),
  ]

  static let monicaContractFaults = [
    Fault(
      "contact-without-initials", .contract, on: .getContact, "getContact omits initials",
      .body { $0.remove("initials") }),
    Fault(
      "id-as-text", .contract, on: .listContacts, "listContacts sends ids as strings",
      .body { $0.change("id") { "\"\($0)\"" } }),
    Fault(
      "starred-as-number", .contract, on: .listContacts, "listContacts sends is_starred as 0 or 1",
      .body { $0.change("is_starred") { $0 == "true" ? "1" : "0" } }),
    Fault(
      "bad-gender-type", .contract, on: .getContact, "getContact sends gender_type \"X\"",
      .body { $0.set("gender_type", to: "\"X\"") }),
    Fault(
      "date-with-space", .contract, on: .listContactNotes, "listContactNotes sends created_at with a space",
      .body { $0.change("created_at") { $0.replacing("T", with: " ") } }),
    Fault(
      "first-link-null", .contract, on: .listContacts, "links.first is null", .body { $0.set("first", to: "null") }),
    Fault(
      "meta-missing", .contract, on: .listTags, "listTags omits meta", .body { $0.remove("meta") }),
    Fault(
      "bare-array", .contract, on: .listContactGifts, "listContactGifts sends data as an object",
      .body { $0.changeBytes("data") { _ in Array("{}".utf8) } }),
    Fault(
      "rate-headers-missing", .contract, on: .getContact, "getContact omits X-RateLimit-Remaining",
      .response { $0.headers[remaining] = nil }),
    Fault(
      "unauthorized-as-500", .contract, "a request without a token gets status 500",
      .leaving(.unauthorized) { response in response = .internalError("Call to a member function on null") }),
    Fault(
      "not-found-as-html", .contract, on: .getContact, "the response for a missing contact is an HTML page",
      .leaving(.notFound) { response in response = .html(.notFound, title: "404 Not Found") }),
    Fault(
      "error-without-code", .contract, "errors omit error_code",
      .after(\.error) { _, response in response.change { $0.remove("error_code") } }),
  ]

  private static let remaining = HTTPField.Name("X-RateLimit-Remaining")!
}

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
      "next-loops", .state, on: .listContacts, "links.next points to the same page",
      .after(\.monica.frame) { $1.next = $1.currentPage }
    ),
    Fault("slow-search", .latency, on: .listContacts, "listContacts takes 600 ms longer", .delay(.milliseconds(600))),
  ]
}
