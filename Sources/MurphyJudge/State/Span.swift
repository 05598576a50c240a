import MurphyModel

/// The possible time of an exchange's effect: one time between both ends. Nanoseconds since the load began.
package struct Span: Sendable, Hashable {
  /// Nanoseconds since the load began.
  package var from: Int64
  /// Nanoseconds since the load began.
  package var until: Int64

  package init(_ from: Int64, _ until: Int64) {
    self.from = from
    self.until = until
  }

  /// The end is unknown.
  package static let forever = Int64.max
  /// The beginning is unknown.
  package static let always = Int64.min
}

/// A change of a key, from the client's observations.
package struct Change: Sendable, Hashable {
  /// The possible time of its effect.
  package var span: Span
  /// True if it may never have taken effect.
  package var isOptional: Bool
  /// The index of the exchange in the log.
  package var index: Int

  package init(_ span: Span, isOptional: Bool = false, index: Int) {
    self.span = span
    self.isOptional = isOptional
    self.index = index
  }
}

/// The value of a key in a response, and the possible time of that value.
package struct Sighting<Value: Sendable>: Sendable {
  /// The possible time of the value.
  package var span: Span
  package var value: Value
  /// The index of the exchange in the log.
  package var index: Int

  package init(_ span: Span, value: Value, index: Int) {
    self.span = span
    self.value = value
    self.index = index
  }
}

/// Requests with one idempotency key: one write, with any results.
struct Repeats {
  private var places: [Int32: Int] = [:]
  /// Writes that were sent more than once. Their responses may show any of their times.
  private(set) var repeated: Set<Int> = []

  /// The index of the write that a request repeats; nil for the first one with its key, whose index is `place`.
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
  /// The same write, sent again: it takes effect once, after its first send and before its first accepting response.
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
