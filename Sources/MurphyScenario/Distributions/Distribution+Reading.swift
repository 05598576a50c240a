import MurphyModel

extension Distribution {
  /// The distributions by name and how they are written.
  static let forms: [(name: String, usage: String)] = [
    ("uniform", "uniform(low, high)"), ("normal", "normal(mean, deviation)"), ("exponential", "exponential(mean)"),
    ("lognormal", "lognormal(median, sigma)"), ("pareto", "pareto(minimum, shape)"),
  ]

  /// `2s`, `1s..4s`, `normal(2s, 500ms)` …
  ///
  /// - Parameter unit: reads one quantity; the pure numbers sigma and shape are not read by it.
  static func read(
    _ text: String, unit: (String) -> Result<Double, Quantity.Mistake>
  ) -> Result<Distribution, Quantity.Mistake> {
    if let dots = text.range(of: "..") {
      let ends = (String(text[..<dots.lowerBound]).trimmingBlanks(), String(text[dots.upperBound...]).trimmingBlanks())
      return unit(ends.0).flatMap { low in unit(ends.1).flatMap { range(low, $0, text, ends) } }
    }
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return unit(text).map { .constant($0) } }
    let name = String(text[..<open]).trimmingBlanks()
    guard let form = forms.first(where: { $0.name == name }) else {
      let hint = nearestName(to: name, among: forms.map(\.name)).map { ". Did you mean \"\($0)\"?" } ?? ""
      return .failure(
        Quantity.Mistake(
          message:
            "unknown distribution \"\(name)\"\(hint.isEmpty ? "; known are \(forms.map(\.name).joined(separator: ", "))" : hint)"
        ))
    }
    let inner = text[text.index(after: open)...].dropLast()
    let arguments = inner.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmingBlanks() }
    guard arguments.count == (name == "exponential" ? 1 : 2) else {
      return .failure(Quantity.Mistake(message: "\(name) is written \(form.usage)"))
    }
    return make(name, arguments, unit)
  }

  private static func range(
    _ low: Double, _ high: Double, _ text: String, _ ends: (String, String)
  ) -> Result<Distribution, Quantity.Mistake> {
    low <= high
      ? .success(low == high ? .constant(low) : .uniform(low, high))
      : .failure(Quantity.Mistake(message: "\(text) runs backwards; write \(ends.1)..\(ends.0)"))
  }

  private static func make(
    _ name: String, _ arguments: [String], _ unit: (String) -> Result<Double, Quantity.Mistake>
  ) -> Result<Distribution, Quantity.Mistake> {
    func positive(_ text: String, _ what: String) -> Result<Double, Quantity.Mistake> {
      guard let value = Double(text), value > 0, value.isFinite else {
        return .failure(Quantity.Mistake(message: "\(what) of \(name) is a positive number; found \"\(text)\""))
      }
      return .success(value)
    }
    return unit(arguments[0]).flatMap { first in
      switch name {
      case "uniform":
        unit(arguments[1]).flatMap { range(first, $0, arguments.joined(separator: ".."), (arguments[0], arguments[1])) }
      case "normal": unit(arguments[1]).map { .normal(mean: first, deviation: $0) }
      case "lognormal": positive(arguments[1], "sigma").map { .lognormal(median: first, sigma: $0) }
      case "pareto": positive(arguments[1], "the shape").map { .pareto(minimum: first, shape: $0) }
      default: .success(.exponential(mean: first))
      }
    }
  }
}
