/// The text of a response's JSON, for faults to change: fields are found by their names, at any depth.
///
/// The server's own writer writes no space and escapes each quote within a string. So `"name":` occurs only before
/// values of that name.
package struct JSONText: Sendable {
  package private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Replaces the text of the value of each field `name`.
  package mutating func set(_ name: String, to text: String) { change(name) { _ in text } }

  /// Changes the text of the value of each field `name`.
  package mutating func change(_ name: String, _ change: (String) -> String) {
    changeBytes(name) { Array(change(String(decoding: $0, as: UTF8.self)).utf8) }
  }

  /// The same, for bytes that are not text.
  package mutating func changeBytes(_ name: String, _ change: (ArraySlice<UInt8>) -> [UInt8]) {
    edit(name) { bytes, member, value in
      let new = change(bytes[value])
      bytes.replaceSubrange(value, with: new)
      return value.lowerBound + new.count
    }
  }

  /// Removes each field `name`, with one adjacent comma.
  package mutating func remove(_ name: String) {
    edit(name) { bytes, member, value in
      var (start, end) = (member, value.upperBound)
      if start > 0, bytes[start - 1] == UInt8(ascii: ",") {
        start -= 1
      } else if end < bytes.count, bytes[end] == UInt8(ascii: ",") {
        end += 1
      }
      bytes.removeSubrange(start..<end)
      return start
    }
  }

  /// Calls `body` with the start of each field and the range of its value; it returns the position at which to
  /// continue.
  private mutating func edit(_ name: String, _ body: (inout [UInt8], Int, Range<Int>) -> Int) {
    let label = Array("\"\(name)\":".utf8)
    var position = 0
    while position + label.count < bytes.count {
      if bytes[position...].starts(with: label) {
        let start = position + label.count
        position = body(&bytes, position, start..<Self.endOfValue(bytes[start...]))
      } else {
        position += 1
      }
    }
  }

  /// The end of the value at the start of the bytes.
  static func endOfValue(_ bytes: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var isInString = false
    var position = bytes.startIndex
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return position }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return position
      default: break
      }
      position += 1
    }
    return bytes.endIndex
  }
}

extension Answer {
  /// Changes the JSON of the body.
  package mutating func change(_ change: (inout JSONText) -> Void) {
    var text = JSONText(Array(body.readableBytesView))
    change(&text)
    body.clear()
    body.writeBytes(text.bytes)
  }
}
