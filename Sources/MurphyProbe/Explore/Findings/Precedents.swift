import MurphyModel
import MurphySchema

/// Successful writes: they may explain the response to a later request.
struct Precedents: Sendable {
  private var writes: [Int: [(sent: PreparedCall, status: Int)]] = [:]
  /// The maximum for one operation.
  private static let most = 40

  mutating func saw(_ performed: CaseRunner.Performed) {
    guard performed.isSuccess, !performed.request.isSafe, performed.call.isPlain, performed.call.caller == .own,
      writes[performed.call.operation, default: []].count < Self.most
    else { return }
    writes[performed.call.operation, default: []].append((performed.prepared, performed.status))
  }

  /// The requests, with an earlier request before the last that explains its status. It is the same request with
  /// another response, or for a conflict the request with the most equal values. A server without either of them would
  /// respond differently to the last request alone.
  func explaining(_ requests: [PreparedCall], status: Int) -> [PreparedCall] {
    guard let last = requests.last, let before = precedent(of: last, status) else { return requests }
    var literal = before
    (literal.call.body, literal.call.fresh, literal.call.references) = (before.body, [:], [:])
    return requests.dropLast() + [literal, last]
  }

  private func precedent(of last: PreparedCall, _ status: Int) -> PreparedCall? {
    // Values from earlier responses are taken from those of the last request's own case.
    let known = writes[last.call.operation, default: []].filter {
      $0.sent.call.path == last.call.path && $0.sent.call.query == last.call.query
        && $0.sent.call.headers == last.call.headers
    }
    let same = known.first {
      $0.sent.request.target == last.request.target && $0.sent.request.body == last.request.body && $0.status != status
    }
    if let same { return same.sent }
    guard status == 409, let body = last.body else { return nil }
    let shared = known.map { (sent: $0.sent, count: Self.sharedTexts($0.sent.body, body)) }
    return shared.max { $0.count < $1.count }.flatMap { $0.count > 0 ? $0.sent : nil }
  }

  private static func sharedTexts(_ one: JSONValue?, _ other: JSONValue) -> Int {
    guard case .object(let left)? = one, case .object(let right) = other else { return 0 }
    return left.members.count { $0.value.string != nil && right[$0.key] == $0.value }
  }
}
