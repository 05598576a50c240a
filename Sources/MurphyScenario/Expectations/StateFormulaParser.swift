import MurphyModel

/// Reads the formula of `holds:`. Its grammar is at ``StateFormula``.
struct StateFormulaParser {
  private var lexer: ExpressionLexer
  private var token = ExpressionToken(kind: .end, offset: 0, width: 0)
  private var depth = 0
  private static let deepest = 50
  private static let signs: Set = ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "(", ")", ",", "."]

  /// Places in a request whose numbers the formula adds up.
  private(set) var fields: [StateSource] = []
  /// Conditions on a request.
  private(set) var matches: [StateMatch] = []
  private(set) var condition = StateCondition.test(.number(0), .equal, .number(0))

  init(_ text: String) throws(ExpressionMistake) {
    lexer = ExpressionLexer(Array(text))
    try advance()
    condition = try either()
    guard token.kind == .end else { throw unexpected("\"and\", \"or\" or the end of the formula") }
  }

  private mutating func advance() throws(ExpressionMistake) {
    token = try lexer.token()
    if case .symbol(let sign) = token.kind, !Self.signs.contains(sign) {
      throw ExpressionMistake(message: "\"\(sign)\" is not allowed in a formula", offset: token.offset)
    }
  }

  private mutating func skip(if kind: ExpressionToken.Lexeme) throws(ExpressionMistake) -> Bool {
    guard token.kind == kind else { return false }
    try advance()
    return true
  }

  /// Names with dots between them: `accepted.before`.
  private mutating func word() throws(ExpressionMistake) -> String? {
    guard case .name(var word) = token.kind else { return nil }
    try advance()
    while try skip(if: .symbol(".")) {
      word += "."
      guard case .name(let part) = token.kind else { break }
      word += part
      try advance()
    }
    return word
  }

  private mutating func demand(_ sign: String) throws(ExpressionMistake) {
    guard try skip(if: .symbol(sign)) else { throw unexpected("\"\(sign)\"") }
  }

  private func unexpected(_ expected: String) -> ExpressionMistake {
    ExpressionMistake(message: "expected \(expected)", offset: token.offset)
  }

  private mutating func descend() throws(ExpressionMistake) {
    depth += 1
    if depth > Self.deepest {
      throw ExpressionMistake(
        message: "the formula has more than \(Self.deepest) levels of nesting", offset: token.offset)
    }
  }

  private mutating func either() throws(ExpressionMistake) -> StateCondition {
    try descend()
    defer { depth -= 1 }
    var left = try both()
    while try skip(if: .name("or")) { left = .either(left, try both()) }
    return left
  }

  private mutating func both() throws(ExpressionMistake) -> StateCondition {
    var left = try negation()
    while try skip(if: .name("and")) { left = .both(left, try negation()) }
    return left
  }

  private mutating func negation() throws(ExpressionMistake) -> StateCondition {
    try descend()
    defer { depth -= 1 }
    if try skip(if: .name("not")) { return .not(try negation()) }
    // A bracket may contain a condition or a sum. The sum is tried first.
    let (start, lexer, depth) = (token, lexer, depth)
    do {
      return try test()
    } catch {
      guard start.kind == .symbol("(") else { throw error }
      (self.lexer, self.depth) = (lexer, depth)
      try advance()
      let inner = try either()
      guard try skip(if: .symbol(")")) else { throw error }
      return inner
    }
  }

  private mutating func test() throws(ExpressionMistake) -> StateCondition {
    let left = try sum()
    guard case .symbol(let sign) = token.kind, let comparison = StateCondition.Comparison(rawValue: sign) else {
      throw unexpected(
        "a comparison operator: \(StateCondition.Comparison.allCases.map(\.rawValue).joined(separator: " "))")
    }
    try advance()
    return .test(left, comparison, try sum())
  }

  private mutating func sum() throws(ExpressionMistake) -> StateFormula {
    try descend()
    defer { depth -= 1 }
    var left = try product()
    while true {
      if try skip(if: .symbol("+")) {
        left = .sum(left, try product())
      } else if try skip(if: .symbol("-")) {
        left = .difference(left, try product())
      } else {
        return left
      }
    }
  }

  private mutating func product() throws(ExpressionMistake) -> StateFormula {
    var left = try unit()
    while try skip(if: .symbol("*")) { left = .product(left, try unit()) }
    return left
  }

  private mutating func unit() throws(ExpressionMistake) -> StateFormula {
    let offset = token.offset
    if case .number(let digits) = token.kind {
      guard let number = Int64(digits), number < 1 << 50 else {
        let message = digits.contains(".") ? "\(digits) is not a whole number" : "the number \(digits) is too large"
        throw ExpressionMistake(message: message, offset: offset)
      }
      try advance()
      return .number(number)
    }
    if try skip(if: .symbol("(")) {
      let inner = try sum()
      try demand(")")
      return inner
    }
    switch try word() {
    case "min": return try extreme(isLeast: true)
    case "max": return try extreme(isLeast: false)
    case "count": return try aggregate(isSum: false)
    case "sum": return try aggregate(isSum: true)
    case let word?: return try term(word, offset)
    case nil: throw unexpected("a number, read.NAME, accepted.before, a function such as sum(), or a parenthesis")
    }
  }

  private mutating func extreme(isLeast: Bool) throws(ExpressionMistake) -> StateFormula {
    try demand("(")
    let left = try sum()
    try demand(",")
    let right = try sum()
    try demand(")")
    return isLeast ? .least(left, right) : .greatest(left, right)
  }

  /// `sum(SET.TIME, PLACE [, MATCH])` or `count(SET.TIME, MATCH)`
  private mutating func aggregate(isSum: Bool) throws(ExpressionMistake) -> StateFormula {
    try demand("(")
    let offset = token.offset
    guard let word = try word() else { throw unexpected("a set of writes, such as accepted.before") }
    guard case .count(let outcomes, let when, _) = try term(word, offset) else {
      throw ExpressionMistake(message: "\(word) is not a set of writes such as accepted.before", offset: offset)
    }
    try demand(",")
    var (field, match): (Int?, Int?)
    var hasMatch = true
    if isSum {
      let source = try text(StateText.source)
      field = Self.number(of: source, in: &fields)
      hasMatch = try skip(if: .symbol(","))
    }
    if hasMatch {
      let condition = try text(StateText.match)
      match = Self.number(of: condition, in: &matches)
    }
    try demand(")")
    return field.map { .total($0, outcomes, when, matching: match) } ?? .count(outcomes, when, matching: match)
  }

  /// The text from here to the next comma or closing bracket, outside its own quotes and brackets: a place in a
  /// request, or a condition on one.
  private mutating func text<Value>(
    _ read: (String) throws(ExpressionMistake) -> Value
  ) throws(ExpressionMistake) -> Value {
    let (characters, offset) = (lexer.characters, token.offset)
    var (place, depth) = (offset, 0)
    var quote: Character?
    scan: while place < characters.count {
      let character = characters[place]
      switch character {
      case _ where quote != nil: if character == quote { quote = nil }
      case "'", "\"": quote = character
      case "(", "[": depth += 1
      case ")" where depth == 0, "," where depth == 0: break scan
      case ")", "]": depth -= 1
      default: break
      }
      place += 1
    }
    lexer.position = place
    try advance()
    do throws(ExpressionMistake) {
      return try read(String(characters[offset..<place]).trimmingBlanks())
    } catch {
      throw ExpressionMistake(message: error.message, offset: error.offset + offset)
    }
  }

  /// Each distinct value has one number.
  private static func number<Value: Equatable>(of value: Value, in values: inout [Value]) -> Int {
    if let known = values.firstIndex(of: value) { return known }
    values.append(value)
    return values.count - 1
  }

  private func term(_ word: String, _ offset: Int) throws(ExpressionMistake) -> StateFormula {
    let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, parts[0] == "read", !parts[1].isEmpty { return .read(parts[1]) }
    if parts.count == 2, let outcomes = StateFormula.Outcomes(rawValue: parts[0]) {
      if let when = StateFormula.When(rawValue: parts[1]) { return .count(outcomes, when) }
      let known = StateFormula.When.allCases.map(\.rawValue)
      let hint = nearestName(to: parts[1], among: known).map { ". Did you mean \"\(parts[0]).\($0)\"?" } ?? ""
      throw ExpressionMistake(
        message: "the fields of \(parts[0]) are \(known.joined(separator: ", "))\(hint)",
        offset: offset + parts[0].count + 1)
    }
    let known = StateFormula.Outcomes.allCases.map(\.rawValue) + ["read"]
    let hint = suggestion(for: parts[0], among: known)
    throw ExpressionMistake(
      message:
        "unknown term \"\(word)\"; write read.NAME, or accepted, refused or unknown with .before, .begun or .all"
        + hint,
      offset: offset)
  }
}
