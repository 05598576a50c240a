import MurphyModel

/// The log of one key that is read, written and removed as a whole.
package struct RegisterHistory: Sendable {
  /// A value by its number; ``absent`` for none.
  package typealias Value = Int32
  /// The value of a resource that does not exist.
  package static let absent: Value = -1
  /// The value before the log begins.
  package static let initial: Value = -2

  /// A write or a removal.
  package struct Write: Sendable {
    package var change: Change
    /// ``absent`` for a removal.
    package var value: Value

    package init(_ change: Change, value: Value) {
      self.change = change
      self.value = value
    }
  }

  package typealias Read = Sighting<Value>

  package var writes: [Write] = []
  package var reads: [Read] = []

  package init() {}
}

extension RegisterHistory {
  init(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) {
    for index in indices {
      let exchange = log.exchanges[index]
      switch exchange.role {
      case .write, .create, .delete:
        guard let change = terms.change(exchange, index: index) else { continue }
        writes.append(Write(change, value: exchange.role == .delete ? Self.absent : exchange.c))
      case .read:
        reads.append(Read(terms.view(exchange), value: exchange.c, index: index))
      default: break
      }
    }
  }

  /// The value of the first read that no write of this run explains: it existed before.
  ///
  /// - Returns: ``initial`` without a read of it.
  func before() -> Value {
    var begun: [Value: Int64] = [:]
    for write in writes { begun[write.value] = min(begun[write.value] ?? .max, write.change.span.from) }
    let firstEnd = firstEnd
    return reads.filter { $0.span.from <= firstEnd && begun[$0.value] ?? .max > $0.span.until }
      .min { $0.span.until < $1.span.until }?.value ?? Self.initial
  }

  /// Removes the reads that may show the value before the log.
  mutating func dropEarlyReads() {
    let firstEnd = firstEnd
    reads.removeAll { $0.span.from <= firstEnd }
  }

  private var firstEnd: Int64 {
    writes.lazy.filter { !$0.change.isOptional }.map(\.change.span.until).min() ?? .max
  }
}
