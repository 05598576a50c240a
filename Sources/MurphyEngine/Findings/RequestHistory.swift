import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Where the values and cookies of a session came from: what a script must ask for first to have them again.
struct RequestHistory {
  var secrets: [Secret] = []
  /// What the session drew to be unique.
  var unique = UniqueValues()
  /// Writes the script of the request that is sent, for a status, 0 without a response; nil where the history decides it.
  var script: (@Sendable (_ status: Int) -> ShellScript)?
  /// By the variable's slot: the answers from which its value was made.
  private var saved: [Int: [SavedValue]] = [:]
  private(set) var cookieCalls: [EarlierCall] = []
  private static let mostCookieCalls = 4

  func sources(of variables: [Variable]) -> [SavedValue] {
    saved.isEmpty ? [] : variables.flatMap { saved[$0.slot] ?? [] }
  }

  mutating func save(_ value: SavedValue) { saved[value.variable.slot] = [value] }

  /// `variable` was set to a value that was made of others.
  mutating func derive(_ variable: Variable, from others: [Variable]) {
    let sources = sources(of: others)
    if !sources.isEmpty || saved[variable.slot] != nil { saved[variable.slot] = sources.isEmpty ? nil : sources }
  }

  /// The call as it is known already, if its answer set cookies: a script makes it once.
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
  /// Whether it is all that the source gives, and not what a pattern took out of it.
  let isWhole: Bool

  init(_ save: Save, value: JSONValue, call: EarlierCall) {
    variable = save.variable
    source = save.source
    self.value = value
    self.call = call
    isWhole = save.pattern == nil
  }
}

/// A call of the session, and the values that it needed itself.
final class EarlierCall: Sendable {
  /// The operationId.
  let operation: String
  let http: HTTPRequest
  let needs: [SavedValue]
  let sent: Instant
  private let depth: Int
  /// Longer chains of calls, as of a session that turns pages, are cut: a script writes the values out instead.
  private static let deepest = 4

  init(operation: String, http: HTTPRequest, needs: [SavedValue], sent: Instant) {
    self.operation = operation
    self.sent = sent
    self.http = http
    let depth = 1 + (needs.map(\.call.depth).max() ?? 0)
    self.needs = depth > Self.deepest ? [] : needs
    self.depth = depth > Self.deepest ? 1 : depth
  }

  /// Asking again changes nothing.
  var isSafe: Bool { http.isSafe }
}
