import MurphyModel

/// Reads the formula of `holds:`; its grammar stands at ``StateFormula``.
struct StateFormulaParser {
  private var scanner: StateFormulaScanner
  private var depth = 0
  private static let deepest = 50

  /// Places in a request whose numbers it adds up.
  private(set) var fields: [StateSource] = []
  /// Conditions on a request.
  private(set) var matches: [StateMatch] = []
  private(set) var condition = StateCondition.test(.number(0), .equal, .number(0))

  init(_ text: String) throws(StateText.Mistake) {
    scanner = try StateFormulaScanner(text)
    condition = try either()
    guard scanner.token == .end else { throw unexpected("\"and\", \"or\" or the end") }
  }

  private mutating func take(_ token: StateFormulaScanner.Token) throws(StateText.Mistake) -> Bool {
    guard scanner.token == token else { return false }
    try scanner.advance()
    return true
  }

  private mutating func demand(_ sign: String) throws(StateText.Mistake) {
    guard try take(.sign(sign)) else { throw unexpected("\"\(sign)\"") }
  }

  private func unexpected(_ expected: String) -> StateText.Mistake {
    StateText.Mistake(message: "expected \(expected)", offset: scanner.offset)
  }

  private mutating func descend() throws(StateText.Mistake) {
    depth += 1
    if depth > Self.deepest {
      throw StateText.Mistake(message: "more than \(Self.deepest) levels of nesting", offset: scanner.offset)
    }
  }

  private mutating func either() throws(StateText.Mistake) -> StateCondition {
    try descend()
    defer { depth -= 1 }
    var left = try both()
    while try take(.word("or")) { left = .either(left, try both()) }
    return left
  }

  private mutating func both() throws(StateText.Mistake) -> StateCondition {
    var left = try negation()
    while try take(.word("and")) { left = .both(left, try negation()) }
    return left
  }

  private mutating func negation() throws(StateText.Mistake) -> StateCondition {
    try descend()
    defer { depth -= 1 }
    if try take(.word("not")) { return .not(try negation()) }
    // A bracket may hold a condition or a sum: the sum is tried first.
    let (start, depth) = (scanner, depth)
    do {
      return try test()
    } catch {
      guard start.token == .sign("(") else { throw error }
      (scanner, self.depth) = (start, depth)
      try scanner.advance()
      let inner = try either()
      guard try take(.sign(")")) else { throw error }
      return inner
    }
  }

  private mutating func test() throws(StateText.Mistake) -> StateCondition {
    let left = try sum()
    guard case .sign(let sign) = scanner.token, let comparison = StateCondition.Comparison(rawValue: sign) else {
      throw unexpected("a comparison: \(StateCondition.Comparison.allCases.map(\.rawValue).joined(separator: " "))")
    }
    try scanner.advance()
    return .test(left, comparison, try sum())
  }

  private mutating func sum() throws(StateText.Mistake) -> StateFormula {
    try descend()
    defer { depth -= 1 }
    var left = try product()
    while true {
      if try take(.sign("+")) {
        left = .sum(left, try product())
      } else if try take(.sign("-")) {
        left = .difference(left, try product())
      } else {
        return left
      }
    }
  }

  private mutating func product() throws(StateText.Mistake) -> StateFormula {
    var left = try unit()
    while try take(.sign("*")) { left = .product(left, try unit()) }
    return left
  }

  private mutating func unit() throws(StateText.Mistake) -> StateFormula {
    let offset = scanner.offset
    switch scanner.token {
    case .number(let number):
      try scanner.advance()
      return .number(number)
    case .sign("("):
      try scanner.advance()
      let inner = try sum()
      try demand(")")
      return inner
    case .word(let word):
      try scanner.advance()
      switch word {
      case "min", "max": return try extreme(isLeast: word == "min")
      case "count", "sum": return try aggregate(isSum: word == "sum")
      default: return try term(word, offset)
      }
    default: throw unexpected("a number, read.NAME, accepted.before, sum( or a bracket")
    }
  }

  private mutating func extreme(isLeast: Bool) throws(StateText.Mistake) -> StateFormula {
    try demand("(")
    let left = try sum()
    try demand(",")
    let right = try sum()
    try demand(")")
    return isLeast ? .least(left, right) : .greatest(left, right)
  }

  /// `sum(SET.TIME, PLACE [, MATCH])` or `count(SET.TIME, MATCH)`
  private mutating func aggregate(isSum: Bool) throws(StateText.Mistake) -> StateFormula {
    try demand("(")
    let offset = scanner.offset
    guard case .word(let word) = scanner.token else { throw unexpected("accepted.before, or another set of writes") }
    try scanner.advance()
    guard case .count(let outcomes, let when, _) = try term(word, offset) else {
      throw StateText.Mistake(message: "\(word) is not a set of writes, as accepted.before is", offset: offset)
    }
    try demand(",")
    var (field, match): (Int?, Int?)
    var hasMatch = true
    if isSum {
      let source = try text { text throws(StateText.Mistake) in try StateText.source(text) }
      field = Self.number(of: source, in: &fields)
      hasMatch = try take(.sign(","))
    }
    if hasMatch {
      let condition = try text { text throws(StateText.Mistake) in try StateText.match(text) }
      match = Self.number(of: condition, in: &matches)
    }
    try demand(")")
    return field.map { .total($0, outcomes, when, matching: match) } ?? .count(outcomes, when, matching: match)
  }

  private mutating func text<Value>(
    _ read: (String) throws(StateText.Mistake) -> Value
  ) throws(StateText.Mistake) -> Value {
    let offset = scanner.offset
    let text = try scanner.text()
    do throws(StateText.Mistake) {
      return try read(text)
    } catch {
      throw StateText.Mistake(message: error.message, offset: error.offset + offset)
    }
  }

  /// Each different one has one number.
  private static func number<Value: Equatable>(of value: Value, in values: inout [Value]) -> Int {
    if let known = values.firstIndex(of: value) { return known }
    values.append(value)
    return values.count - 1
  }

  private func term(_ word: String, _ offset: Int) throws(StateText.Mistake) -> StateFormula {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, parts[0] == "read", !parts[1].isEmpty { return .read(parts[1]) }
    if parts.count == 2, let outcomes = StateFormula.Outcomes(rawValue: parts[0]) {
      if let when = StateFormula.When(rawValue: parts[1]) { return .count(outcomes, when) }
      let known = StateFormula.When.allCases.map(\.rawValue)
      let hint = nearestName(to: parts[1], among: known).map { ". Did you mean \"\(parts[0]).\($0)\"?" } ?? ""
      throw StateText.Mistake(
        message: "\(parts[0]) is counted \(known.joined(separator: ", "))\(hint)", offset: offset + parts[0].count + 1)
    }
    let known = StateFormula.Outcomes.allCases.map(\.rawValue) + ["read"]
    let hint = nearestName(to: parts[0], among: known).map { ". Did you mean \"\($0)\"?" } ?? ""
    throw StateText.Mistake(
      message:
        "\"\(word)\" is not a term: read.NAME, or accepted, refused or unknown with .before, .begun or .all\(hint)",
      offset: offset)
  }
}
