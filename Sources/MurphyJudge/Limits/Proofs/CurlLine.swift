import MurphyModel

/// `curl` command lines that repeat requests of the limit log. Credentials stay out of them.
struct CurlLine {
  let operation: String
  let identity: ClientIdentity
  let target: String
  let operations: [OperationSummary]

  /// One request; prints the status.
  var text: String {
    let summary = operations.first { $0.id == operation }
    let method = summary?.method ?? "GET"
    var words = ["curl -s -o /dev/null -w '%{http_code}\\n'"]
    if method != "GET" { words.append("-X \(method)") }
    if !identity.sourceAddress.isEmpty { words.append("--interface \(identity.sourceAddress)") }
    for field in identity.headers {
      let value = field.name == "authorization" || field.name == "cookie" ? "$\(field.name.uppercased())" : field.value
      words.append("-H " + quoted("\(field.name): \(value)", expanding: value.hasPrefix("$")))
    }
    words.append(quoted(target + (summary?.path ?? "/" + operation), expanding: target.hasPrefix("$")))
    return words.joined(separator: " ")
  }

  /// The request at each of these moments (seconds, ascending), runs of them as loops, pauses as `sleep`.
  func sequence(_ moments: [Double]) -> String {
    var lines: [String] = []
    var index = 0
    while index < moments.count {
      var end = index + 1
      while end < moments.count, moments[end] - moments[end - 1] < 0.25 { end += 1 }
      if index > 0 { lines.append("sleep \(pause(moments[index] - moments[index - 1]))") }
      let count = end - index
      lines.append(count == 1 ? text : "for i in $(seq \(count)); do \(text) & done; wait")
      index = end
    }
    return lines.joined(separator: "; ")
  }

  private func pause(_ seconds: Double) -> String { String((seconds * 100).rounded() / 100) }

  private func quoted(_ text: String, expanding: Bool) -> String {
    if expanding { return "\"" + text.replacing("\"", with: "\\\"") + "\"" }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
