import MurphyJSON
import MurphyModel

extension Expression {
  /// No text is longer, in bytes.
  package static let longestText = 1 << 20
  /// No list that a function makes has more elements.
  package static let longestList = 100_000

  static var tooLong: EvaluationError { .tooLarge("a text grew over 1 MiB") }

  /// A pure function. Cost: the size of the tree and of the values; depth is bounded by the parser.
  func value(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> JSONValue {
    switch self {
    case .literal(let value), .secret(let value): return value
    case .variable(let variable):
      guard let value = scope[variable] else { throw .unset(variable.name) }
      return value
    case .context(let name): return try name.value(in: scope)
    case .path(let path):
      guard let answer = scope.answer else { throw .noAnswer(path.text) }
      return try answer.found(path)
    case .member(.context(.answer), let name): return try LastAnswer.read(scope.answer, name)
    case .member(.member(.context(.answer), "headers"), let name):
      return try LastAnswer.read(scope.answer, header: name)
    case .element(.member(.context(.answer), "headers"), .literal(.string(let name))):
      return try LastAnswer.read(scope.answer, header: name)
    case .member(let base, let name):
      return try base.value(in: &scope, random: &random).member(name)
    case .element(let base, let index):
      let list = try base.value(in: &scope, random: &random)
      return try list.element(try index.value(in: &scope, random: &random))
    case .negative(let operand):
      return try Arithmetic.subtract(0, try operand.value(in: &scope, random: &random))
    case .not(let operand):
      return .bool(try !operand.truth(in: &scope, random: &random))
    case .binary(.and, let left, let right):
      guard try left.truth(in: &scope, random: &random) else { return .bool(false) }
      return .bool(try right.truth(in: &scope, random: &random))
    case .binary(.or, let left, let right):
      if try left.truth(in: &scope, random: &random) { return .bool(true) }
      return .bool(try right.truth(in: &scope, random: &random))
    case .binary(let binary, let left, let right):
      let leftValue = try left.value(in: &scope, random: &random)
      return try binary.apply(leftValue, try right.value(in: &scope, random: &random))
    case .conditional(let condition, let yes, let no):
      let chosen = try condition.truth(in: &scope, random: &random) ? yes : no
      return try chosen.value(in: &scope, random: &random)
    case .call(.coalesce, let arguments):
      return try Self.coalesced(arguments, in: &scope, random: &random)
    case .call(let function, let arguments):
      var values: [JSONValue] = []
      values.reserveCapacity(arguments.count)
      for argument in arguments { values.append(try argument.value(in: &scope, random: &random)) }
      return try function.apply(values, scope: &scope, random: &random)
    case .list(let elements):
      var values: [JSONValue] = []
      for element in elements { values.append(try element.value(in: &scope, random: &random)) }
      return try Self.bounded(.array(values))
    case .choice(let choices):
      let index = weightedIndex(of: choices.map(\.weight), at: random.unit())
      return try choices[index].value.value(in: &scope, random: &random)
    }
  }

  private func truth(in scope: inout Scope, random: inout RandomSource) throws(EvaluationError) -> Bool {
    let value = try value(in: &scope, random: &random)
    guard case .bool(let truth) = value else {
      throw .wrongType("&&, ||, ! and conditions need true or false; found \(value.brief)")
    }
    return truth
  }

  /// `default(value, otherwise)`: the first that is set and not null.
  private static func coalesced(
    _ arguments: [Expression], in scope: inout Scope, random: inout RandomSource
  ) throws(EvaluationError) -> JSONValue {
    do throws(EvaluationError) {
      let value = try arguments[0].value(in: &scope, random: &random)
      if value != .null { return value }
    } catch {
      switch error {
      case .unset, .noAnswer, .nothing: break
      default: throw error
      }
    }
    return try arguments[1].value(in: &scope, random: &random)
  }
}

extension ContextName {
  func value(in scope: Scope) throws(EvaluationError) -> JSONValue {
    switch self {
    case .index: JSONValue(scope.index)
    case .typed: .string(scope.typed)
    case .user: JSONValue(scope.user)
    case .arrival: JSONValue(scope.arrival)
    case .iteration: JSONValue(scope.iteration)
    case .session: .string(scope.session)
    case .status:
      if let status = scope.status { JSONValue(status) } else { throw .noAnswer("status") }
    case .answer:
      if let answer = scope.answer { answer.value } else { throw .noAnswer("answer") }
    }
  }
}

extension JSONValue {
  fileprivate func member(_ name: String) throws(EvaluationError) -> JSONValue {
    guard case .object(let object) = self else {
      throw .wrongType(".\(name) needs an object; found \(brief)")
    }
    guard let value = object[name] else { throw .outOfRange("the object has no member \(name)") }
    return value
  }

  fileprivate func element(_ index: JSONValue) throws(EvaluationError) -> JSONValue {
    if case .string(let name) = index { return try member(name) }
    guard case .array(let elements) = self else { throw .wrongType("[…] needs a list; found \(brief)") }
    guard let number = index.int else { throw .wrongType("a list's index is a whole number; found \(index.brief)") }
    let position = number < 0 ? elements.count + number : number
    guard elements.indices.contains(position) else { throw .outOfRange("a list is shorter than its index") }
    return elements[position]
  }
}
