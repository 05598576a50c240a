import MurphyModel
import Yams

extension ScenarioReader {
  /// `2s`, `1s..4s`, `lognormal(3s, 0.8)` or `${…}`.
  func drawnDuration(_ node: Node?, _ what: String) -> DurationValue? {
    guard let node else { return nil }
    if node.scalarText?.contains("${") == true {
      return formula(node, what, bare: false).map { .computed($0) }
    }
    return quantity(node, what) { Distribution.read($0, unit: Quantity.duration) }.map { .drawn($0) }
  }

  /// `3`, `2..5`, `exponential(4)` or `${…}`.
  func drawnCount(_ node: Node?, _ what: String) -> CountValue? {
    guard let node else { return nil }
    if node.scalarText?.contains("${") == true {
      return formula(node, what, bare: false).map { .computed($0) }
    }
    guard let distribution = quantity(node, what, { Distribution.read($0, unit: Self.plainNumber) }) else { return nil }
    func whole(_ numbers: Double...) -> Bool {
      if numbers.allSatisfy({ $0 == $0.rounded() && $0 <= Double(CountValue.most) }) { return true }
      report("\(what) is a whole number up to \(CountValue.most); found \(found(node))", at: node)
      return false
    }
    switch distribution {
    case .constant(let count): return whole(count) ? .constant(Int(count)) : nil
    case .uniform(let low, let high): return whole(low, high) ? .uniform(Int(low)...Int(high)) : nil
    default: return .drawn(distribution)
    }
  }

  private static func plainNumber(_ text: String) -> Result<Double, Quantity.Mistake> {
    var rest = Substring(text)
    guard let number = Quantity.takeNumber(&rest), rest.isEmpty else {
      return .failure(Quantity.Mistake(message: "expected a number such as 3, a range such as 2..5, or ${…}"))
    }
    return .success(number)
  }
}
