/// A form with parts, `multipart/form-data` (RFC 7578): strings and files.
package struct MultipartForm: Sendable {
  /// One named field or file of the form.
  package struct Part: Sendable {
    /// The name of the form field.
    package var name: String
    /// A text or a file.
    package var content: Content
    /// A part with a file name is a file for the server (RFC 7578 §4.2).
    package var fileName: String?
    /// Nil for plain text (RFC 7578 §4.4).
    package var type: String?

    package init(name: String, content: Content, fileName: String? = nil, type: String? = nil) {
      self.name = name
      self.content = content
      self.fileName = fileName
      self.type = type
    }
  }

  package enum Content: Sendable {
    case text(String)
    /// The bytes of a file; copies share them.
    case file(path: String, [UInt8])

    var count: Int {
      switch self {
      case .text(let text): text.utf8.count
      case .file(_, let bytes): bytes.count
      }
    }
  }

  /// In the order in which they are sent.
  package var parts: [Part]

  package init(parts: [Part] = []) { self.parts = parts }

  /// `murphy-` and 32 digits: a part can hold it only by intent.
  package static func boundary(drawn seed: UInt64) -> String {
    var random = RandomSource(seed: seed)
    return "murphy-" + random.next().padded(16, radix: 16) + random.next().padded(16, radix: 16)
  }

  /// The body (RFC 2046 §5.1.1).
  package func bytes(boundary: String) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(parts.reduce(100) { $0 + $1.content.count + $1.name.utf8.count + 200 })
    for part in parts {
      bytes += "--\(boundary)\r\n\(part.head)\r\n".utf8
      switch part.content {
      case .text(let text): bytes += text.utf8
      case .file(_, let content): bytes += content
      }
      bytes += "\r\n".utf8
    }
    return bytes + "--\(boundary)--\r\n".utf8
  }
}

extension MultipartForm.Part {
  fileprivate var head: String {
    var head = "Content-Disposition: form-data; name=\"\(Self.escaped(name))\""
    if let fileName { head += "; filename=\"\(Self.escaped(fileName))\"" }
    head += "\r\n"
    if let type { head += "Content-Type: \(type)\r\n" }
    return head
  }

  /// The format in which browsers and curl write names (HTML §4.10.22.8), so that none ends its line.
  private static func escaped(_ name: String) -> String {
    name.escaping(["\r": "%0D", "\n": "%0A", "\"": "%22"])
  }
}

/// The source of a request's content, if its bytes alone do not show it well: files, and the parts of a form.
package enum RequestContent: Sendable {
  /// The whole content of a file.
  case file(path: String, size: Int)
  case form(MultipartForm)

  /// For people: one line for each part, without the bytes of files.
  package var shown: String {
    switch self {
    case .file(let path, let size): "(the \(size) bytes of \(path))"
    case .form(let form): form.parts.map(\.shown).joined(separator: "\n")
    }
  }
}

extension MultipartForm.Part {
  fileprivate var shown: String {
    let details = [fileName.map { "file name \($0)" }, type].compactMap(\.self).joined(separator: ", ")
    let value =
      switch content {
      case .text(let text): text
      case .file(let path, let bytes): "(the \(bytes.count) bytes of \(path))"
      }
    return "\(name)\(details.isEmpty ? "" : " [\(details)]"): \(value)"
  }
}

/// Percent-encoding of URI components (RFC 3986 §2).
package enum PercentEncoding {
  /// Encodes every byte except the unreserved ones as `%XX`. With `keepingReserved` the reserved ones stay too
  /// (`allowReserved`), and so do existing `%XX` triples (RFC 6570 §3.2.3).
  package static func encode(_ text: String, keepingReserved: Bool) -> String {
    encode(Array(text.utf8)) { bytes, index in
      isUnreserved(bytes[index]) || (keepingReserved && (isReserved(bytes[index]) || isTriple(bytes, at: index)))
    }
  }

  /// Encodes a path of the file system as a URI path: its slashes stay.
  package static func encode(path: String) -> String {
    encode(Array(path.utf8)) { bytes, index in isUnreserved(bytes[index]) || bytes[index] == UInt8(ascii: "/") }
  }

  /// Encodes only bytes beyond ASCII as `%XX`, as browsers send a reference that a server wrote.
  package static func encode(beyondASCII text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
    return encode(Array(text.utf8)) { bytes, index in bytes[index] < 0x80 }
  }

  private static func encode(_ bytes: [UInt8], keeping isKept: ([UInt8], Int) -> Bool) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for index in bytes.indices {
      if isKept(bytes, index) {
        result.append(bytes[index])
      } else {
        result += [UInt8(ascii: "%"), digit(bytes[index] >> 4), digit(bytes[index] & 15)]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes `%XX`; a `%` without two hexadecimal digits stays.
  package static func decode(_ text: some StringProtocol) -> String { String(decoding: bytes(text), as: UTF8.self) }

  /// The same for a part of a form or query, in which `+` is a space (HTML, `application/x-www-form-urlencoded`).
  package static func decode(form text: some StringProtocol) -> String {
    decode(String(decoding: text.utf8.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }, as: UTF8.self))
  }

  /// The bytes that a string encodes, which need not be UTF-8.
  package static func bytes(_ text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if isTriple(bytes, at: index) {
        result.append(value(bytes[index + 1])! << 4 | value(bytes[index + 2])!)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func isTriple(_ bytes: [UInt8], at index: Int) -> Bool {
    bytes[index] == UInt8(ascii: "%") && index + 2 < bytes.count && value(bytes[index + 1]) != nil
      && value(bytes[index + 2]) != nil
  }

  /// True if the byte needs no encoding anywhere in a URI (RFC 3986 §2.3).
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func isReserved(_ byte: UInt8) -> Bool { ":/?#[]@!$&'()*+,;=".utf8.contains(byte) }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
