import MurphyContract
import MurphyModel
import MurphyTransport

extension Shard {
  /// Enters an ended request into the account, judges its answer and keeps what was found.
  func record(_ transfer: Transfer, _ request: PreparedRequest, intended: Instant, identity: UInt32) {
    let operation = request.operation
    switch transfer.ending {
    case .answered:
      recorder.answer(
        operation, transfer, intended: intended, isExpectedFailure: request.expects(failure: transfer.status))
      judge(transfer, request)
    case .failed(let error):
      recorder.fail(operation, transfer)
      find(error, transfer, request)
    case .cancelled: recorder.cancel(operation, transfer)
    case .abandoned, .inFlight:
      recorder.abandon()
      findUnanswered(transfer, request)
    }
    if recorder.limits.concerns(operation, status: transfer.status) {
      recorder.limits.record(operation, transfer, identity: identity)
    }
  }

  private func judge(_ transfer: Transfer, _ request: PreparedRequest) {
    let view = ResponseView(
      status: transfer.status, headerBlock: transfer.headerBlock, body: transfer.bodyBytes,
      bodyIncomplete: transfer.isCutOff)
    let judgement = judge.judge(view, operation: request.operation)
    recorder.judge(judgement, request.operation)
    if transfer.isCutOff { findCutOff(transfer, request) }
    guard case .violating(let violations) = judgement else { return }
    for violation in violations {
      let occurrence = Occurrence(
        kind: violation.kind, operation: request.operation, message: violation.message, details: violation.details,
        discriminator: violation.discriminator, at: transfer.ended)
      recorder.find(occurrence) {
        var evidence = self.evidence(transfer, request)
        evidence.instancePointer = violation.instancePointer
        evidence.schemaPointer = violation.schemaPointer
        evidence.source = violation.source
        return evidence
      }
    }
  }

  private func find(_ error: TransportError, _ transfer: Transfer, _ request: PreparedRequest) {
    let id = context.contract.operations[request.operation].id
    let occurrence = Occurrence(
      kind: "transport.\(error.kind)", operation: request.operation, message: "\(id): \(error.sentence)",
      details: [error.detail], discriminator: error.kind, at: transfer.ended)
    recorder.find(occurrence) { evidence(transfer, request) }
  }

  /// A request that the end of the run overtook after half of the grace: not one that was merely under way.
  private func findUnanswered(_ transfer: Transfer, _ request: PreparedRequest) {
    let waited = Duration.nanoseconds(Instant.now - transfer.sent)
    guard !context.cutting.isRequested, waited > max(context.scenario.settings.grace / 2, .seconds(1)) else { return }
    let id = context.contract.operations[request.operation].id
    let occurrence = Occurrence(
      kind: "transport.unanswered", operation: request.operation,
      message: "\(id): no answer had come when the run ended, \(Int(waited.inSeconds)) s after the request was sent",
      discriminator: "unanswered", at: .now)
    recorder.find(occurrence) { evidence(transfer, request) }
  }

  private func findCutOff(_ transfer: Transfer, _ request: PreparedRequest) {
    let id = context.contract.operations[request.operation].id
    let limit = context.transport.bodyLimit.text
    let occurrence = Occurrence(
      kind: "transport.body-limit", severity: .warning, operation: request.operation,
      message: "\(id): the body is longer than \(limit) and was cut off there; `settings: max-body` raises the limit",
      discriminator: "body-limit", at: transfer.ended)
    recorder.find(occurrence) { evidence(transfer, request) }
  }

  /// The exchange and the command that repeats it, masked.
  func evidence(_ transfer: Transfer, _ request: PreparedRequest) -> Evidence {
    let writer = EvidenceWriter(context: context)
    return writer.evidence(transfer, request)
  }
}
