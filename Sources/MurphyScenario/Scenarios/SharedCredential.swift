import MurphyModel
import Synchronization

/// A credential that all users share and that murphy renews: the token of `--login` or `--token-command`.
///
/// The header of each user has its first value. When a request is sent, the current value replaces an older one.
package final class SharedCredential: Sendable {
  /// A value of the credential.
  package struct Issue: Sendable, Hashable {
    package var field: HeaderField
    /// How long it is valid; nil if its source does not say so.
    package var life: Duration?

    package init(_ field: HeaderField, life: Duration? = nil) { (self.field, self.life) = (field, life) }
  }

  private struct State {
    var name = ""
    var value = ""
    /// All values so far.
    var issued: Set<String> = []
    var source: Source = { nil }
    /// From then on it is renewed, while requests still carry it; nil for never.
    var renewal: ContinuousClock.Instant?
    /// From then on requests wait for its renewal; nil for never.
    var end: ContinuousClock.Instant?
    var renewing: Task<Void, Never>?
    /// No earlier attempt after a 401, because the last one failed.
    var nextAttempt = ContinuousClock.now
    var rejections = TokenRejections()
    var counts = TokenResult(requests: 0, failed: 0)

    mutating func take(_ issue: Issue, at now: ContinuousClock.Instant) {
      value = issue.field.value
      issued.insert(value)
      renewal = issue.life.map { now + ($0 - SharedCredential.lead($0)) }
      end = issue.life.map { now + $0 }
    }
  }

  /// Gives a new value; nil if it cannot.
  package typealias Source = @Sendable () async -> Issue?

  /// The time before the end of a value at which it is renewed: a tenth of its life, and at most 30 seconds.
  package static func lead(_ life: Duration) -> Duration { min(life / 10, .seconds(30)) }

  /// The pause after an attempt that gave no new value.
  private static let pause = Duration.seconds(1)

  private let state = Mutex(State())

  /// A credential without a value. No request carries it.
  package init() {}

  /// - Parameter first: the value that `source` has already given.
  package convenience init(_ first: Issue, _ source: @escaping Source) {
    self.init()
    begin(first, source)
  }

  /// Sets the first value.
  package func begin(_ first: Issue, _ source: @escaping Source) {
    state.withLock { state in
      (state.name, state.source) = (first.field.name, source)
      state.take(first, at: .now)
      state.counts.requests += 1
    }
  }

  /// The header with the current value.
  package var field: HeaderField { state.withLock { HeaderField($0.name, $0.value) } }

  /// All values so far.
  package var secrets: [Secret] {
    state.withLock { state in state.issued.map { Secret($0, ShellVariable("SECRET", state.name)) } }
  }

  /// The requests for values since the last call; nil if there was none.
  package func takeCounts() -> TokenResult? {
    state.withLock { state in
      defer { state.counts = TokenResult(requests: 0, failed: 0) }
      return state.counts.requests == 0 ? nil : state.counts
    }
  }

  /// The place of the credential among the headers of a request; nil if the request does not carry it.
  package func place(in headers: [HeaderField]) -> Int? {
    state.withLock { state in
      guard !state.issued.isEmpty else { return nil }
      return headers.firstIndex { $0.name.isSameHeader(as: state.name) && state.issued.contains($0.value) }
    }
  }

  /// The value to send now. Its renewal begins if its end is near. If it has expired, its renewal should be awaited.
  package var standing: (value: String, isExpired: Bool) {
    let now = ContinuousClock.now
    return state.withLock { state in
      if let end = state.end, end <= now, state.nextAttempt <= now { return (state.value, true) }
      if let time = state.renewal, time <= now, state.renewing == nil {
        state.renewing = renewal(of: state.value, isEarly: true)
      }
      return (state.value, false)
    }
  }

  /// Waits for a new value in the place of `old`. All who wait share one attempt.
  ///
  /// - Returns: the current value.
  package func renew(_ old: String) async -> String {
    let now = ContinuousClock.now
    let task: Task<Void, Never>? = state.withLock { state in
      guard state.value == old else { return nil }
      if state.renewing == nil, state.nextAttempt <= now { state.renewing = renewal(of: old, isEarly: false) }
      return state.renewing
    }
    await task?.value
    return state.withLock { $0.value }
  }

  /// A new value after a 401.
  ///
  /// - Returns: nil if the 401 is the API's response: there is no newer value, or the operation rejects new values, too.
  package func renew(after old: String, operation: Int) async -> String? {
    guard !state.withLock({ $0.rejections.holds(operation) }) else { return nil }
    let value = await renew(old)
    return value == old ? nil : value
  }

  /// Records the response to a request that was sent again with a new value.
  package func recordRepeat(operation: Int, isRejected: Bool) {
    state.withLock { $0.rejections.record(operation, isRejected: isRejected) }
  }

  private func renewal(of old: String, isEarly: Bool) -> Task<Void, Never> {
    Task.detached { [self] in
      let issue = await state.withLock { $0.source }()
      let now = ContinuousClock.now
      state.withLock { state in
        state.renewing = nil
        state.counts.requests += 1
        if let issue, issue.field.value != old {
          state.take(issue, at: now)
          state.counts.renewals = (state.counts.renewals ?? 0) + 1
        } else {
          if issue == nil { state.counts.failed += 1 }
          if isEarly { state.renewal = now + Self.pause } else { state.nextAttempt = now + Self.pause }
        }
      }
    }
  }
}

extension Scenario {
  /// Adds a credential to the headers of every user's requests.
  package mutating func add(_ credential: SharedCredential) {
    let field = credential.field
    add(clientHeaders: [field], SecretMask(headers: [field.name]))
    self.credential = credential
  }
}

/// Operations that rejected a new token. Their 401 is not evidence that a token has expired.
package struct TokenRejections: Sendable {
  private var times: [Int: ContinuousClock.Instant] = [:]
  /// After this time, a 401 may mean again that a token has expired.
  private static let memory = Duration.seconds(10)

  package init() {}

  package func holds(_ operation: Int) -> Bool { times[operation].map { .now - $0 < Self.memory } ?? false }

  /// Records the status of a request that was sent again with a new token.
  package mutating func record(_ operation: Int, isRejected: Bool) { times[operation] = isRejected ? .now : nil }
}
