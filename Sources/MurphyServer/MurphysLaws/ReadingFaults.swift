/// The faults of data read from the store, and of the ids that it assigns.
extension Fault {
  static let readingFaults = [
    Fault(
      "stale-reads", .state, on: .getLaw, "getLaw answers from a cache that is up to 3 s old", .readingFromReplica),
    Fault(
      "counts-go-back", .state, on: .getLaw, frequency: .oneIn(2),
      "getLaw answers alternately from the database and from a replica up to 3 s behind", .readingFromReplica),
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
  private let copies = LaggingCopies<Int, VoteCounts>(milliseconds: 3000)

  func read(_ law: Law) -> Law {
    let counts = copies.read(law.id, VoteCounts(upvotes: law.upvotes, downvotes: law.downvotes))
    var law = law
    (law.upvotes, law.downvotes) = (counts.upvotes, counts.downvotes)
    return law
  }
}
