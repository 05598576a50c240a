/// The fields of a body's object, read one by one; each reader throws a ``Problem`` with status 422.
struct Fields {
  enum Need {
    case required
    case optional
  }

  private let schema: String
  private let members: [JSON.Member]
  private let skipped: Check?

  /// - Parameter names: The properties of the schema; others are refused.
  init(_ value: JSON, _ schema: String, names: [String], skipped: Check?, field: String = "body") throws {
    guard case .object(let members) = value else {
      throw Problem.unprocessable("An object is expected.", field: field)
    }
    self.schema = schema
    self.members = members
    self.skipped = skipped
    if let unknown = members.first(where: { !names.contains($0.name) }), holds("", .additionalProperties) {
      throw Problem.unprocessable("There is no such field.", field: String(unknown.name.prefix(80)))
    }
  }

  /// Whether a constraint is checked.
  private func holds(_ field: String, _ keyword: Check.Keyword) -> Bool {
    skipped != Check(schema: schema, field: field, keyword: keyword)
  }

  private func given<Value>(
    _ name: String, _ need: Need, nullable: Bool, _ read: (JSON) throws -> Value
  ) throws -> Given<Value> {
    guard let value = members.first(where: { $0.name == name })?.value else {
      if need == .required, holds(name, .required) { throw Problem.unprocessable("The field is missing.", field: name) }
      return .absent
    }
    if value.isNull, nullable { return .null }
    return .value(try read(value))
  }

  func text(
    _ name: String, _ need: Need = .optional, nullable: Bool = false, length: ClosedRange<Int> = 0...Int.max,
    pattern: (String) -> Bool = { _ in true }
  ) throws -> Given<String> {
    try given(name, need, nullable: nullable) { try text($0, name, length: length, pattern: pattern) }
  }

  private func text(
    _ value: JSON, _ name: String, length: ClosedRange<Int>, pattern: (String) -> Bool = { _ in true }
  ) throws -> String {
    guard let text = value.text else { throw Problem.unprocessable("The field must be a string.", field: name) }
    let count = text.unicodeScalars.count
    guard count >= length.lowerBound, count <= length.upperBound || !holds(name, .maxLength) else {
      throw Problem.unprocessable(
        "The field must have \(length.lowerBound) to \(length.upperBound) characters.", field: name)
    }
    guard pattern(text) || !holds(name, .pattern) else {
      throw Problem.unprocessable("The field is not of its pattern or format.", field: name)
    }
    return text
  }

  func integer(
    _ name: String, _ range: ClosedRange<Int>, _ need: Need = .optional, nullable: Bool = false
  ) throws -> Given<Int> {
    try given(name, need, nullable: nullable) { try integer($0, name, range) }
  }

  private func integer(_ value: JSON, _ name: String, _ range: ClosedRange<Int>) throws -> Int {
    guard let number = value.whole, number <= range.upperBound,
      number >= range.lowerBound || !holds(name, .minimum)
    else {
      throw Problem.unprocessable(
        "The field must be an integer from \(range.lowerBound) to \(range.upperBound).", field: name)
    }
    return number
  }

  /// A number from 0 to 9999.75 in steps of 0.25.
  func price(_ name: String, _ need: Need) throws -> Given<Double> {
    try given(name, need, nullable: true) { value in
      guard case .number(let number) = value, (0...9999.75).contains(number.double), !number.isBelowZero else {
        throw Problem.unprocessable("The field must be a number from 0 to 9999.75.", field: name)
      }
      guard let hundredths = number.scaled(2), hundredths % 25 == 0 else {
        if !holds(name, .multipleOf) { return number.double }
        throw Problem.unprocessable("The field must be a multiple of 0.25.", field: name)
      }
      return Double(hundredths) / 100
    }
  }

  func flag(_ name: String) throws -> Given<Bool> {
    try given(name, .optional, nullable: false) { value in
      guard case .bool(let flag) = value else {
        throw Problem.unprocessable("The field must be true or false.", field: name)
      }
      return flag
    }
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, _ need: Need = .optional, _ type: Choice.Type
  ) throws -> Given<String> where Choice.RawValue == String {
    try given(name, need, nullable: false) { value in
      let text = value.text
      guard let text, Choice(rawValue: text) != nil || !holds(name, .choice) else {
        let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem.unprocessable("The field must be one of \(all).", field: name)
      }
      return text
    }
  }

  /// Up to ten different texts.
  func texts(_ name: String, length: ClosedRange<Int>) throws -> Given<[String]> {
    try list(name, { try text($0, name, length: length) }, key: { Array($0.utf8) })
  }

  /// Up to ten different numbers.
  func integers(_ name: String, _ range: ClosedRange<Int>) throws -> Given<[Int]> {
    try list(name, { try integer($0, name, range) }, key: { $0 })
  }

  private func list<Value>(
    _ name: String, _ read: (JSON) throws -> Value, key: (Value) -> some Hashable
  ) throws -> Given<[Value]> {
    try given(name, .optional, nullable: false) { value in
      guard let elements = value.elements, elements.count <= 10 else {
        throw Problem.unprocessable("The field must be an array of up to 10.", field: name)
      }
      let values = try elements.map(read)
      guard Set(values.map(key)).count == values.count || !holds(name, .uniqueItems) else {
        throw Problem.unprocessable("The field has an element twice.", field: name)
      }
      return values
    }
  }

  func object<Value>(
    _ name: String, _ need: Need, nullable: Bool, _ read: (JSON) throws -> Value
  ) throws -> Given<Value> {
    try given(name, need, nullable: nullable, read)
  }
}
