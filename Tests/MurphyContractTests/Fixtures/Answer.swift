import MurphyContract

/// A response that a test makes up.
struct Answer {
  var status = 200
  var headers: [(String, String)] = [("Content-Type", "application/json")]
  var body = ""
  var isIncomplete = false
  /// Path and query of the request.
  var target = ""

  static func json(_ body: String, status: Int = 200) -> Answer { Answer(status: status, body: body) }
}

extension ResponseJudge {
  func judge(_ answer: Answer, _ operation: Int = 0) -> Judgement {
    let block = Array(answer.headers.map { "\($0.0): \($0.1)\r\n" }.joined().utf8)
    return block.withUnsafeBytes { headers in
      Array(answer.body.utf8).withUnsafeBytes { body in
        judge(
          ResponseView(
            status: answer.status, headerBlock: headers, body: body, bodyIncomplete: answer.isIncomplete,
            target: answer.target),
          operation: operation)
      }
    }
  }
}

extension Judgement {
  var violations: [ContractViolation] { if case .violating(let violations) = self { violations } else { [] } }
  /// `conformant`, `unchecked: why`, or each violation's kind and message.
  var text: String {
    switch self {
    case .conformant: "conformant"
    case .unchecked(let reason), .opaque(let reason): "unchecked: \(reason)"
    case .violating(let violations): violations.map { "\($0.kind): \($0.message)" }.joined(separator: "\n")
    }
  }
}
