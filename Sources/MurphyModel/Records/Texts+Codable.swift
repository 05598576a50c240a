extension StateNames: Codable {
  package init(from decoder: any Decoder) throws {
    self.init()
    for text in try [String](from: decoder) { _ = number(of: text) }
  }

  package func encode(to encoder: any Encoder) throws { try texts.encode(to: encoder) }
}

extension HeaderSets: Codable {
  package init(from decoder: any Decoder) throws {
    self.init()
    for fields in try [[HeaderField]](from: decoder) { append(fields) }
  }

  package func encode(to encoder: any Encoder) throws { try Array(self).encode(to: encoder) }
}

extension ShellWord: Codable {
  private struct Reference: Codable { var variable: String }

  /// Literal text as a string, bytes that are not text as numbers, a variable as an object with its name.
  package init(from decoder: any Decoder) throws {
    self.init()
    var pieces = try decoder.unkeyedContainer()
    while !pieces.isAtEnd {
      if let text = try? pieces.decode(String.self) {
        append(text)
      } else if let bytes = try? pieces.decode([UInt8].self) {
        append(.bytes(bytes))
      } else {
        let name = try pieces.decode(Reference.self).variable
        guard let variable = ShellVariable(environment: name) else {
          throw DecodingError.dataCorruptedError(in: pieces, debugDescription: "\"\(name)\" is not a shell variable")
        }
        append(variable)
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var list = encoder.unkeyedContainer()
    for piece in pieces {
      switch piece {
      case .variable(let variable): try list.encode(Reference(variable: variable.name))
      case .bytes(let bytes):
        if let text = String(validating: bytes, as: UTF8.self) { try list.encode(text) } else { try list.encode(bytes) }
      }
    }
  }
}

extension ShellVariable: Codable {
  package init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    guard let variable = ShellVariable(environment: name) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "\"\(name)\" is not a shell variable"))
    }
    self = variable
  }

  package func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
}

/// Counts by string that are coded as a list of pairs. The strings are values, so that a mask of secrets covers them,
/// and no style of keys changes them.
@propertyWrapper
package struct Paired: Sendable, Hashable {
  package var wrappedValue: [String: Int]

  package init(wrappedValue: [String: Int]) { self.wrappedValue = wrappedValue }
}

extension Paired: Codable {
  private struct Pair: Codable {
    var text: String
    var count: Int
  }

  /// The counts of equal strings are added.
  package init(from decoder: any Decoder) throws {
    wrappedValue = [:]
    for pair in try [Pair](from: decoder) { wrappedValue[pair.text, default: 0] += pair.count }
  }

  /// Sorted by string.
  package func encode(to encoder: any Encoder) throws {
    try wrappedValue.sorted { $0.key < $1.key }.map { Pair(text: $0.key, count: $0.value) }.encode(to: encoder)
  }
}
