import MurphyContract
import MurphyModel
import MurphySchema

extension ScenarioReader {
  static let deepestTemplate = 64

  /// A value whose strings may contain `${…}`; nil after reporting a mistake in it.
  func template(_ node: MarkedValue?) -> Template? {
    guard let node, let content = content(node, depth: 0) else { return nil }
    return Template(content, source: node.scalarText ?? node.value.text)
  }

  /// A string, number or boolean that may contain `${…}`.
  func textTemplate(_ node: MarkedValue?, _ what: String) -> Template? {
    guard let node else { return nil }
    guard case .scalar = node.content else {
      return refuse("\(what) must be a string; found \(node.kindName)", at: node)
    }
    return template(node)
  }

  /// Named templates in the order of the file.
  func templates(_ node: MarkedValue?, _ what: String) -> [NamedTemplate] {
    mapping(node, what).compactMap { name, keyNode, value in
      reject(computedName: name, at: keyNode)
      return template(value).map { NamedTemplate(name: name, value: $0) }
    }
  }

  func reject(computedName name: String, at node: MarkedValue) {
    if name.contains("${") { report("a name cannot contain ${…}; write ${…} only in values", at: node) }
  }

  private func content(_ node: MarkedValue, depth: Int) -> Template.Content? {
    guard depth < Self.deepestTemplate else {
      return refuse("the value has more than \(Self.deepestTemplate) levels of nesting", at: node)
    }
    switch node.content {
    case .scalar:
      guard !hasLeadingZero(node) else { return nil }
      guard case .string(let text)? = node.scalarValue else { return .constant(node.scalarValue ?? .null) }
      return textContent(text, node)
    case .array(let sequence):
      let elements = sequence.map { content($0, depth: depth + 1) }
      let whole = elements.compactMap { $0 }
      guard whole.count == elements.count else { return nil }
      return Self.folded(.array(whole))
    case .object:
      let members = pairs(node).map { name, keyNode, value -> Template.Member? in
        reject(computedName: name, at: keyNode)
        return content(value, depth: depth + 1).map { Template.Member(name: name, value: $0) }
      }
      let whole = members.compactMap { $0 }
      guard whole.count == members.count else { return nil }
      return Self.folded(.object(whole))
    }
  }

  /// Reports a plain `007`: by YAML's core schema it is the number 7, but it is probably meant as a string.
  private func hasLeadingZero(_ node: MarkedValue) -> Bool {
    guard case .scalar(let scalar) = node.content, !scalar.isQuoted, case .number(let number) = scalar.value else {
      return false
    }
    let digits = scalar.text.drop { $0 == "+" || $0 == "-" }
    guard digits.count > 1, digits.first == "0", digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return false }
    report("YAML reads \(scalar.text) as the number \(number.text); for the string, write \"\(scalar.text)\"", at: node)
    return true
  }

  private func textContent(_ text: String, _ node: MarkedValue) -> Template.Content? {
    let pieces: [TemplateText.Piece]
    do throws(ExpressionMistake) {
      pieces = try TemplateText(text).pieces
    } catch {
      report(error.message, in: node, anchor: String(text.dropFirst(error.offset)), offset: 0, width: error.width)
      return nil
    }
    if pieces.count == 1 {
      switch pieces[0] {
      case .literal(let literal): return .constant(.string(literal))
      case .expression(let source, _):
        return expression(source, node).map { expression in
          switch expression {
          case .literal(let value), .secret(let value): .constant(value)
          default: .expression(expression)
          }
        }
      }
    }
    let parts = pieces.map { piece -> Template.Part? in
      switch piece {
      case .literal(let literal): .literal(literal)
      case .expression(let source, _): expression(source, node).map { .expression($0) }
      }
    }
    let whole = parts.compactMap { $0 }
    guard whole.count == parts.count else { return nil }
    return Self.folded(.text(whole))
  }

  /// One expression of a scalar, without `${` and `}`.
  func expression(_ source: String, _ node: MarkedValue) -> Expression? {
    do throws(ExpressionMistake) {
      let parsed = try ExpressionParser.parse(source, names: self)
      for text in parsed.secrets { secrets.insert(text) }
      return parsed.expression
    } catch {
      let isWhole = node.scalarText == source
      report(
        error.message, in: node, anchor: isWhole ? source : "${" + source, offset: error.offset + (isWhole ? 0 : 2),
        width: error.width)
      return nil
    }
  }

  /// An object of parsed contents.
  func folded(_ members: [Template.Member]) -> Template.Content { Self.folded(.object(members)) }

  /// Content that is equal in all sessions is evaluated once.
  private static func folded(_ content: Template.Content) -> Template.Content {
    guard content.expressions.allSatisfy(\.isConstant) else { return content }
    var scope = Scope(variables: 0)
    var random = RandomSource(seed: 0)
    return (try? content.value(in: &scope, random: &random)).map { .constant($0) } ?? content
  }

  /// `"${…}"`, or if `bare`, the expression without `${` and `}`.
  func formula(_ node: MarkedValue?, _ what: String, bare: Bool = true) -> Formula? {
    guard let node else { return nil }
    guard let text = node.scalarText else {
      return refuse("\(what) must be an expression; found \(node.kindName)", at: node)
    }
    let trimmed = text.trimmingBlanks()
    if let pieces = try? TemplateText(trimmed).pieces, pieces.count == 1, case .expression(let source, _) = pieces[0] {
      return expression(source, node).map { Formula($0, source: source.trimmingBlanks()) }
    }
    guard bare, !trimmed.contains("${") else {
      return refuse("\(what) must be a single expression ${…}; found \(found(node))", at: node)
    }
    return expression(text, node).map { Formula($0, source: trimmed) }
  }

  /// A condition: an expression that can be true or false.
  func condition(_ node: MarkedValue?, _ what: String) -> Formula? {
    guard let node, let formula = formula(node, what) else { return nil }
    switch formula.expression {
    case .literal(.bool), .variable, .context, .path, .member, .element, .not, .call, .conditional, .choice:
      return formula
    case .binary(let binary, _, _) where binary.precedence <= 4: return formula
    default:
      return refuse("\(what) must be a condition (true or false), such as ${status == 200}", at: node)
    }
  }
}

/// Text split at its `${…}`.
struct TemplateText {
  enum Piece: Hashable {
    case literal(String)
    /// The text between `${` and `}`, and the number of characters before it.
    case expression(String, offset: Int)
  }

  var pieces: [Piece] = []

  /// `$${` means a literal `${`; a `}` within quotes does not end an expression.
  init(_ text: String) throws(ExpressionMistake) {
    let characters = Array(text)
    var literal = ""
    var position = 0
    func startsWith(_ prefix: String, _ place: Int) -> Bool {
      place + prefix.count <= characters.count && String(characters[place..<place + prefix.count]) == prefix
    }
    while position < characters.count {
      if startsWith("$${", position) {
        literal += "${"
        position += 3
      } else if startsWith("${", position) {
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        literal = ""
        let begin = position + 2
        let end = try Self.end(of: characters, from: begin)
        pieces.append(.expression(String(characters[begin..<end]), offset: begin))
        position = end + 1
      } else {
        literal.append(characters[position])
        position += 1
      }
    }
    if !literal.isEmpty || pieces.isEmpty { pieces.append(.literal(literal)) }
  }

  /// The place of the `}` that ends the expression starting at `begin`.
  private static func end(of characters: [Character], from begin: Int) throws(ExpressionMistake) -> Int {
    var quote: Character?
    var position = begin
    while position < characters.count {
      let character = characters[position]
      if let open = quote {
        if character == "\\" { position += 1 }
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "}" {
        return position
      }
      position += 1
    }
    throw ExpressionMistake(
      message: "${ needs a closing }; for a literal ${, write $${", offset: begin - 2, width: 2)
  }
}
