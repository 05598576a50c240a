import NIOCore

/// Writes one JSON document into a buffer, with commas added automatically.
///
/// The caller ensures the order: `name` before each value within an object. Cost: one pass, no intermediate tree.
package struct JSONWriter {
  /// The document so far.
  package private(set) var buffer: ByteBuffer
  private var needsComma = false

  package init(capacity: Int = 512) {
    buffer = ByteBuffer()
    buffer.reserveCapacity(capacity)
  }

  /// Writes the braces; `members` writes what is between them.
  package mutating func object(_ members: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  /// Writes the brackets; `elements` writes what is between them.
  package mutating func array(_ elements: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    elements(&self)
    close(UInt8(ascii: "]"))
  }

  /// The name must not need escaping.
  package mutating func name(_ name: StaticString) {
    separate()
    buffer.writeInteger(UInt8(ascii: "\""))
    buffer.writeStaticString(name)
    buffer.writeStaticString("\":")
    needsComma = false
  }

  /// A name that is known only at run time.
  package mutating func name(of text: String) {
    string(text)
    buffer.writeStaticString(":")
    needsComma = false
  }

  package mutating func integer(_ value: Int) {
    separate()
    buffer.writeString(String(value))
  }

  /// The shortest text that reads as the same number.
  package mutating func number(_ value: Double) {
    separate()
    buffer.writeString("\(value)")
  }

  package mutating func bool(_ value: Bool) {
    separate()
    buffer.writeString(value ? "true" : "false")
  }

  /// A text that is already JSON.
  package mutating func raw(_ json: String) {
    separate()
    buffer.writeString(json)
  }

  package mutating func null() {
    separate()
    buffer.writeStaticString("null")
  }

  /// Nil is `null`.
  package mutating func string(_ value: String?) {
    guard let value else { return null() }
    separate()
    buffer.writeInteger(UInt8(ascii: "\""))
    var text = value
    text.withUTF8 { bytes in
      if bytes.contains(where: Self.mustEscape) { escape(bytes) } else { buffer.writeBytes(bytes) }
    }
    buffer.writeInteger(UInt8(ascii: "\""))
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ bytes: UnsafeBufferPointer<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        buffer.writeInteger(UInt8(ascii: "\\"))
        buffer.writeInteger(byte)
      case 0..<0x20:
        buffer.writeStaticString("\\u00")
        buffer.writeInteger(digits[Int(byte >> 4)])
        buffer.writeInteger(digits[Int(byte & 15)])
      default: buffer.writeInteger(byte)
      }
    }
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    buffer.writeInteger(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    buffer.writeInteger(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { buffer.writeInteger(UInt8(ascii: ",")) }
    needsComma = true
  }
}

extension JSONWriter {
  /// Nil is `null`.
  package mutating func member(_ name: StaticString, _ value: String?) {
    self.name(name)
    string(value)
  }

  /// Nil is `null`.
  package mutating func member(_ name: StaticString, _ value: Int?) {
    self.name(name)
    if let value { integer(value) } else { null() }
  }

  /// Nil is `null`.
  package mutating func member(_ name: StaticString, _ value: Bool?) {
    self.name(name)
    if let value { bool(value) } else { null() }
  }

  /// Writes an object as the member's value.
  package mutating func member(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
    self.name(name)
    object(members)
  }

  /// An array of objects whose fields `write` writes.
  package mutating func member<Element>(
    _ name: StaticString, each elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.name(name)
    array { json in
      for element in elements { json.object { write(&$0, element) } }
    }
  }
}
