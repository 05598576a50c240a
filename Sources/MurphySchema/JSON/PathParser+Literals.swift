extension PathParser {
  /// `string-literal` in either kind of quotes (RFC 9535 §2.3.1.1).
  mutating func string() throws(JSONPathError) -> String {
    let start = position
    guard let quote = next else { throw mistake("expected a quoted string; found \(found)") }
    position += 1
    var text = String.UnicodeScalarView()
    while let scalar = next {
      if scalar == quote {
        position += 1
        return String(text)
      }
      if scalar == "\\" {
        text.append(try escape(quote))
      } else if scalar.value < 0x20 {
        throw mistake("write a control character within quotes as \\u00\(Self.hex(scalar))")
      } else {
        text.append(scalar)
        position += 1
      }
    }
    throw mistake("the closing quote is missing", at: start)
  }

  private static func hex(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return String(repeating: "0", count: 2 - digits.count) + digits
  }

  /// `\b \f \n \r \t \/ \\ \uXXXX`, and the quote of the string.
  private mutating func escape(_ quote: Unicode.Scalar) throws(JSONPathError) -> Unicode.Scalar {
    let start = position
    position += 1
    guard let kind = next else { throw mistake("the closing quote is missing", at: start) }
    position += 1
    switch kind {
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "/", "\\", quote: return kind
    case "u": return try unicodeEscape(start)
    default: throw mistake("\\\(kind) is not a valid escape within \(quote)", at: start)
    }
  }

  /// `hexchar = non-surrogate / (high-surrogate "\" %x75 low-surrogate)`
  private mutating func unicodeEscape(_ start: Int) throws(JSONPathError) -> Unicode.Scalar {
    let first = try hexDigits(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard (0xD800...0xDBFF).contains(first) else {
      throw mistake("a low surrogate must follow a high surrogate", at: start)
    }
    guard skip(if: "\\"), skip(if: "u") else {
      throw mistake("a high surrogate must be followed by \\u and a low surrogate", at: start)
    }
    let second = try hexDigits(start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw mistake("a high surrogate must be followed by a low surrogate", at: start) }
    return scalar
  }

  private mutating func hexDigits(_ start: Int) throws(JSONPathError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
        throw mistake("\\u must be followed by four hexadecimal digits", at: start)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// `number = (int / "-0") [frac] [exp]`
  mutating func number() throws(JSONPathError) -> JSONValue {
    let start = position
    func digits(_ parser: inout PathParser) -> Int {
      let first = parser.position
      while Self.isDigit(parser.next) { parser.position += 1 }
      return parser.position - first
    }
    _ = skip(if: "-")
    let leadsWithZero = next == "0"
    let whole = digits(&self)
    guard whole > 0 else { throw mistake("expected a digit; found \(found)") }
    guard !leadsWithZero || whole == 1 else { throw mistake("a number must not have a leading zero", at: start) }
    if skip(if: "."), digits(&self) == 0 { throw mistake("expected a digit after the point; found \(found)") }
    if next == "e" || next == "E" {
      position += 1
      if next == "+" || next == "-" { position += 1 }
      if digits(&self) == 0 { throw mistake("expected the digits of the exponent; found \(found)") }
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars[start..<position])
    return .number(JSONNumber(checked: String(text)))
  }

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
      throw mistake("write true, false, null and the names of functions in lower case")
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
      throw mistake("the function \(name) does not exist; the functions are \(known)", at: start)
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
    if skip(if: ")") { return [] }
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
    } while skip(if: ",")
    guard skip(if: ")") else { throw mistake("expected , or ); found \(found)") }
    return arguments
  }

  /// Checks the type of one argument (§2.4.3). No function takes a boolean.
  private func check(
    _ argument: PathOperand, as kind: PathFunction.ParameterType, of function: PathFunction, at start: Int
  ) throws(JSONPathError) {
    let name = function.rawValue
    switch (kind, argument) {
    case (.nodes, .query), (.value, .literal): return
    case (.nodes, _): throw mistake("this argument of \(name)() must be a query", at: start)
    case (_, .query(let query)):
      if !query.isSingular {
        throw mistake(
          "this argument of \(name)() must be a single value, but the query can find several nodes", at: start)
      }
    case (_, .call(let call)):
      if call.function.result != .value {
        throw mistake(
          """
          this argument of \(name)() must be a value, but \(call.function.rawValue)() returns true or false
          """, at: start)
      }
    case (_, .literal): return
    }
  }
}
