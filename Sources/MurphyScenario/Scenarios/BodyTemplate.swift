import MurphyModel

/// A request body in the scenario's notation.
package enum BodyTemplate: Sendable {
  /// `body:` sent as JSON.
  case json(Template, contentType: String)
  /// `form:` sent as `application/x-www-form-urlencoded` (WHATWG URL §5.2).
  case form([NamedTemplate])
  /// `text:` sent unchanged.
  case text(Template, contentType: String)
  /// `multipart:` sent as `multipart/form-data` (RFC 7578). The boundary takes one value of the random stream, after the
  /// parts.
  case multipart([PartTemplate])
  /// `file:` sent unchanged.
  case file(BodyFile, contentType: String)

  /// Every variable that the body reads.
  package var variables: [Variable] {
    switch self {
    case .json(let value, _), .text(let value, _): value.variables
    case .form(let fields): fields.flatMap(\.value.variables)
    case .multipart(let parts): parts.flatMap { $0.value?.variables ?? [] }
    case .file: []
    }
  }

  /// True if all requests send the same bytes.
  package var isConstant: Bool {
    switch self {
    case .json(let value, _), .text(let value, _): value.isConstant
    case .form(let fields): fields.allSatisfy(\.value.isConstant)
    // Each request has its own boundary.
    case .multipart: false
    case .file: true
    }
  }
}

/// A part of a `multipart:` body.
package struct PartTemplate: Sendable {
  /// The content of a part.
  package enum Content: Sendable {
    /// A list or an object is sent as JSON.
    case value(Template)
    case file(BodyFile)
  }

  package var name: String
  package var content: Content
  /// If it is set, the part is a file to the server.
  package var fileName: String?
  /// Nil for plain text, and for a value that is sent as JSON.
  package var type: String?

  package init(name: String, content: Content, fileName: String? = nil, type: String? = nil) {
    self.name = name
    self.content = content
    self.fileName = fileName
    self.type = type
  }

  /// Nil for a file.
  package var value: Template? { if case .value(let value) = content { value } else { nil } }
}

/// A file that requests send. It is read once, and all users share its bytes.
package struct BodyFile: Sendable {
  /// Relative to the working folder.
  package let path: String
  /// The whole file.
  package let bytes: [UInt8]

  package init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }

  /// Without its folders.
  package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The media type of its file extension; `application/octet-stream` if it is unknown.
  package var type: String {
    let ending = name.split(separator: ".").dropFirst().last.map { $0.lowercased() } ?? ""
    return Self.types[ending] ?? "application/octet-stream"
  }

  private static let types = [
    "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
    "svg": "image/svg+xml", "pdf": "application/pdf", "zip": "application/zip", "gz": "application/gzip",
    "json": "application/json", "xml": "application/xml", "csv": "text/csv", "txt": "text/plain", "html": "text/html",
    "mp3": "audio/mpeg", "mp4": "video/mp4",
  ]
}
