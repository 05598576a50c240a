import CSimdjson

extension Tape {
  /// The number as it was written. The first call after a parse costs a pass over the tape.
  public func numberText(at position: Int) -> String { String(decoding: numberBytes(at: position), as: UTF8.self) }

  /// The bytes of the number in the source, empty where they cannot be found.
  package func numberBytes(at position: Int) -> UnsafeRawBufferPointer {
    let start = csimdjson_number_offset(parser, position)
    guard start < source.count else { return UnsafeRawBufferPointer(rebasing: source[0..<0]) }
    let end = JSONScanner.numberEnd(in: source, from: start)
    return UnsafeRawBufferPointer(rebasing: source[start..<max(start, end)])
  }

  /// The value at `position` with everything in it. A repeated name keeps its last value.
  public func value(at position: Int) -> JSONValue {
    switch type(at: position) {
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "t"): return .bool(true)
    case UInt8(ascii: "f"): return .bool(false)
    case UInt8(ascii: "\""): return .string(string(at: position))
    case UInt8(ascii: "["):
      let contents = contents(at: position)
      var values: [JSONValue] = []
      var index = contents.lowerBound
      while index < contents.upperBound {
        values.append(value(at: index))
        index = next(after: index)
      }
      return .array(values)
    case UInt8(ascii: "{"):
      let contents = contents(at: position)
      var object = JSONObject()
      var index = contents.lowerBound
      while index < contents.upperBound {
        object[string(at: index)] = value(at: index + 1)
        index = next(after: index + 1)
      }
      return .object(object)
    default: return .number(JSONNumber(checked: numberText(at: position)))
    }
  }

  /// The value of the last member named `key`, nil where there is none. Cost: the members.
  public func member(_ key: String, of position: Int) -> Int? {
    guard type(at: position) == UInt8(ascii: "{") else { return nil }
    var key = key
    return key.withUTF8 { wanted in
      let contents = contents(at: position)
      var found: Int?
      var index = contents.lowerBound
      while index < contents.upperBound {
        if utf8(at: index).elementsEqual(wanted) { found = index + 1 }
        index = next(after: index + 1)
      }
      return found
    }
  }
}
