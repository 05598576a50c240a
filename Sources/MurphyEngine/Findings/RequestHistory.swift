import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The origin of a session's values and cookies: the requests that a script must send first to get them again.
struct RequestHistory {
  var secrets: [Secret] = []
  /// The values that the session generated as unique.
  var unique = UniqueValues()
  /// Writes the script of the request that is sent. The parameter is a status, 0 without a response. Nil where the
  /// history determines the script.
  var script: (@Sendable (_ status: Int) -> ShellScript)?
  /// By the variable's slot: the responses from which its value was made.
  private var saved: [Int: [SavedValue]] = [:]
  private(set) var cookieCalls: [EarlierCall] = []
  private static let mostCookieCalls = 4

  func sources(of variables: [Variable]) -> [SavedValue] {
    saved.isEmpty ? [] : variables.flatMap { saved[$0.slot] ?? [] }
  }

  mutating func save(_ value: SavedValue) { saved[value.variable.slot] = [value] }

  /// Records that `variable` was set to a value that was made of others.
  mutating func derive(_ variable: Variable, from others: [Variable]) {
    let sources = sources(of: others)
    if !sources.isEmpty || saved[variable.slot] != nil { saved[variable.slot] = sources.isEmpty ? nil : sources }
  }

  /// The existing call, if its response set cookies: a script makes it once.
  func call(
    _ operation: String, _ request: PreparedRequest, sent: Instant
  ) -> EarlierCall {
    if let known = cookieCalls.last, known.sent == sent, known.operation == operation { return known }
    return EarlierCall(operation: operation, http: request.http, needs: sources(of: request.reads), sent: sent)
  }

  mutating func setCookies(_ call: EarlierCall) {
    cookieCalls.append(call)
    if cookieCalls.count > Self.mostCookieCalls { cookieCalls.removeFirst() }
  }
}

struct SavedValue: Sendable {
  let variable: Variable
  let source: Save.Source
  let value: JSONValue
  let call: EarlierCall
  /// True for the whole value of the source; false for a part that a pattern extracted.
  let isWhole: Bool

  init(_ save: Save, value: JSONValue, call: EarlierCall) {
    variable = save.variable
    source = save.source
    self.value = value
    self.call = call
    isWhole = save.pattern == nil
  }
}

/// A call of the session, and the values that it needed.
final class EarlierCall: Sendable {
  /// The operationId.
  let operation: String
  let http: HTTPRequest
  let needs: [SavedValue]
  let sent: Instant
  private let depth: Int
  /// Longer chains of calls, such as those of a session that pages through a list, are cut. A script then writes the
  /// values out.
  private static let deepest = 4

  init(operation: String, http: HTTPRequest, needs: [SavedValue], sent: Instant) {
    self.operation = operation
    self.sent = sent
    self.http = http
    let depth = 1 + (needs.map(\.call.depth).max() ?? 0)
    self.needs = depth > Self.deepest ? [] : needs
    self.depth = depth > Self.deepest ? 1 : depth
  }

  /// True if a repetition of the request changes nothing.
  var isSafe: Bool { http.isSafe }
}
