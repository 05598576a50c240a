import NIOCore

/// Writes one JSON text into a buffer; commas take care of themselves.
///
/// The caller keeps the order: `name` before each value within an object. Cost: one pass, no intermediate tree.
struct JSONWriter {
  private(set) var buffer: ByteBuffer
  private var needsComma = false

  init(capacity: Int = 512) {
    buffer = ByteBuffer()
    buffer.reserveCapacity(capacity)
  }

  mutating func object(_ members: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "{"))
    members(&self)
    close(UInt8(ascii: "}"))
  }

  mutating func array(_ elements: (inout JSONWriter) -> Void) {
    open(UInt8(ascii: "["))
    elements(&self)
    close(UInt8(ascii: "]"))
  }

  mutating func name(_ name: StaticString) {
    separate()
    buffer.writeInteger(UInt8(ascii: "\""))
    buffer.writeStaticString(name)
    buffer.writeStaticString("\":")
    needsComma = false
  }

  mutating func integer(_ value: Int) {
    separate()
    buffer.writeString(String(value))
  }

  mutating func number(_ value: Double) {
    separate()
    buffer.writeString("\(value)")
  }

  mutating func null() {
    separate()
    buffer.writeStaticString("null")
  }

  mutating func string(_ value: String?) {
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
  /// A law as `#/components/schemas/Law` has it.
  mutating func law(_ law: Law) {
    object { json in
      json.name("id")
      json.integer(law.id)
      json.name("text")
      json.string(law.text)
      json.name("title")
      json.string(law.title)
      json.name("category_id")
      json.integer(law.categoryID)
      json.name("upvotes")
      json.integer(law.upvotes)
      json.name("downvotes")
      json.integer(law.downvotes)
      json.name("created_at")
      json.string(law.createdAt)
      json.name("attributions")
      json.array { json in
        for attribution in law.attributions { json.object { $0.members(of: attribution) } }
      }
    }
  }

  /// Name and contact, within an object.
  mutating func members(of attribution: Attribution) {
    name("name")
    string(attribution.name)
    name("contact_type")
    switch attribution.contact {
    case .url(let value):
      string("url")
      name("contact_value")
      string(value)
    case .email(let value):
      string("email")
      name("contact_value")
      string(value)
    case nil:
      null()
      name("contact_value")
      null()
    }
  }
}
