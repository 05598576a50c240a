/// Content that curl generates itself from files and fields, as murphy did.
package enum CurlUpload: Sendable, Hashable, Codable {
  /// The whole content of a file.
  case file(String)
  /// `multipart/form-data`; curl generates its own boundary.
  case form([Field])

  /// One part of the form.
  package struct Field: Sendable, Hashable, Codable {
    package enum Content: Sendable, Hashable, Codable {
      case text(ShellWord)
      case file(String)
    }

    var name: String
    var content: Content
    var fileName: String?
    var type: String?
  }

  /// - Parameter word: a string with shell variables instead of secrets.
  package init(_ content: RequestContent, word: (String) -> ShellWord) {
    switch content {
    case .file(let path, _): self = .file(path)
    case .form(let form):
      self = .form(
        form.parts.map { part in
          let content: Field.Content =
            switch part.content {
            case .text(let text): .text(word(text))
            case .file(let path, _): .file(path)
            }
          return Field(name: part.name, content: content, fileName: part.fileName, type: part.type)
        })
    }
  }

  /// The same with other words for its strings.
  package func replacing(_ word: (ShellWord) -> ShellWord) -> CurlUpload {
    guard case .form(var fields) = self else { return self }
    for index in fields.indices {
      if case .text(let text) = fields[index].content { fields[index].content = .text(word(text)) }
    }
    return .form(fields)
  }

  var isForm: Bool { if case .form = self { true } else { false } }

  /// The variables in its strings.
  var variables: [ShellVariable] {
    guard case .form(let fields) = self else { return [] }
    return fields.flatMap { field -> [ShellVariable] in
      if case .text(let text) = field.content { text.variables } else { [] }
    }
  }

  /// Arguments of curl, quoted.
  var words: [String] {
    switch self {
    case .file(let path): ["--data-binary", ShellWord("@" + path).quoted]
    case .form(let fields): fields.flatMap(\.words)
    }
  }
}

extension CurlUpload.Field {
  fileprivate var words: [String] {
    var details = ""
    if let fileName { details += ";filename=" + Self.quoted(fileName) }
    if let type { details += ";type=" + type }
    switch content {
    case .file(let path): return ["-F", ShellWord("\(name)=@\(Self.quoted(path))\(details)").quoted]
    // Used literally, whatever its first character.
    case .text(let text) where details.isEmpty: return ["--form-string", (ShellWord(name + "=") + text).quoted]
    case .text(let text):
      // Quoted, so that neither a leading `@` nor a `;` has a meaning for curl.
      return ["-F", (ShellWord(name + "=\"") + Self.escaped(text) + ShellWord("\"" + details)).quoted]
    }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.escaping(["\\": "\\\\", "\"": "\\\""]) + "\""
  }

  private static func escaped(_ word: ShellWord) -> ShellWord {
    ShellWord(
      word.pieces.map { piece in
        guard case .bytes(let bytes) = piece else { return piece }
        return .bytes(bytes.flatMap { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\"") ? [0x5C, $0] : [$0] })
      })
  }
}
