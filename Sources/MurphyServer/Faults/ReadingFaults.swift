import Synchronization

/// The faults of what is read from the store, and of the ids that it gives out.
extension Fault {
  static let readingFaults = [
    Fault(
      "stale-reads", .state, on: .getLaw, "getLaw answers from a cache that is up to 3 s old", .readingFromReplica),
    Fault(
      "counts-go-back", .state, on: .getLaw, frequency: .oneIn(2),
      "getLaw answers in turn from the database and from a replica up to 3 s behind", .readingFromReplica),
    Fault(
      "stale-lists", .state, on: .listLaws, "listLaws shows counts that are up to 3 s old",
      Effect { server in
        let replica = LaggingReplica()
        server.override(\.list) { query, rest in
          var page = try await rest(query)
          page.laws = page.laws.map(replica.read)
          return page
        }
      }),
    Fault(
      "changing-law-of-day", .state, on: .getLawOfTheDay, "getLawOfTheDay features another law each time",
      .at(\.lawOfTheDay) { day, rest in try await rest("\(day) \(MonotonicClock.now())") }),
    Fault(
      "duplicates-across-pages", .state, on: .listLaws, "pages after the first begin one law too early",
      .at(\.list) { query, rest in
        var query = query
        query.offset = max(query.offset - 1, 0)
        return try await rest(query)
      }),
    Fault(
      "unsorted-list", .state, on: .listLaws, "listLaws returns the right laws in the wrong order",
      .at(\.list) { query, rest in
        var page = try await rest(query)
        let half = page.laws.count / 2
        page.laws = Array(page.laws.dropFirst(half) + page.laws.prefix(half))
        return page
      }),
    Fault(
      "filter-ignored", .state, on: .listLaws, "listLaws ignores category_id and attribution",
      .at(\.list) { query, rest in
        var query = query
        (query.categoryID, query.attribution) = (nil, nil)
        return try await rest(query)
      }),
    Fault(
      "shifting-total", .state, on: .listLaws, frequency: .oneIn(2), "listLaws sends another total each time",
      .at(\.list) { query, rest in
        var page = try await rest(query)
        page.total += 3
        return page
      }),
    Fault(
      "repeated-id", .state, on: .submitLaw, "submitLaw gives every submission the same id",
      .at(\.submit) { submission, rest in
        _ = try await rest(submission)
        return Catalogue.lawCount + 1
      }),
  ]
}

extension Effect {
  fileprivate static let readingFromReplica = Effect { server in
    let replica = LaggingReplica()
    server.override(\.law) { law, rest in replica.read(try await rest(law)) }
  }
}

/// A copy of the vote counts that is refreshed only when it is three seconds old.
private final class LaggingReplica: Sendable {
  private let copies = Mutex<[Int: (counts: VoteCounts, taken: Int64)]>([:])

  func read(_ law: Law) -> Law {
    let now = MonotonicClock.now()
    let counts = copies.withLock { copies in
      if let copy = copies[law.id], now - copy.taken < 3_000_000_000 { return copy.counts }
      let counts = VoteCounts(upvotes: law.upvotes, downvotes: law.downvotes)
      copies[law.id] = (counts, now)
      return counts
    }
    var law = law
    (law.upvotes, law.downvotes) = (counts.upvotes, counts.downvotes)
    return law
  }
}
