import MurphyDocument
import MurphyJSON
import MurphyModel

extension ScenarioReader {
  func text(_ node: MarkedValue?, _ what: String) -> String? {
    guard let node else { return nil }
    guard let text = node.scalarText, node.scalarValue != .null else {
      report("\(what) is a text; found \(node.kindName)", at: node)
      return nil
    }
    return text
  }

  func boolean(_ node: MarkedValue?, _ what: String) -> Bool? {
    guard let node else { return nil }
    guard case .bool(let value)? = node.scalarValue else {
      report("\(what) is true or false; found \(found(node))", at: node)
      return nil
    }
    return value
  }

  func whole(_ node: MarkedValue?, _ what: String, _ range: ClosedRange<Int>) -> Int? {
    guard let node else { return nil }
    guard let number = node.scalarValue?.int, range.contains(number) else {
      let bounds =
        range.upperBound == Int.max ? "from \(range.lowerBound)" : "from \(range.lowerBound) to \(range.upperBound)"
      report("\(what) is a whole number \(bounds); found \(found(node))", at: node)
      return nil
    }
    return number
  }

  func share(_ node: MarkedValue?, _ what: String) -> Double? {
    guard let node else { return nil }
    guard let share = node.scalarValue?.double, share > 0, share.isFinite else {
      report("\(what) is a positive number; found \(found(node))", at: node)
      return nil
    }
    return share
  }

  /// One of the names of an enumeration.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ node: MarkedValue?, _ what: String, _ type: Choice.Type
  ) -> Choice? where Choice.RawValue == String {
    known(node, among: Choice.allCases.map(\.rawValue), what).flatMap { Choice(rawValue: $0) }
  }

  /// A text that is one of some names.
  func known(_ node: MarkedValue?, among names: [String], _ what: String) -> String? {
    guard let node else { return nil }
    if let text = node.scalarText, names.contains(text) { return text }
    report(
      "\(what) is one of \(names.joined(separator: ", ")); found \(found(node))"
        + suggestion(node.scalarText ?? "", names), at: node)
    return nil
  }

  func duration(_ node: MarkedValue?, _ what: String, positive: Bool = false) -> Duration? {
    guard let seconds = quantity(node, what, Quantity.duration), let node else { return nil }
    guard !positive || seconds > 0 else {
      report("\(what) is longer than 0s", at: node)
      return nil
    }
    guard seconds <= 366 * 86_400 else {
      report("\(what) is at most a year", at: node)
      return nil
    }
    return .nanoseconds(Int64(saturating: (seconds * 1e9).rounded()))
  }

  func rate(_ node: MarkedValue?, _ what: String) -> Rate? {
    quantity(node, what, Quantity.rate).map { Rate(perSecond: $0) }
  }

  func percentage(_ node: MarkedValue?, _ what: String) -> Double? { quantity(node, what, Quantity.share) }

  func size(_ node: MarkedValue?, _ what: String) -> ByteCount? { quantity(node, what, Quantity.size) }

  /// A number with its unit.
  func quantity<Value>(
    _ node: MarkedValue?, _ what: String, _ read: (String) -> Result<Value, Quantity.Mistake>
  ) -> Value? {
    guard let node else { return nil }
    guard let text = node.scalarText, !text.isEmpty else {
      report("\(what) is a number with a unit; found \(node.kindName)", at: node)
      return nil
    }
    switch read(text) {
    case .success(let value): return value
    case .failure(let mistake):
      report("\(what): \(mistake.message); found \(found(node))", at: node)
      return nil
    }
  }

  /// `"20"` for a scalar, `a list` for anything else.
  func found(_ node: MarkedValue) -> String {
    guard let text = node.scalarText, node.scalarValue != .null else { return node.kindName }
    return "\"\(text.count > 60 ? text.prefix(60) + "…" : text)\""
  }
}
