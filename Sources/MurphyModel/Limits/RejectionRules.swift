/// Which responses are rejections by a rate limit: status 429 (RFC 6585 §4), and what limits of the scenario name under
/// `refusals`. The one answer to this question while a load runs; a judge asks the policy at hand (`LimitPolicy.rejects`).
package struct RejectionRules: Sendable {
  /// By operation, rejections of another status than 429; empty for most.
  private let others: [[RefusalRule]]
  /// The fields that tell such rejections, in lower case.
  package let headers: [String]

  /// - Parameter operations: by place, the name under which limits count the operation.
  package init(operations: [String], policies: [LimitPolicy]) {
    others = operations.map { name in
      policies.filter { $0.covers(name) }.flatMap(\.refusals).filter { $0 != .tooManyRequests }
    }
    headers = Set(policies.flatMap(\.refusals).compactMap { $0.header?.name }).sorted()
  }

  /// Whether a rate limit rejected the operation's request.
  ///
  /// - Parameter headers: of the response, names in lower case; asked for where the status alone does not decide.
  package func rejects(_ operation: Int, status: Int, headers: @autoclosure () -> [HeaderField]) -> Bool {
    status == 429
      || others[operation].contains { rule in
        rule.status == status && (rule.header == nil || rule.matches(status: status, headers: headers()))
      }
  }
}
