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

extension Int64 {
  /// Never beyond ``Span/forever``, which stays itself.
  func later(by nanoseconds: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(nanoseconds)
    return overflow ? (nanoseconds < 0 ? .min : .max) : sum
  }
}
