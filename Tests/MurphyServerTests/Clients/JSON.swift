import Foundation

/// A JSON value with paths: `answer.json["data"][0]["id"]`.
enum JSON: Decodable, Sendable, Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  subscript(name: String) -> JSON {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  subscript(index: Int) -> JSON {
    if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { .null }
  }

  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

  var int: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }

  var string: String? { if case .string(let string) = self { string } else { nil } }

  var names: Set<String> { if case .object(let members) = self { Set(members.keys) } else { [] } }
}
