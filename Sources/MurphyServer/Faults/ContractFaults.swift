import Hummingbird

/// The faults that spoil an answer after it was made. They leave errors and refusals alone.
struct ContractFaults: Sendable {
  private let faults: FaultPlan

  init(_ faults: FaultPlan) { self.faults = faults }

  func spoil(_ answer: inout Answer, of operation: Operation) {
    guard answer.status.code < 400 else { return }
    switch operation {
    case .getLaw: spoilLaw(&answer)
    case .listLaws: spoilList(&answer)
    case .voteLaw: spoilVote(&answer)
    case .listCategories:
      if faults.strikes(.htmlError, oneIn: 2) {
        let stamp = answer.headers[RequestStamp.name]
        answer = .html(.badGateway, title: "502 Bad Gateway")
        answer.headers[RequestStamp.name] = stamp
      }
    default: break
    }
  }

  private func spoilLaw(_ answer: inout Answer) {
    if faults.strikes(.teapot, oneIn: 4) { answer.status = .init(code: 418, reasonPhrase: "I'm a teapot") }
    if faults.has(.missingHeader) { answer.headers[RequestStamp.name] = nil }
    if faults.has(.missingContentType) { answer.headers[.contentType] = nil }
    if faults.has(.truncatedJSON) { answer.body = answer.body.getSlice(at: 0, length: answer.body.readableBytes / 2)! }
  }

  private func spoilList(_ answer: inout Answer) {
    if faults.has(.wrongContentType) { answer.headers[.contentType] = "text/plain; charset=utf-8" }
    if faults.strikes(.errorAs200, oneIn: 6) {
      answer.body = Answer.internalError("The database is locked.").body
    }
    if faults.strikes(.serverError, oneIn: 10) {
      answer.status = .internalServerError
      answer.body = Answer.internalError("The database is locked.").body
    }
  }

  private func spoilVote(_ answer: inout Answer) {
    if faults.has(.undocumentedStatus) { answer.status = .accepted }
    if faults.has(.badHeader) { answer.headers[RequestStamp.name] = "request-42" }
    if faults.has(.emptyBody) { answer.body = ByteBuffer() }
  }
}
