/// A form with parts, `multipart/form-data` (RFC 7578): strings and files.
package struct MultipartForm: Sendable {
  /// One named field or file of the form.
  package struct Part: Sendable {
    package var name: String
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
