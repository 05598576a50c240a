import MurphyModel

/// When an exchange can have had its effect: at one moment between both ends. Nanoseconds since the load began.
package struct Span: Sendable, Hashable {
  package var from: Int64
  package var until: Int64

  package init(_ from: Int64, _ until: Int64) {
    self.from = from
    self.until = until
  }

  /// No end is known.
  package static let forever = Int64.max
  package static let always = Int64.min
}

/// A change of a key as the client knows it.
package struct Change: Sendable, Hashable {
  package var span: Span
  /// Whether it may never have happened.
  package var isOptional: Bool
  /// The exchange's place in the log.
  package var index: Int

  package init(_ span: Span, isOptional: Bool = false, index: Int) {
    self.span = span
    self.isOptional = isOptional
    self.index = index
  }
}

/// What an answer shows of a key, and when the key can have been so.
package struct Sighting<Value: Sendable>: Sendable {
  package var span: Span
  package var value: Value
  /// The exchange's place in the log.
  package var index: Int

  package init(_ span: Span, value: Value, index: Int) {
    self.span = span
    self.value = value
    self.index = index
  }
}

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
