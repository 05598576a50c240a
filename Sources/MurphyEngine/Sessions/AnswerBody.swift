import MurphyJSON
import MurphyTransport

/// An answer's body as JSON, parsed when it is first asked for. Valid while the transfer is held, and until the parser
/// is told to forget.
struct AnswerBody {
  private let transfer: Transfer
  private let parser: TapeParser

  init(_ transfer: Transfer, parser: TapeParser) {
    self.transfer = transfer
    self.parser = parser
  }

  /// Whether it is JSON: in another body a query finds nothing, and that says nothing.
  var isJSON: Bool {
    if case .malformed = result { return false }
    return transfer.bodyBytes.count > 0
  }

  /// What the query finds; nothing in a body that is not JSON.
  func values(_ path: JSONPath) -> [JSONValue] {
    switch result {
    case .tape(let tape): path.values(in: tape)
    case .value(let value): path.values(in: value)
    case .malformed: []
    }
  }

  /// All of it; nil for what is not JSON.
  var value: JSONValue? {
    guard transfer.bodyBytes.count > 0 else { return nil }
    return switch result {
    case .tape(let tape): tape.value(at: tape.root)
    case .value(let value): value
    case .malformed: nil
    }
  }

  private var result: TapeResult { parser.parsed(transfer.bodyBytes) }
}
