import Synchronization

/// The faults of responses that are well formed, but inconsistent with the request or with another response.
extension Fault {
  static let collectionFaults = [
    Fault(
      "order-ignored", .relation, on: .listLaws, "listLaws always sorts by id and ignores sort and order",
      .before(\.laws.list) { ($0.sort, $0.ascending) = (.id, true) }),
    Fault(
      "direction-ignored", .relation, on: .listLaws, "listLaws always sorts in descending order",
      .before(\.laws.list) { $0.ascending = false }),
    Fault(
      "filter-dropped", .relation, on: .listLaws, frequency: .oneIn(3),
      "listLaws ignores category_id in one request in 3", .before(\.laws.list) { $0.categoryID = nil }),
    Fault(
      "total-ignores-filter", .relation, on: .listLaws, "the total of listLaws ignores the filters",
      .at(\.laws.list) { query, rest in
        var page = try await rest(query)
        if query.categoryID != nil || query.attribution != nil || !query.text.isEmpty {
          page.total = try await rest(LawQuery()).total
        }
        return page
      }),
    Fault(
      "page-repeats-rows", .relation, on: .listLaws, frequency: .oneIn(3),
      "one page in 3 repeats the last law of the previous page",
      .before(\.laws.list) { $0.offset = max($0.offset - 1, 0) }),
    Fault(
      "page-skips-rows", .relation, on: .listLaws, "pages after the first skip one law",
      .before(\.laws.list) { if $0.offset > 0 { $0.offset += 1 } }),
    Fault(
      "page-ends-early", .relation, on: .listLaws, "pages after the twentieth law are empty",
      .after(\.laws.list) { query, page in if query.offset > 20 { page.laws = [] } }),
    Fault(
      "one-too-many", .relation, on: .listLaws, "pages have one law more than the limit",
      .before(\.laws.list) { $0.limit += 1 }),
    Fault(
      "offset-not-echoed", .relation, on: .listLaws, "listLaws always reports offset 0",
      .body { $0.set("offset", to: "0") }),
    Fault(
      "wrong-law-under-id", .relation, on: .getLaw, frequency: .oneIn(5),
      "getLaw returns the previously requested law for one request in 5",
      .at(\.laws.law, keeping: Mutex<Law?>(nil)) { last, law, rest in
        let law = try await rest(law)
        return last.withLock { last in
          defer { last = law }
          return last ?? law
        }
      }),
    Fault(
      "total-wavers", .relation, on: .listLaws, frequency: .oneIn(8),
      "the total of listLaws is one too high in one request in 8",
      .after(\.laws.list) { $1.total += 1 }),
    Fault(
      "list-shows-old", .relation, on: .listLaws, frequency: .oneIn(3),
      "listLaws sends counts without the last vote in one request in 3",
      .after(\.laws.list) { _, page in
        for index in page.laws.indices { page.laws[index].upvotes = max(page.laws[index].upvotes - 1, 0) }
      }),
    Fault(
      "answers-exchanged", .relation, on: .getLaw,
      "getLaw swaps the laws of two concurrent requests",
      .at(\.laws.law, keeping: Meeting()) { meeting, law, rest in await meeting.exchange(try await rest(law)) }),
  ]
}

/// The meeting point of concurrent requests: the second one takes the first one's law, and leaves its own.
private final class Meeting: Sendable {
  private final class Seat: Sendable {
    let law: Law
    let taken = Mutex<Law?>(nil)
    init(_ law: Law) { self.law = law }
  }

  private let waiting = Mutex<Seat?>(nil)
  /// The time for which a request waits for another one.
  private static let patience = Duration.milliseconds(4)

  func exchange(_ law: Law) async -> Law {
    let own = Seat(law)
    let other = waiting.withLock { waiting -> Seat? in
      defer { waiting = waiting == nil ? own : nil }
      return waiting
    }
    if let other {
      other.taken.withLock { $0 = law }
      return other.law
    }
    try? await Task.sleep(for: Self.patience)
    waiting.withLock { waiting in
      if waiting === own { waiting = nil }
    }
    return own.taken.withLock { $0 } ?? law
  }
}

/// The faults of data read from the store, and of the ids that it assigns.
extension Fault {
  static let readingFaults = [
    Fault(
      "stale-reads", .state, on: .getLaw, "getLaw reads from a cache that is up to 3 s old", .readingFromReplica),
    Fault(
      "counts-go-back", .state, on: .getLaw, frequency: .oneIn(2),
      "getLaw reads alternately from the database and from a replica up to 3 s behind", .readingFromReplica),
    Fault(
      "stale-lists", .state, on: .listLaws, "listLaws shows counts that are up to 3 s old",
      .at(\.laws.list, keeping: LaggingCounts()) { replica, query, rest in
        var page = try await rest(query)
        page.laws = page.laws.map(replica.read)
        return page
      }),
    Fault(
      "changing-law-of-day", .state, on: .getLawOfTheDay, "getLawOfTheDay sends a different law each time",
      .at(\.laws.lawOfTheDay) { day, rest in try await rest("\(day) \(MonotonicClock.now())") }),
    Fault(
      "duplicates-across-pages", .state, on: .listLaws, "pages after the first repeat one law",
      .before(\.laws.list) { query in query.offset = max(query.offset - 1, 0) }),
    Fault(
      "unsorted-list", .state, on: .listLaws, "listLaws returns the right laws in the wrong order",
      .after(\.laws.list) { _, page in
        let half = page.laws.count / 2
        page.laws = Array(page.laws.dropFirst(half) + page.laws.prefix(half))
      }),
    Fault(
      "filter-ignored", .state, on: .listLaws, "listLaws ignores category_id and attribution",
      .before(\.laws.list) { query in (query.categoryID, query.attribution) = (nil, nil) }),
    Fault(
      "shifting-total", .state, on: .listLaws, frequency: .oneIn(2), "listLaws sends a different total each time",
      .after(\.laws.list) { _, page in page.total += 3 }),
    Fault(
      "repeated-id", .state, on: .submitLaw, "submitLaw gives every submission the same id",
      .at(\.laws.submit) { submission, rest in
        _ = try await rest(submission)
        return Catalogue.lawCount + 1
      }),
  ]
}

extension Effect {
  fileprivate static let readingFromReplica = Effect.at(\.laws.law, keeping: LaggingCounts()) { replica, law, rest in
    replica.read(try await rest(law))
  }
}

/// A copy of the vote counts that is refreshed only after three seconds.
private struct LaggingCounts: Sendable {
  private let copies = LaggingCopies<Int, VoteCounts>(age: .milliseconds(3000))

  func read(_ law: Law) -> Law {
    let counts = copies.read(law.id, VoteCounts(upvotes: law.upvotes, downvotes: law.downvotes))
    var law = law
    (law.upvotes, law.downvotes) = (counts.upvotes, counts.downvotes)
    return law
  }
}
