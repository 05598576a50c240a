import Hummingbird

/// The query parameters of a request, decoded. A parameter that is not an array may be given once.
struct Query: Sendable {
  var pairs: [(name: String, value: String)]

  /// Throws a ``Problem`` where an escape is not one or the text is not UTF-8.
  init(_ text: Substring) throws {
    pairs = try text.utf8.split(separator: UInt8(ascii: "&")).map { pair in
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? try Self.decoded(parts[1], isQuery: true) : ""
      return (try Self.decoded(parts[0], isQuery: true), value)
    }
  }

  /// Resolves the escapes of RFC 3986, section 2.1; in a query a plus is a space.
  static func decoded(_ text: some Sequence<UInt8>, isQuery: Bool) throws -> String {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+"), isQuery {
        bytes.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%") {
        let digits = rest.prefix(2)
        guard digits.count == 2, digits.allSatisfy({ UnicodeScalar($0).properties.isASCIIHexDigit }),
          let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Problem.badRequest("The URL has a percent sign that begins no escape.") }
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    guard let result = String(validating: bytes, as: UTF8.self) else {
      throw Problem.badRequest("The URL is not UTF-8.")
    }
    return result
  }

  private func one(_ name: String) throws -> String? {
    let values = pairs.filter { $0.name == name }
    guard values.count < 2 else { throw Problem.badRequest("The parameter is given more than once.", field: name) }
    return values.first?.value
  }

  func text(_ name: String, length: ClosedRange<Int>) throws -> String? {
    guard let text = try one(name) else { return nil }
    guard length.contains(text.unicodeScalars.count) else {
      throw Problem.badRequest(
        "The parameter must have \(length.lowerBound) to \(length.upperBound) characters.", field: name)
    }
    return text
  }

  /// A number without bounds above may be larger than `Int`: then it is `Int.max`.
  func integer(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
    guard let text = try one(name) else { return nil }
    guard let value = Self.integer(text), range.contains(value) else {
      let most = range.upperBound == .max ? "on" : "to \(range.upperBound)"
      throw Problem.badRequest("The parameter must be an integer from \(range.lowerBound) \(most).", field: name)
    }
    return value
  }

  static func integer(_ text: String) -> Int? {
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy(Texts.isDigit), digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    return Int(text) ?? (digits.count == text.utf8.count ? .max : .min)
  }

  func number(_ name: String, _ range: ClosedRange<Double>) throws -> Double? {
    guard let text = try one(name) else { return nil }
    guard case .number(let number)? = try? JSONParser.parse(Array(text.utf8)), text.utf8.allSatisfy({ $0 > 0x20 }),
      range.contains(number.double)
    else {
      throw Problem.badRequest(
        "The parameter must be a number from \(range.lowerBound) to \(range.upperBound).", field: name)
    }
    return number.double
  }

  func flag(_ name: String) throws -> Bool? {
    guard let text = try one(name) else { return nil }
    guard let value = Bool(text) else { throw Problem.badRequest("The parameter must be true or false.", field: name) }
    return value
  }

  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type) throws -> Choice?
  where Choice.RawValue == String {
    guard let text = try one(name) else { return nil }
    guard let value = Choice(rawValue: text) else {
      let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem.badRequest("The parameter must be one of \(all).", field: name)
    }
    return value
  }

  func cursor() throws -> Int? {
    guard let text = try one("cursor") else { return nil }
    guard let number = Texts.cursor(text) else {
      throw Problem.badRequest("The parameter must be the `next` of a page.", field: "cursor")
    }
    return number
  }

  /// The tags of a query, each a parameter of its own.
  func tags(_ name: String) throws -> [String] {
    let values = pairs.filter { $0.name == name }.map(\.value)
    let fits = values.count <= 5 && values.allSatisfy { (1...30).contains($0.unicodeScalars.count) }
    guard fits, Set(values.map { Array($0.utf8) }).count == values.count else {
      throw Problem.badRequest("The parameter must be up to 5 different tags of 1 to 30 characters.", field: name)
    }
    return values
  }
}
