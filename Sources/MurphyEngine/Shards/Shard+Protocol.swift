import MurphyModel
import MurphyTransport

/// What the transport saw beside the answers: requests that were sent twice, and answers that break rules of HTTP.
extension Shard {
  /// Counts each further sending of a request; one that was lost too soon is the server's error.
  func record(repeatsOf transfer: Transfer, _ request: PreparedRequest, by run: SessionRun) {
    for attempt in transfer.repeats {
      recorder.ledger.repeated += 1
      recorder.limits.record(
        lost: attempt, request.operation, request.http, identity: run.identity(of: request.http.headers))
      guard attempt.isEarly else { continue }
      let occurrence = Occurrence(
        kind: .transportClosedEarly, severity: attempt.isStream ? .warning : .error, operation: request.operation,
        message: attempt.isStream
          ? "the server refused a request's HTTP/2 stream, or closed the connection, before it answered; the "
            + "request was sent again"
          : "the server closed a kept-alive connection before it answered a request, though it had been idle "
            + "for less than \(attempt.rule); the request was sent again",
        details: [
          attempt.isStream
            ? "libcurl does not tell a refused stream, of which the server has processed nothing, from a lost one."
            : "The first time, the connection had been idle for \(attempt.idle.text)."
        ],
        discriminator: "closed-early", at: transfer.ended)
      recorder.find(occurrence) { evidence(transfer, request, run.evidenceTrail) }
    }
  }

  func find(violationsOf transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun) {
    guard !transfer.violations.isEmpty else { return }
    for violation in transfer.violations.each {
      let occurrence = Occurrence(
        kind: violation.kind, operation: request.operation, message: violation.sentence,
        discriminator: violation.kind.name,
        at: transfer.ended)
      recorder.find(occurrence) { evidence(transfer, request, run.evidenceTrail) }
    }
  }

  /// Bytes that came over idle connections, under the operation that each of them answered last.
  func findStrays() {
    for stray in transport.strays {
      let operation = context.contract.operations.indices.contains(stray.label) ? stray.label : nil
      let violation = ProtocolViolation.surplus
      recorder.find(
        Occurrence(
          kind: violation.kind, operation: operation, message: violation.sentence,
          discriminator: violation.kind.name, at: stray.at)
      ) { nil }
    }
  }
}
