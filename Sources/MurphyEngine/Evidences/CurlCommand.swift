import MurphyModel

/// A `curl` command line that repeats a request, quoted for a POSIX shell.
package struct CurlCommand {
  package var method: String
  package var url: String
  package var headers: [HeaderField]
  package var body: String?
  package var authorities: String?
  package var isInsecure = false

  package init(
    method: String, url: String, headers: [HeaderField], body: String?, authorities: String? = nil,
    isInsecure: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.authorities = authorities
    self.isInsecure = isInsecure
  }

  package var text: String {
    var words = ["curl", "-sS", "-i", "--compressed"]
    if method == "HEAD" {
      words.append("--head")
    } else if method != "GET" || body != nil {
      words += ["-X", Self.quoted(method)]
    }
    if let authorities { words += ["--cacert", Self.quoted(authorities)] }
    if isInsecure { words.append("--insecure") }
    for field in headers {
      // curl's notation for a header without a value is a semicolon.
      words += ["-H", Self.quoted(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")]
    }
    if let body { words += ["--data-raw", Self.quoted(body)] }
    words.append(Self.quoted(url))
    return words.joined(separator: " ")
  }

  /// Bare where no character is special to a shell, else in single quotes; a single quote becomes `'\''`.
  package static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: "-_./:@%+=,".utf8.contains(byte)
      }
    }
    if isPlain, !word.isEmpty { return word }
    return "'" + word.replacing("'", with: "'\\''") + "'"
  }
}
