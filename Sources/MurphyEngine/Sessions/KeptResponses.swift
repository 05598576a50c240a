import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// The responses that one user's client keeps, by `cache:` and `dedupe:`. Lives on the user's loop.
final class KeptResponses {
  /// Equal for the same request, with any headers.
  struct Key: Hashable {
    let method: String
    let target: String
    let body: [UInt8]?

    init(_ request: HTTPRequest) { (method, target, body) = (request.method, request.target, request.body) }
  }

  /// The place where the response of a request is kept. It is a reference, because requests are passed by value.
  final class Place: Sendable {
    let key: Key
    init(_ key: Key) { self.key = key }
  }

  struct Kept {
    var response: LastAnswer
    /// The call of the response, for scripts.
    var call: EarlierCall
    var ended: Instant
  }

  private struct Entry {
    var sent: Instant
    var kept: Kept?
    /// The number of requests in flight; in a burst there may be several.
    var open = 0
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }

  private var entries: [Key: Entry] = [:]
  /// The maximum of different requests. Beyond it, those with a response are removed.
  private static let most = 1_000

  /// The response to use instead of a request that is due at `due`: immediately, or when a request in flight has its
  /// response. Nil where the request must be sent.
  nonisolated(nonsending) func response(to key: Key, _ rule: ReuseRule, due: Instant) async -> Kept? {
    while let entry = entries[key] {
      if let kept = entry.kept, rule.covers(.answered(sent: due - entry.sent, due - kept.ended)) { return kept }
      guard entry.open > 0, rule.covers(.sent(due - entry.sent)) else { return nil }
      await withUnsafeContinuation { entries[key]?.waiting.append($0) }
    }
    return nil
  }

  /// The newest response to a request, of any age. A user without a network has nothing else.
  func latest(_ key: Key) -> Kept? { entries[key]?.kept }

  /// Records that a request is about to be sent.
  func begin(_ key: Key, at sent: Instant) {
    if entries.count >= Self.most { entries = entries.filter { $0.value.open > 0 } }
    var entry = entries[key] ?? Entry(sent: sent)
    entry.sent = sent
    entry.open += 1
    entries[key] = entry
  }

  func keep(_ kept: Kept, under key: Key) { entries[key]?.kept = kept }

  /// Records that a request has ended; its response is already kept.
  func end(_ key: Key) {
    guard var entry = entries[key] else { return }
    let waiting = entry.waiting
    entry.waiting = []
    entry.open -= 1
    entries[key] = entry.open == 0 && entry.kept == nil ? nil : entry
    for continuation in waiting { continuation.resume() }
  }
}

extension SessionRun {
  /// Sends a call unless its client already has a response. That response is neither judged nor counted again, and
  /// takes no time.
  nonisolated(nonsending) func perform(
    _ request: PreparedRequest, for call: Call, reusing rule: ReuseRule, of responses: KeptResponses
  ) async throws(SessionEnd) {
    let key = KeptResponses.Key(request.http)
    if let kept = await responses.response(to: key, rule, due: due) {
      loopRun.recorder.skipCached(request.operation)
      trace("\(call.step.operation.id): served from the client cache")
      due = max(due, kept.ended)
      return try await useKept(kept, for: call)
    }
    guard !loopRun.isOver else { throw .cut }
    var request = request
    request.keptUnder = KeptResponses.Place(key)
    responses.begin(key, at: max(due, .now))
    defer { responses.end(key) }
    try await perform(request, for: call)
  }

  /// Uses a kept response as if it had just been received.
  nonisolated(nonsending) func useKept(_ kept: KeptResponses.Kept, for call: Call) async throws(SessionEnd) {
    scope.status = kept.response.status
    if script.readsAnswers { scope.answer = kept.response }
    for save in call.step.saves { try self.save(save, of: kept, call.step) }
    if let steps = call.step.written(for: kept.response.status)?.steps, !steps.isEmpty { try await execute(steps) }
  }

  private func save(_ save: Save, of kept: KeptResponses.Kept, _ step: CallStep) throws(SessionEnd) {
    guard let found = try found(save, step, in: .kept(kept)) else {
      scope[save.variable] = try save.fallback.map { template throws(SessionEnd) in try evaluate(template) }
      return
    }
    store(found, save, step.operation.index, of: kept.call)
  }
}
