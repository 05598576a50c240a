import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyTransport

extension LoopRun {
  /// Keeps what the answer read last says of relations.
  func relate(_ reader: RelationReader, _ transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun) {
    let answer = RelationRecorder.Answer(
      operation: request.operation, request: request.http, sent: context.elapsed(transfer.sent),
      answered: context.elapsed(transfer.ended), fields: transfer.fields, session: Int64(run.arrival.index),
      sendsCookies: run.connection.cookiesSet > 0)
    recorder.relations.note(reader, answer) { evidence(transfer, request, run.evidenceTrail) }
  }

  /// Keeps that a request may have changed something, unless it was rejected.
  ///
  /// - Parameter other: -1 for a method that is not the operation's: nobody knows what it changes.
  func relate(write transfer: Transfer, _ request: PreparedRequest, _ run: SessionRun, as other: Int? = nil) {
    var end = Int64.max
    if case .answered = transfer.ending {
      // Where it was sent twice, the first one may have taken effect all the same.
      if (400..<500).contains(transfer.status), transfer.repeats.isEmpty { return }
      if (200..<400).contains(transfer.status), transfer.status != 202 { end = context.elapsed(transfer.ended) }
      // Without its cookies a user may not be told of it.
      if transfer.status == 201, transfer.fields.has(.location), run.connection.cookiesSet == 0 {
        recorder.relations.created(transfer, request.operation, request.http)
      }
    }
    // One that was sent twice may take effect twice, and nobody knows when the first time.
    if !transfer.repeats.isEmpty { end = .max }
    if let shape = context.relations.returns[request.operation] { relate(shape, transfer, request) }
    recorder.relations.write(
      other ?? request.operation, sent: context.elapsed(transfer.sent), end: end,
      item: other == nil ? context.relations.item(request.http.target, of: request.operation) : 0)
  }
}

extension LoopRun {
  /// Keeps which texts of a body came back.
  private func relate(_ shape: ReturnShape, _ transfer: Transfer, _ request: PreparedRequest) {
    guard case .answered = transfer.ending, (200..<300).contains(transfer.status), let body = request.http.body,
      let sent = try? JSONValue.parse(body),
      let answer = shape.path.reduce(AnswerBody(transfer, parser: parser).value, { $0?[$1] })
    else { return }
    recorder.relations.returned(
      RelationLog.Return(
        operation: Int32(request.operation), sent: context.elapsed(transfer.sent),
        answered: context.elapsed(transfer.ended),
        thing: request.http.method == "POST" ? 0 : RelationHash.of(request.http.target),
        given: shape.members.map { RelationHash.of(nonce: sent[$0]) },
        found: shape.members.map { RelationHash.of(nonce: answer[$0]) }),
      request.http)
  }
}
