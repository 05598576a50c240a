import MurphyModel

/// Requests that were sent with one idempotency key: one write, whatever became of each of them.
struct Repeats {
  private var places: [Int32: Int] = [:]
  /// Writes that were sent more than once. What their answers show is of any of their moments.
  private(set) var repeated: Set<Int> = []

  /// The place of the write that a request repeats; nil for the first one with its key, which stands at `place`.
  mutating func first(_ exchange: StateExchange, at place: Int) -> Int? {
    guard exchange.once >= 0 else { return nil }
    guard let known = places[exchange.once] else {
      places[exchange.once] = place
      return nil
    }
    repeated.insert(known)
    return known
  }
}

extension Change {
  /// The same write, sent again: it takes effect once, after its first send and before its first accepting answer.
  mutating func merge(_ again: Change) {
    span.from = min(span.from, again.span.from)
    switch (isOptional, again.isOptional) {
    case (true, true): span.until = max(span.until, again.span.until)
    case (false, true): break
    case (false, false) where span.until <= again.span.until: break
    case (_, false): (span.until, isOptional, index) = (again.span.until, false, again.index)
    }
  }
}
