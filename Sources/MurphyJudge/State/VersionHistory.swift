import MurphyModel

/// The log of one key with optimistic concurrency: each accepted push increases its version by one.
package struct VersionHistory: Sendable {
  /// A write that is based on a version.
  package struct Push: Sendable {
    package var change: Change
    /// The version that the client had read.
    package var based: Int64
    /// Nil for a push without a response.
    package var given: Int64?
    /// -1 where none was sent or read.
    package var content: Int32

    package init(_ change: Change, based: Int64, given: Int64?, content: Int32) {
      self.change = change
      self.based = based
      self.given = given
      self.content = content
    }
  }

  /// A response that shows a version; also the body of a rejection.
  package struct View: Sendable {
    /// The possible time of the version.
    package var span: Span
    package var version: Int64
    /// A number that represents the content.
    package var content: Int32
    /// The exchange's index in the log.
    package var index: Int

    package init(_ span: Span, version: Int64, content: Int32, index: Int) {
      self.span = span
      self.version = version
      self.content = content
      self.index = index
    }
  }

  /// The base version of a push that was rejected although it may have been current.
  package typealias Refusal = Sighting<Int64>

  package var pushes: [Push] = []
  package var views: [View] = []
  package var refusals: [Refusal] = []

  package init() {}
}

extension VersionHistory {
  init(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) {
    for index in indices {
      let exchange = log.exchanges[index]
      switch exchange.role {
      case .write:
        guard let based = exchange.value(\.a) else { continue }
        if let change = terms.change(exchange, index: index) {
          pushes.append(Push(change, based: based, given: exchange.value(\.b), content: exchange.c))
        } else if exchange.status == 409 || exchange.status == 412 {
          refusals.append(Refusal(Span(exchange.sent, exchange.answered), value: based, index: index))
        }
      case .read, .conflict:
        guard let version = exchange.value(\.a) else { continue }
        views.append(View(terms.view(exchange), version: version, content: exchange.c, index: index))
      default: break
      }
    }
  }
}
