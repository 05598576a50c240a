import Foundation
import MurphyContract
import MurphySchema

/// Reads `curl` commands: a browser's "copy as cURL", a shell script, or the examples of a documentation. They become
/// one session.
struct CurlReader {
  private var collection = RequestCollection()
  private var requests: [CollectedRequest] = []
  private var pause: String?

  static func isScript(_ text: String) -> Bool {
    text.contains(/(?m)^[\s$>%]*(?:\w+=[$][(])?curl(?:\.exe)?[\s^]/)
  }

  static func recording(
    _ text: String, _ file: String, _ contract: Contract
  ) throws(ImportedScenario.Mistake) -> Recording {
    var reader = CurlReader()
    let (commands, unended) = ShellWords.commands(in: text)
    if let unended {
      throw ImportedScenario.Mistake(description: "\(file):\(unended): a quotation mark or a bracket is not closed")
    }
    for command in commands { reader.read(command) }
    reader.collection.add(reader.requests, to: "commands")
    return reader.collection.recording(contract) { _ in nil }
  }

  private mutating func read(_ command: ShellWords.Command, depth: Int = 0) {
    let words = command.words.drop { ["$", ">", "%", "export", "time", "sudo"].contains($0) }
    let rest = words.drop { $0.wholeMatch(of: /[A-Za-z_]\w*=(.|\n)*/) != nil }
    guard let name = rest.first else {
      for word in words { assign(word, command, depth) }
      return
    }
    if name == "sleep", let seconds = rest.dropFirst().first.flatMap(Double.init), 0.1...3_600 ~= seconds {
      pause = "\(Measured.text(seconds))s"
    } else if name.split(separator: "/").last.map({ ["curl", "curl.exe"].contains($0) }) == true {
      var options: [(name: String, value: String)] = []
      for (name, value) in CurlOptions.read(rest.dropFirst()) {
        guard name == "next" else {
          options.append((name, value))
          continue
        }
        add(options, command)
        options = []
      }
      add(options, command)
    } else if !command.isPiped {
      collection.left.append("line \(command.line): the command \(ContentMask.shown(String(name.prefix(40))))")
    }
  }

  /// `NAME=value`, `TOKEN=$(curl … | jq -r .token)`
  private mutating func assign(_ word: String, _ command: ShellWords.Command, _ depth: Int) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return }
    guard parts[1].contains("{{command}}") else { return collection.constants[parts[0]] = parts[1] }
    var inner = ShellWords.commands(in: command.substitutions.first ?? "").commands
    for index in inner.indices { inner[index].line += command.line - 1 }
    let filter = inner.dropFirst().first?.words.drop { $0 == "jq" || $0.hasPrefix("-") }.first ?? ""
    guard depth < 2, let first = inner.first, inner.count == 2, inner[1].words.first == "jq",
      filter.wholeMatch(of: /(?:\.[A-Za-z_]\w*|\[[0-9]+\])+/) != nil
    else { return collection.left.append("line \(command.line): the value of \(parts[0])") }
    let known = requests.count
    read(first, depth: depth + 1)
    if requests.count > known { requests[requests.count - 1].saves.append((parts[0], .body("$" + filter))) }
  }

  /// Adds the requests of one command: one for each URL.
  private mutating func add(_ options: [(name: String, value: String)], _ command: ShellWords.Command) {
    let place = "line \(command.line)"
    var request = CollectedRequest(place, "", "")
    var method: String?
    var data: [String] = []
    var isQuery = false
    for (name, value) in options {
      switch name {
      case "request": method = value
      case "head": method = method ?? "HEAD"
      case "get": isQuery = true
      case "header": addHeader(value, to: &request)
      case "data", "data-ascii", "data-binary", "data-raw", "json":
        if name == "json" { request.request.contentType = "application/json" }
        if value == "@-", name != "data-raw", let input = command.input {
          data.append(input)
        } else if value.hasPrefix("@"), name != "data-raw" {
          collection.left.append(
            "\(place): the content of \(value.dropFirst()); write the content as the body of the step")
        } else {
          data.append(value)
        }
      case "data-urlencode", "url-query":
        guard let pair = Self.pair(value) else {
          collection.left.append("\(place): the content of a file (\(name))")
          continue
        }
        if name == "url-query" { request.request.query.append(pair) } else { data.append(Self.encoded(pair)) }
      case "form", "form-string": addPart(value, isLiteral: name == "form-string", to: &request)
      case "user": request.authorize(basic: value)
      case "oauth2-bearer": _ = request.authorize("bearer") { $0 == "token" ? value : nil }
      case "cookie":
        collection.left.append("\(place): its cookies, because each user stores the cookies that the API sets")
      case "upload-file":
        method = method ?? "PUT"
        collection.left.append("\(place): the content of \(value); write the content as the body of the step")
      case _ where CurlOptions.unsent.contains(name): collection.left.append("\(place): the option --\(name)")
      default: break
      }
    }
    let hasBody = !data.isEmpty && !isQuery || !request.request.parts.isEmpty
    request.request.method = (method ?? (hasBody ? "POST" : "GET")).uppercased()
    if isQuery {
      request.request.query += RecordedRequest.pairs(data.joined(separator: "&"))
    } else if !data.isEmpty {
      let text = data.joined(separator: request.request.contentType == nil ? "&" : "")
      let isJSON =
        request.request.contentType != nil || (try? JSONValue.parse(ToolVariables.quoted(text)))?.object != nil
      if isJSON, request.request.contentType == nil, request.request.typeField == nil {
        collection.left.append("\(place): the form content type, because the body is JSON")
      }
      request.setBody(text, isJSON ? "application/json" : "application/x-www-form-urlencoded")
    }
    for (name, url) in options where name == "url" {
      request.url = url.contains("://") || url.hasPrefix("{{") ? url : "http://" + url
      request.pause = pause
      pause = nil
      requests.append(request)
    }
  }

  private mutating func addHeader(_ value: String, to request: inout CollectedRequest) {
    guard let colon = value.firstIndex(of: ":") else {
      if value.hasPrefix("@") { collection.left.append("\(request.name): the headers in a file") }
      return
    }
    let name = value[..<colon].trimmingCharacters(in: .whitespaces)
    let text = value[value.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    // A name without a value removes a header of curl.
    if !text.isEmpty { request.request.headers.append((name, text)) }
  }

  /// `name=content`, `=content` or `content`; nil for the content of a file.
  private static func pair(_ text: String) -> (name: String, value: String)? {
    guard let sign = text.firstIndex(where: { $0 == "=" || $0 == "@" }) else { return ("", text) }
    return text[sign] == "@" ? nil : (String(text[..<sign]), String(text[text.index(after: sign)...]))
  }

  private static func encoded(_ pair: (name: String, value: String)) -> String {
    var form = RecordedRequest(method: "", path: "")
    form.setForm([("", pair.value)])
    let value = String((form.body ?? "").dropFirst())
    return pair.name.isEmpty ? value : "\(pair.name)=\(value)"
  }

  /// `name=text`, `name=@file;type=image/png;filename=a.png`
  private func addPart(_ text: String, isLiteral: Bool, to request: inout CollectedRequest) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return }
    var part = RecordedPart(name: parts[0], text: parts[1])
    if !isLiteral {
      let fields = parts[1].split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      part.text = fields.first
      for field in fields.dropFirst() {
        if field.hasPrefix("type=") { part.type = String(field.dropFirst(5)) }
        if field.hasPrefix("filename=") { part.fileName = String(field.dropFirst(9)) }
      }
      if let file = part.text, file.hasPrefix("@") || file.hasPrefix("<") {
        let name = file.dropFirst().split(separator: "/").last.map(String.init)
        part.fileName = part.fileName ?? name ?? "file"
        part.text = nil
      }
    }
    request.request.parts.append(part)
  }
}
