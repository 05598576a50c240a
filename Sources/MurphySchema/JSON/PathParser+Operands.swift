extension PathParser {
  /// `literal / filter-query / function-expr`
  mutating func operand() throws(JSONPathError) -> PathOperand {
    switch next {
    case "'", "\"": return .literal(.string(try string()))
    case "-": return .literal(try number())
    case _ where Self.isDigit(next): return .literal(try number())
    case "@", "$":
      let isAbsolute = next == "$"
      position += 1
      let segments = try nested { (parser) throws(JSONPathError) in try parser.segments() }
      return .query(PathQuery(isAbsolute: isAbsolute, segments: segments))
    case let letter? where ("a"..."z").contains(letter): return try word()
    case let letter? where ("A"..."Z").contains(letter):
      throw mistake("true, false, null and the names of functions are written in lower case")
    case "=", "&", "|":
      throw mistake("expected a query, a literal or a function; the operators are == != < <= > >= && ||")
    default: throw mistake("expected a query, a literal or a function; found \(found)")
    }
  }

  /// `true`, `false`, `null` or `function-name "(" … ")"`
  private mutating func word() throws(JSONPathError) -> PathOperand {
    let start = position
    var name = ""
    while let scalar = next, ("a"..."z").contains(scalar) || Self.isDigit(scalar) || scalar == "_" {
      name.unicodeScalars.append(scalar)
      position += 1
    }
    guard next == "(" else {
      switch name {
      case "true": return .literal(.bool(true))
      case "false": return .literal(.bool(false))
      case "null": return .literal(.null)
      default: throw mistake("\"\(name)\" is not a literal; put a string in quotes", at: start)
      }
    }
    guard let function = PathFunction(rawValue: name) else {
      let known = PathFunction.allCases.map(\.rawValue).joined(separator: ", ")
      throw mistake("there is no function \(name); the functions are \(known)", at: start)
    }
    position += 1
    let arguments = try nested { (parser) throws(JSONPathError) in try parser.arguments(of: function) }
    guard arguments.count == function.parameters.count else {
      throw mistake(
        "\(name)() takes \(function.parameters.count) argument\(function.parameters.count == 1 ? "" : "s"); "
          + "found \(arguments.count)", at: start)
    }
    return .call(PathCall(function: function, arguments: arguments))
  }

  /// `"(" S [function-argument *(S "," S function-argument)] S ")"`, after the opening parenthesis.
  private mutating func arguments(of function: PathFunction) throws(JSONPathError) -> [PathOperand] {
    skipBlanks()
    if take(")") { return [] }
    var arguments: [PathOperand] = []
    repeat {
      skipBlanks()
      let start = position
      let argument = try operand()
      if arguments.count < function.parameters.count {
        try check(argument, as: function.parameters[arguments.count], of: function, at: start)
      }
      arguments.append(argument)
      skipBlanks()
    } while take(",")
    guard take(")") else { throw mistake("expected , or ); found \(found)") }
    return arguments
  }

  /// Checks the type of one argument (§2.4.3). No function takes a boolean.
  private func check(
    _ argument: PathOperand, as kind: PathFunction.ParameterType, of function: PathFunction, at start: Int
  ) throws(JSONPathError) {
    let name = function.rawValue
    switch (kind, argument) {
    case (.nodes, .query), (.value, .literal): return
    case (.nodes, _): throw mistake("\(name)() takes a query here", at: start)
    case (_, .query(let query)):
      if !query.isSingular {
        throw mistake("\(name)() takes one value here, and this query can find several nodes", at: start)
      }
    case (_, .call(let call)):
      if call.function.result != .value {
        throw mistake("\(name)() takes a value here, and \(call.function.rawValue)() is true or false", at: start)
      }
    case (_, .literal): return
    }
  }
}
