import MurphyModel

/// Reads the formula of `holds:`; its grammar stands at ``StateFormula``.
struct StateFormulaParser {
  private enum Token: Hashable {
    case number(Int64)
    case word(String)
    case sign(String)
    case end
  }

  private var tokens: [(token: Token, offset: Int)] = []
  private var place = 0
  private var depth = 0
  private static let deepest = 50

  static func read(_ text: String) throws(StateText.Mistake) -> StateCondition {
    var parser = try Self(text)
    let condition = try parser.either()
    guard parser.next == .end else { throw parser.unexpected("\"and\", \"or\" or the end") }
    return condition
  }

  private init(_ text: String) throws(StateText.Mistake) {
    let characters = Array(text)
    var place = 0
    while place < characters.count {
      let (start, first) = (place, characters[place])
      if first.isWhitespace {
        place += 1
        continue
      }
      if first.isASCII, first.isNumber {
        while place < characters.count, characters[place].isASCII, characters[place].isNumber { place += 1 }
        guard let number = Int64(String(characters[start..<place])), number < 1 << 50 else {
          throw StateText.Mistake(message: "the number is too large", offset: start)
        }
        tokens.append((.number(number), start))
      } else if first.isLetter || first == "_" {
        while place < characters.count,
          characters[place].isLetter || characters[place].isNumber || "_.".contains(characters[place])
        {
          place += 1
        }
        tokens.append((.word(String(characters[start..<place])), start))
      } else {
        let two = String(characters[place..<min(place + 2, characters.count)])
        let sign = ["<=", ">=", "==", "!="].contains(two) ? two : String(first)
        guard ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "(", ")", ","].contains(sign) else {
          throw StateText.Mistake(message: "\"\(sign)\" means nothing here", offset: start)
        }
        place += sign.count
        tokens.append((.sign(sign), start))
      }
    }
    tokens.append((.end, characters.count))
  }

  private var next: Token { tokens[place].token }

  private mutating func take(_ token: Token) -> Bool {
    guard next == token else { return false }
    place += 1
    return true
  }

  private func unexpected(_ expected: String) -> StateText.Mistake {
    StateText.Mistake(message: "expected \(expected)", offset: tokens[place].offset)
  }

  private mutating func descend() throws(StateText.Mistake) {
    depth += 1
    if depth > Self.deepest {
      throw StateText.Mistake(message: "more than \(Self.deepest) levels of nesting", offset: tokens[place].offset)
    }
  }

  private mutating func either() throws(StateText.Mistake) -> StateCondition {
    try descend()
    defer { depth -= 1 }
    var left = try both()
    while take(.word("or")) { left = .either(left, try both()) }
    return left
  }

  private mutating func both() throws(StateText.Mistake) -> StateCondition {
    var left = try negation()
    while take(.word("and")) { left = .both(left, try negation()) }
    return left
  }

  private mutating func negation() throws(StateText.Mistake) -> StateCondition {
    try descend()
    defer { depth -= 1 }
    if take(.word("not")) { return .not(try negation()) }
    // A bracket may hold a condition or a sum: the sum is tried first.
    let (start, depth) = (place, depth)
    do {
      return try test()
    } catch {
      guard tokens[start].token == .sign("(") else { throw error }
      (place, self.depth) = (start + 1, depth)
      let inner = try either()
      guard take(.sign(")")) else { throw error }
      return inner
    }
  }

  private mutating func test() throws(StateText.Mistake) -> StateCondition {
    let left = try sum()
    guard case .sign(let sign) = next, let comparison = StateCondition.Comparison(rawValue: sign) else {
      throw unexpected("a comparison: \(StateCondition.Comparison.allCases.map(\.rawValue).joined(separator: " "))")
    }
    place += 1
    return .test(left, comparison, try sum())
  }

  private mutating func sum() throws(StateText.Mistake) -> StateFormula {
    try descend()
    defer { depth -= 1 }
    var left = try product()
    while true {
      if take(.sign("+")) {
        left = .sum(left, try product())
      } else if take(.sign("-")) {
        left = .difference(left, try product())
      } else {
        return left
      }
    }
  }

  private mutating func product() throws(StateText.Mistake) -> StateFormula {
    var left = try unit()
    while take(.sign("*")) { left = .product(left, try unit()) }
    return left
  }

  private mutating func unit() throws(StateText.Mistake) -> StateFormula {
    let offset = tokens[place].offset
    switch next {
    case .number(let number):
      place += 1
      return .number(number)
    case .sign("("):
      place += 1
      let inner = try sum()
      guard take(.sign(")")) else { throw unexpected("\")\"") }
      return inner
    case .word(let word):
      place += 1
      if word == "min" || word == "max" { return try extreme(isLeast: word == "min") }
      return try term(word, offset)
    default: throw unexpected("a number, read.NAME, accepted.before or a bracket")
    }
  }

  private mutating func extreme(isLeast: Bool) throws(StateText.Mistake) -> StateFormula {
    guard take(.sign("(")) else { throw unexpected("\"(\"") }
    let left = try sum()
    guard take(.sign(",")) else { throw unexpected("\",\"") }
    let right = try sum()
    guard take(.sign(")")) else { throw unexpected("\")\"") }
    return isLeast ? .least(left, right) : .greatest(left, right)
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
