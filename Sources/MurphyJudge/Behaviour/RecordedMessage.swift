import MurphyModel
import MurphySchema

/// A recorded exchange, read once for all comparisons.
struct RecordedMessage: Sendable {
  /// The same request in another run.
  struct Key: Hashable, Sendable {
    /// The number of the session in its run.
    var session: Int
    var step: String
    /// How often the session had executed the step before.
    var turn: Int
  }

  enum Body: Sendable {
    case none
    case json(JSONValue)
    case text(String)
    /// The body is longer than what murphy recorded.
    case cut
  }

  let key: Key
  let call: RecordedCall
  /// The method, and the parts of the URL and of the body with their values.
  let request: [(name: String, value: String)]
  /// In the order of their names, which are in lower case.
  let headers: [(name: String, value: String)]
  let body: Body
  /// The strings and whole numbers of the response.
  let values: Set<String>

  var status: Int? { call.ending == .answered ? call.exchange.status : nil }
  var operation: String { call.operation }
  /// True if the request may have created something.
  var isWrite: Bool { !["GET", "HEAD", "OPTIONS"].contains(call.exchange.method) }

  /// The messages of a run. Of a request that was sent again after a rejection, only the last counts.
  static func all(of run: RecordedRun) -> [RecordedMessage] {
    var messages: [RecordedMessage] = []
    for (number, session) in run.sessions.enumerated() {
      var turns: [String: Int] = [:]
      // Concurrent requests of one user are numbered in the order in which it sent them.
      let calls = session.calls.sorted { $0.exchange.sent < $1.exchange.sent }
      for (index, call) in calls.enumerated() {
        let isRepeated =
          calls.indices.contains(index + 1) && calls[index + 1].step == call.step
          && calls[index + 1].exchange.url == call.exchange.url
        if call.isDeferred, isRepeated { continue }
        let name = "\(call.step) \(call.operation)"
        let turn = turns[name, default: 0]
        turns[name] = turn + 1
        messages.append(RecordedMessage(call, Key(session: number, step: name, turn: turn)))
      }
    }
    return messages
  }

  private init(_ call: RecordedCall, _ key: Key) {
    (self.call, self.key) = (call, key)
    let exchange = call.exchange
    let (authority, target) = Self.split(exchange.url)
    var request = [(name: "method", value: exchange.method)]
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    for (index, segment) in halves[0].split(separator: "/").enumerated() {
      request.append(("path \(index)", String(segment)))
    }
    for pair in (halves.count > 1 ? halves[1] : "").split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      request.append(("query \(parts[0])", parts.count > 1 ? String(parts[1]) : ""))
    }
    switch Self.body(exchange.requestBody, exchange.requestBody?.utf8.count ?? 0, authority: nil) {
    case .none, .cut: break
    case .text(let text): request.append(("body", text))
    case .json(let value):
      Self.visit(value) { pointer, leaf in request.append(("body \(pointer)", leaf.string ?? leaf.text)) }
    }
    self.request = request
    body = Self.body(exchange.responseBody, exchange.responseSize, authority: authority)
    headers = ComparedHeaders.read(exchange.responseHeaders, authority: authority)
    var values: Set<String> = []
    if case .json(let value) = body {
      Self.visit(value) { _, leaf in
        if let text = leaf.string ?? leaf.int.map(String.init) { values.insert(text) }
      }
    }
    for header in headers where header.name == "location" || header.name == "content-location" {
      values.formUnion(header.value.split(separator: "/").map(String.init))
    }
    self.values = values
  }

  /// The authority of a URL, and what follows it.
  private static func split(_ url: String) -> (authority: String, target: String) {
    guard let scheme = url.firstRange(of: "://") else { return ("", url) }
    let rest = url[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    return (String(authority), String(rest.dropFirst(authority.count)))
  }

  /// - Parameter authority: of the target, which differs between base and candidate.
  private static func body(_ text: String?, _ size: Int, authority: String?) -> Body {
    guard var text, !text.isEmpty else { return size > 0 ? .cut : .none }
    let isWhole = text.utf8.count >= size || text.contains(SecretMask.mask)
    if let authority, !authority.isEmpty { text = text.replacing(authority, with: ComparedHeaders.target) }
    if let value = try? JSONValue.parse(Array(text.utf8)) { return .json(value) }
    return isWhole ? .text(text) : .cut
  }

  /// Calls `show` with each value that has no parts, and its pointer.
  static func visit(_ value: JSONValue, at pointer: JSONPointer = .root, _ show: (JSONPointer, JSONValue) -> Void) {
    switch value {
    case .array(let values):
      for (index, value) in values.enumerated() { visit(value, at: pointer.appending(index), show) }
    case .object(let object):
      for member in object.members { visit(member.value, at: pointer.appending(member.key), show) }
    default: show(pointer, value)
    }
  }
}

/// The headers of a response in the form in which they are compared.
enum ComparedHeaders {
  /// Stands for the address of the target, which differs between base and candidate.
  static let target = "TARGET"
  /// Headers of the connection, or that follow from the body or the clock.
  static let ignored: Set = [
    "date", "age", "content-length", "transfer-encoding", "connection", "keep-alive", "server-timing", "traceparent",
    "alt-svc",
  ]
  /// Headers whose value follows from the body or the time: only their presence counts.
  private static func isOpaque(_ name: String) -> Bool { name == "retry-after" || name.contains("ratelimit") }

  /// By name, in order; several values of one name are joined.
  static func read(_ fields: [HeaderField], authority: String) -> [(name: String, value: String)] {
    var values: [String: String] = [:]
    for field in fields {
      let name = field.name.lowercased()
      guard !ignored.contains(name) else { continue }
      let value = comparable(name, authority.isEmpty ? field.value : field.value.replacing(authority, with: target))
      values[name] = values[name].map { "\($0), \(value)" } ?? value
    }
    return values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func comparable(_ name: String, _ value: String) -> String {
    if isOpaque(name) { return "…" }
    if name == "etag" { return value.hasPrefix("W/") ? "W/\"…\"" : "\"…\"" }
    guard name == "set-cookie" else { return value }
    let parts = value.split(separator: ";").map { $0.drop { $0 == " " } }
    let attributes = parts.dropFirst().map { $0.lowercased() }.map { $0.hasPrefix("expires=") ? "expires=…" : $0 }
    return ((parts.first.map { ["\($0.prefix { $0 != "=" })=…"] } ?? []) + attributes.sorted()).joined(separator: "; ")
  }
}
