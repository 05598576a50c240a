import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema
import Synchronization

/// Observes the sessions while they run: `murphy try`, `--http-debug`. Every string that it receives is masked.
package final class SessionTrace: Sendable {
  /// What the trace reports, in order.
  package enum Event: Sendable {
    /// - Parameter number: the number of the arrival, from 0.
    case began(session: String, number: Int)
    case exchanged(TracedExchange)
    /// A name, and the JSON that a step saved under it.
    case saved(name: String, value: String)
    /// An expectation of the step's `expect:` that failed.
    case missed(expected: String, found: String)
    /// The result of a step that sends nothing.
    case performed(String)
    /// - Parameters:
    ///   - reason: the reason of an end before the last step; nil for a session that completed.
    ///   - isWanted: true if the scenario permits this end.
    case ended(session: String, number: Int, reason: String?, isWanted: Bool)
  }

  private let left: Atomic<Int>
  private let show: @Sendable (Event) -> Void
  let keep: @Sendable (Kept) -> Void

  /// What a session received for its later requests, unmasked.
  package struct Kept: Sendable {
    enum Content: Sendable {
      /// A step saved a value in the variable with this name.
      case value(name: String, JSONValue)
      case accessToken(AccessToken)
    }

    /// The name of the session.
    var session: String
    var content: Content
    /// The secrets of the session so far.
    var secrets: [Secret]
  }

  /// - Parameters:
  ///   - most: the maximum of exchanges that are shown.
  ///   - keep: called with each saved value; it must not show the value.
  ///   - show: called from the threads that generate the load.
  package init(
    most: Int = .max, keep: @escaping @Sendable (Kept) -> Void = { _ in }, _ show: @escaping @Sendable (Event) -> Void
  ) {
    left = Atomic(most)
    self.keep = keep
    self.show = show
  }

  func claimsExchange() -> Bool {
    guard left.load(ordering: .relaxed) > 0 else { return false }
    return left.subtract(1, ordering: .relaxed).oldValue > 0
  }

  var isOpen: Bool { left.load(ordering: .relaxed) > 0 }

  func report(_ event: Event) { show(event) }
}

/// A request, its response, and the findings on it.
package struct TracedExchange: Sendable {
  /// The name of the session.
  package var session: String
  /// The step's number in its session, such as `3.else.1`; empty for a session written in Swift.
  package var step: String
  /// The operationId.
  package var operation: String
  package var exchange: Exchange
  package var phases: ServicePhases?
  /// The reason why no response was received; nil if one was received.
  package var failure: String?
  /// True if the user, or the end of the run, ended the request before its response.
  package var isAbandoned = false
  /// The violations of the contract by the response; each sentence is a finding. Nil where nothing could be checked.
  package var violations: [String]?
  /// The reason why the response could not be checked; nil if it was.
  package var unchecked: String?
}

extension SessionRun {
  func trace(_ transfer: Transfer, _ request: PreparedRequest) {
    guard let trace = loopRun.openTrace, trace.claimsExchange() else { return }
    collectSecrets(transfer, request)
    let evidence = loopRun.evidence(transfer, request, evidenceHistory)
    guard let exchange = evidence.exchange else { return }
    var traced = TracedExchange(
      session: script.name, step: place, operation: loopRun.context.contract.operations[request.operation].id,
      exchange: exchange)
    switch transfer.ending {
    case .failed(let error): traced.failure = error.detail
    case .answered:
      traced.phases = transfer.phases
      switch loopRun.judgement {
      case .conformant?: traced.violations = []
      case .violating(let violations)?: traced.violations = violations.map { shownText($0.message) }
      case .unchecked(let reason)?, .opaque(let reason)?: traced.unchecked = reason
      case nil: break
      }
    case .cancelled, .abandoned, .inFlight:
      traced.isAbandoned = true
      traced.failure =
        if case .cancelled = transfer.ending {
          "cancelled, because the user sent a newer query"
        } else {
          "the run ended before the response was received"
        }
    }
    trace.report(.exchanged(traced))
  }

  func trace(saved variable: Variable, _ value: JSONValue) {
    guard let trace = loopRun.openTrace else { return }
    trace.keep(.init(session: script.name, content: .value(name: variable.name, value), secrets: scope.secrets))
    trace.report(.saved(name: variable.name, value: shownText(value.text)))
  }

  func trace(received token: AccessToken, of source: OAuth2) {
    guard let trace = loopRun.openTrace else { return }
    trace.keep(.init(session: script.name, content: .accessToken(token), secrets: scope.secrets))
    trace.report(.performed("oauth2: received a token from \(source.tokenURL)"))
  }

  func trace(_ miss: Miss) {
    loopRun.openTrace?.report(.missed(expected: miss.expected, found: shownText(miss.found)))
  }

  func trace(_ activity: @autoclosure () -> String) {
    loopRun.openTrace?.report(.performed(activity()))
  }

  /// The text without the secrets of the session.
  private func shownText(_ text: String) -> String {
    loopRun.context.mask.adding(evidenceHistory.secrets).masked(text)
  }
}

extension LoopRun {
  /// The observer, while its maximum of exchanges is not reached.
  var openTrace: SessionTrace? {
    guard isTraced, let trace = context.options.trace, trace.isOpen else { return nil }
    return trace
  }

  func trace(end: SessionEnd?, of arrival: Arrival) {
    guard let trace = openTrace else { return }
    let name = context.scenario.sessions[arrival.session].name
    let (reason, isWanted): (String?, Bool) =
      switch end {
      case nil, .completed: (nil, true)
      case .failed(let reason): (reason, false)
      case .left(let reason): (reason, true)
      case .cut: (context.cutting.isRequested ? "the run was stopped" : "the time limit ended the session", false)
      }
    trace.report(.ended(session: name, number: arrival.index, reason: reason, isWanted: isWanted))
  }
}

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

  /// The calls that a script of a request with these variables can contain.
  func calls(before variables: [Variable]) -> [EarlierCall] {
    var calls: [EarlierCall] = []
    var waiting = cookieCalls + sources(of: variables).map(\.call)
    while let call = waiting.popLast() {
      guard !calls.contains(where: { $0 === call }) else { continue }
      calls.append(call)
      waiting += call.needs.map(\.call)
    }
    return calls
  }

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
    return EarlierCall(operation, request, needs: sources(of: request.reads), sent: sent)
  }

  mutating func forgetCookies() { cookieCalls = [] }

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
  /// The number of the operation in the contract.
  let index: Int
  let http: HTTPRequest
  let needs: [SavedValue]
  let sent: Instant
  private let depth: Int
  /// Longer chains of calls, such as those of a session that pages through a list, are cut. A script then writes the
  /// values out.
  private static let deepest = 4

  init(_ operation: String, _ request: PreparedRequest, needs: [SavedValue], sent: Instant) {
    self.operation = operation
    self.sent = sent
    index = request.operation
    http = request.http
    let depth = 1 + (needs.map(\.call.depth).max() ?? 0)
    self.needs = depth > Self.deepest ? [] : needs
    self.depth = depth > Self.deepest ? 1 : depth
  }

  /// True if a repetition of the request changes nothing.
  var isSafe: Bool { http.isSafe }
}
