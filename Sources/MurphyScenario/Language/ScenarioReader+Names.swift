import MurphyContract
import MurphyModel
import MurphySchema

extension ScenarioReader {
  /// The meaning of a name in an expression at this place.
  ///
  /// - Parameter guarded: true within `default(…)`, where a name may be unset.
  func meaning(of name: String, at place: ExpressionToken, guarded: Bool) throws(ExpressionMistake) -> Expression {
    if let context = ContextName(rawValue: name) {
      if let scene = missingScene(of: context) {
        throw ExpressionMistake("\"\(name)\" is defined only within \(scene)", at: place)
      }
      if context == .answer { flow.readsAnswer = true }
      return .context(context)
    }
    if let index = feeds.firstIndex(where: { $0.name == name }) {
      flow.feeds.insert(index)
      return read(feeds[index].variable)
    }
    if flow.known.contains(name) || (guarded && flow.later[name] != nil) { return read(variable(name)) }
    if let line = flow.later[name] {
      if flow.isClient { return read(variable(name)) }
      throw ExpressionMistake(
        "\"\(name)\" is used before it is saved, in line \(line); default(\(name), …) allows that", at: place)
    }
    if let function = Function(rawValue: name) {
      throw ExpressionMistake("\(name) is a function, written \(function.usage)", at: place)
    }
    throw ExpressionMistake("unknown variable \"\(name)\"" + nameHint(name), at: place)
  }

  private func nameHint(_ name: String) -> String {
    let known = flow.known.sorted() + feeds.map(\.name) + ContextName.allCases.map(\.rawValue)
    let hint = suggestion(name, known)
    guard hint.isEmpty else { return hint }
    if name == "env" { return "; an environment variable is read with ${env(NAME)}" }
    return flow.known.isEmpty
      ? "; nothing is saved before it" : "; known here are \(flow.known.sorted().joined(separator: ", "))"
  }

  /// The place where the name is defined, if it is not defined here.
  private func missingScene(of name: ContextName) -> String? {
    switch name {
    case .typed where !flow.isTyping: "a type step"
    case .index where !flow.isLooping: "a repeat or burst"
    default: nil
    }
  }

  private func read(_ variable: Variable) -> Expression {
    readVariables.insert(variable.slot)
    return .variable(variable)
  }

  /// The columns of the feed whose row a variable holds; nil for any other variable.
  func columns(of variable: Variable) -> [String]? {
    feeds.first { $0.variable == variable && $0.rows.count > 0 }?.rows.columns
  }

  /// The value of an environment variable, which is a secret; nil if it is not set.
  func environment(_ name: String) -> String? {
    guard let value = environmentVariables[name] else { return nil }
    secrets.insert(value, environment: name)
    return value
  }

  /// The variable of a name, with its own slot.
  func variable(_ name: String) -> Variable {
    if let slot = variables.firstIndex(of: name) { return Variable(name: name, slot: slot) }
    variables.append(name)
    return Variable(name: name, slot: variables.count - 1)
  }

  /// A new name for a value; nil after reporting why it is invalid.
  func newVariable(_ name: String, at node: MarkedValue) -> Variable? {
    let characters = Array(name)
    guard let first = characters.first, ExpressionLexer.beginsName(first),
      characters.allSatisfy(ExpressionLexer.continuesName)
    else {
      return refuse("a name is made of letters, digits and _, and begins with a letter; found \"\(name)\"", at: node)
    }
    if ContextName(rawValue: name) != nil || ["true", "false", "null"].contains(name) {
      return refuse("\"\(name)\" is a word of the language; choose another name", at: node)
    }
    if feeds.contains(where: { $0.name == name }) {
      return refuse("\"\(name)\" is the name of a feed; choose another name", at: node)
    }
    flow.known.insert(name)
    return variable(name)
  }

  /// Every name that steps save or set, with the first line in which it occurs.
  func savedNames(in node: MarkedValue) -> [String: Int] {
    var names: [String: Int] = [:]
    func addName(_ key: MarkedValue) {
      guard let name = key.scalarText else { return }
      names[name] = min(names[name] ?? .max, key.line)
    }
    var stack = [node]
    var named: Set<String> = []
    while let next = stack.popLast() {
      switch next.content {
      case .array(let sequence): stack.append(contentsOf: sequence)
      case .object(let mapping):
        for member in mapping {
          let value = member.value
          switch member.key {
          case "save", "set":
            if case .object(let names) = value.content { for name in names { addName(name.name) } }
          case "as": addName(value)
          case "do":
            if let name = value.scalarText, let group = parts.groups[name], named.insert(name).inserted {
              stack.append(group.value)
            }
          case "body", "query", "headers", "form", "path", "expect", "multipart", "graphql": continue
          default: stack.append(value)
          }
        }
      case .scalar: continue
      }
    }
    return names
  }
}
