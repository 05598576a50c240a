/// A request as a `curl` command line that sends exactly this request, for a POSIX shell.
package struct CurlRequest: Sendable, Hashable, Codable {
  /// The output of the command.
  package enum Output: Sendable, Hashable, Codable {
    /// Status line, headers and body.
    case response
    /// The status code on a separate line; 000 without a response.
    case status
    /// Only the body, for another command.
    case body

    private enum CodingKeys: String, CodingKey { case response = "answer", status, body }
  }

  /// One header line.
  package struct Field: Sendable, Hashable, Codable {
    /// The name of the header.
    package var name: String
    /// The value; secrets are variables.
    package var value: ShellWord

    package init(_ name: String, _ value: ShellWord) {
      self.name = name
      self.value = value
    }

    /// The variable that replaces secret credentials of the scheme Basic (RFC 7617 §2); nil for another header.
    var basicCredentials: ShellVariable? {
      guard name.isHeader("authorization"), case .bytes(let scheme)? = value.pieces.first, value.pieces.count == 2,
        String(decoding: scheme, as: UTF8.self).lowercased() == "basic "
      else { return nil }
      return value.variables.first
    }
  }

  /// The HTTP method.
  package var method: String
  /// The URL, or its part after the target's.
  package var url: ShellWord
  /// Headers whose name is not a token (RFC 9110, 5.6.2) are left out: no client can send them.
  package var headers: [Field]
  /// Nil for a request without content.
  package var body: ShellWord?
  /// Content that curl generates itself, instead of `body`.
  package var upload: CurlUpload?
  /// What curl prints.
  package var output: Output
  /// A file of certificate authorities, PEM.
  package var authorities: String?
  /// False adds `-k`.
  package var checksCertificates: Bool
  /// The certificate that the client presents in a TLS handshake; curl prompts for a passphrase.
  package var certificate: ClientCertificate?
  /// The local address to send from; empty for the system's choice.
  package var sourceAddress: String
  /// The variable with the name of the file in which cookies are kept between requests.
  package var cookieFile: ShellVariable?
  /// The time after which curl aborts.
  package var timeout: Duration?
  /// Content codings that the client requests if no header does: curl's own differ. Nil for none.
  package var codings: String?

  package init(
    method: String, url: ShellWord, headers: [Field] = [], body: ShellWord? = nil, output: Output = .response,
    authorities: String? = nil, checksCertificates: Bool = true, sourceAddress: String = ""
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.output = output
    self.authorities = authorities
    self.checksCertificates = checksCertificates
    self.sourceAddress = sourceAddress
  }

  /// The command line.
  package var text: String { command(words) }

  /// An argument of a command has at most 128 KiB (Linux, `MAX_ARG_STRLEN`); longer content is piped.
  private static let longestArgument = 100_000

  /// The variables in its words.
  var variables: [ShellVariable] {
    url.variables + headers.flatMap(\.value.variables) + (body?.variables ?? []) + (upload?.variables ?? [])
      + [cookieFile].compactMap(\.self)
  }

  /// The command line for this many parallel requests; each prints its status.
  func parallel(_ count: Int) -> String {
    var request = self
    request.output = .status
    let words = request.words
    let repeated = ["-o", "/dev/null", "--url", url.quoted]
    let kept = words.dropLast(2).filter { $0 != "-o" && $0 != "/dev/null" }
    // curl runs at most 300 parallel transfers.
    let line = kept + ["-Z", "--no-progress-meter", "--parallel-immediate", "--parallel-max", "300", "\"$@\""]
    let command = request.command(line)
    return "(set --; for i in $(seq \(count)); do set -- \"$@\" \(repeated.joined(separator: " ")); done; \(command))"
  }

  /// Content is piped if an argument cannot hold it or a terminal would interpret it.
  var pipedBody: ShellWord? {
    guard let body, upload == nil, method != "HEAD" else { return nil }
    return body.isPrintable && body.literalCount <= Self.longestArgument ? nil : body
  }

  func command(_ words: [String]) -> String {
    let line = words.joined(separator: " ")
    return pipedBody.map { $0.printing + " | " + line } ?? line
  }

  /// The command's words, quoted.
  var words: [String] {
    // `-g`: brackets and braces of a URL are not patterns. curl reads a file after `@` in `--data` only.
    var words = ["curl", "-g"]
    switch output {
    case .response: words += ["-sS", "-i"]
    case .status: words += ["-s", "-o", "/dev/null", "-w", "'%{http_code}\\n'"]
    case .body: words += ["-sS"]
    }
    if headers.contains(where: { $0.name.isHeader("accept-encoding") }) {
      words.append("--compressed")
    } else if let codings {
      words += ["--compressed", "-H", ShellWord("Accept-Encoding: " + codings).quoted]
    }
    if method == "HEAD" {
      words.append("--head")
    } else if method != "GET" || body != nil || upload != nil {
      words += ["-X", method.utf8.allSatisfy { (0x41...0x5A).contains($0) } ? method : ShellWord(method).quoted]
    }
    if let authorities { words += ["--cacert", ShellWord(authorities).quoted] }
    if let certificate {
      words += ["--cert", ShellWord(certificate.file).quoted]
      if let key = certificate.key { words += ["--key", ShellWord(key).quoted] }
    }
    if !checksCertificates { words.append("--insecure") }
    if !sourceAddress.isEmpty { words += ["--interface", ShellWord(sourceAddress).quoted] }
    // curl resolves `/../` before sending.
    if url.prefix.contains("/.") { words.append("--path-as-is") }
    if let timeout { words += ["--max-time", "\(max(1, (timeout.inSeconds * 10).rounded() / 10))"] }
    if let cookieFile {
      let word = ShellWord(cookieFile).quoted
      words += ["-b", word, "-c", word]
    }
    for field in headers where HeaderName.isValid(field.name) {
      // The content type contains the boundary.
      if upload?.isForm == true, field.name.isHeader("content-type") { continue }
      // The variable holds `user:password`, as murphy's variables do.
      if let password = field.basicCredentials {
        words += ["-u", ShellWord(password).quoted]
        continue
      }
      // curl's notation for a header without a value is a semicolon.
      let word = field.value.isEmpty ? ShellWord(field.name + ";") : ShellWord(field.name + ": ") + field.value
      words += ["-H", word.quoted]
    }
    if let upload, method != "HEAD" {
      words += upload.words
      if !upload.isForm, !headers.contains(where: { $0.name.isHeader("content-type") }) {
        words += ["-H", "'Content-Type:'"]
      }
    } else if let body, method != "HEAD" {
      // curl would add a content type of its own.
      if !headers.contains(where: { $0.name.isHeader("content-type") }) { words += ["-H", "'Content-Type:'"] }
      words += pipedBody == nil ? ["--data-raw", body.quoted] : ["--data-binary", "@-"]
    } else if ["POST", "PUT", "PATCH"].contains(method),
      !headers.contains(where: { $0.name.isHeader("content-length") })
    {
      // RFC 9110, 8.6 requires it for methods that expect content.
      words += ["-H", "'Content-Length: 0'"]
    }
    return words + ["--url", url.quoted]
  }
}

/// Content that curl generates itself from files and fields, as murphy did.
package enum CurlUpload: Sendable, Hashable, Codable {
  /// The whole content of a file.
  case file(String)
  /// `multipart/form-data`; curl generates its own boundary.
  case form([Field])

  /// One part of the form.
  package struct Field: Sendable, Hashable, Codable {
    /// The content of a field of a form.
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
