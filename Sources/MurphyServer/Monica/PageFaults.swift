/// The faults of lists.
extension Fault {
  static let pageFaults = [
    Fault(
      "page-repeats-rows", .state, on: .listContacts,
      "pages after the first begin with the last contact of the one before",
      .asking { query in if query.page > 1 { query.shift = -1 } }),
    Fault(
      "page-skips-rows", .state, on: .listContacts, "pages after the first begin one contact too late",
      .asking { query in if query.page > 1 { query.shift = 1 } }),
    Fault(
      "page-too-long", .state, on: .listContacts, "pages have one contact more than asked for",
      .asking { query in query.limit += 1 }),
    Fault(
      "query-ignored", .state, on: .listContacts, "listContacts ignores query", .asking { $0.text = nil }),
    Fault(
      "total-ignores-query", .state, on: .listContacts, "the total of a search is that of all contacts",
      .found { found, _ in found.total = MonicaStore.contactCount }),
    Fault(
      "total-shifts", .state, on: .listContacts, frequency: .oneIn(2), "one total in 2 is three too high",
      .found { found, _ in found.total += 3 }),
    Fault(
      "order-ignored", .state, on: .listContacts, "listContacts ignores sort",
      .asking { query in (query.sort, query.isDescending) = (.createdAt, false) }),
    Fault(
      "order-direction-ignored", .state, on: .listContacts, "listContacts sorts upwards whatever is asked for",
      .asking { $0.isDescending = false }),
    Fault(
      "pages-mixed-up", .state, on: .listContacts, "requests for pages that meet within 10 ms get the same contacts",
      Effect { server in
        let variable = SharedVariable<FoundPage<Contact>>()
        server.override(\.monica.contacts) { query, rest in
          try await variable.exchange(try await rest(query), waiting: 10)
        }
      }),
    Fault(
      "items-of-another", .state, on: .listContactNotes, "listContactNotes lists the notes of the next contact",
      .at(\.monica.items) { query, rest in
        var query = query
        query.contact = query.contact.map { $0 % MonicaStore.contactCount + 1 }
        return try await rest(query)
      }),
    Fault(
      "task-twice", .state, on: .listContactTasks, "listContactTasks lists the first task twice",
      .at(\.monica.items) { query, rest in
        var found = try await rest(query)
        if let first = found.items.first { found.items.append(first) }
        return found
      }),
    Fault(
      "page-number-wrong", .state, on: .listContacts, "current_page is always 1", .framed { $0.currentPage = 1 }),
    Fault(
      "per-page-wrong", .state, on: .listContacts, "per_page is always 10", .framed { $0.perPage = 10 }),
    Fault(
      "last-page-wrong", .state, on: .listContacts, "last_page is one too low",
      .framed { $0.lastPage = max($0.lastPage - 1, 1) }),
    Fault(
      "next-missing", .state, on: .listContacts, "links.next is null though there are more pages",
      .framed { $0.next = nil }),
    Fault(
      "next-loops", .state, on: .listContacts, "links.next leads to the same page", .framed { $0.next = $0.currentPage }
    ),
    Fault("slow-search", .latency, on: .listContacts, "listContacts takes 600 ms longer", .delay(milliseconds: 600)),
  ]
}

extension Effect {
  /// Asks the store for something else.
  fileprivate static func asking(_ change: @escaping @Sendable (inout PageQuery) -> Void) -> Effect {
    .at(\.monica.contacts) { query, rest in
      var query = query
      change(&query)
      return try await rest(query)
    }
  }

  /// Changes the page that the store has found.
  fileprivate static func found(_ change: @escaping @Sendable (inout FoundPage<Contact>, PageQuery) -> Void) -> Effect {
    .at(\.monica.contacts) { query, rest in
      var found = try await rest(query)
      change(&found, query)
      return found
    }
  }

  /// Changes what the answer says of its page.
  fileprivate static func framed(_ change: @escaping @Sendable (inout PageFrame) -> Void) -> Effect {
    .at(\.monica.frame) { frame, rest in
      var frame = try await rest(frame)
      change(&frame)
      return frame
    }
  }
}
