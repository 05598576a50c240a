/// A request of the load that may have changed the target: the text is masked, and the rest repeats the request.
package struct SuspectRequest: Sendable, Hashable {
  /// `POST /items {"quantity": 7}`
  package var text: String
  /// The commands that send the request, masked.
  package var curl: ShellScript?
  package var method: String
  /// Path and query.
  package var target: String
  package var headers: [HeaderField]
  package var body: [UInt8]?
  /// Nil without a response.
  package var status: Int?
  /// The time of the send, in seconds since the run's start.
  package var sent: Double
  /// The time of the response or of the failure.
  package var ended: Double
  /// The index of the operation in the contract.
  package var operation: Int

  package init(
    operation: Int, text: String, curl: ShellScript?, method: String, target: String, headers: [HeaderField] = [],
    body: [UInt8]? = nil, status: Int?, sent: Double, ended: Double
  ) {
    self.operation = operation
    self.text = text
    self.curl = curl
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.status = status
    self.sent = sent
    self.ended = ended
  }

  /// `POST /items {"quantity": 7} (201)`
  package var sentence: String { "\(text) (\(status.map(String.init) ?? "no response"))" }
}

/// The last change of an operation from success to failure, with the successful writes before it. In memory only.
package struct FailureChange: Sendable {
  /// The index of the operation in the contract.
  package var operation: Int
  /// The send time of its last successful request, in seconds since the run's start; nil without one.
  package var lastSuccess: Double?
  /// The first request that failed after all successes; nil if the operation did not fail to the end.
  package var failed: SuspectRequest?
  /// The number of requests that failed since then.
  package var failures = 0
  /// The last successful writes before the change, in the order of their responses.
  package var suspects: [SuspectRequest] = []

  /// The maximum number of suspects.
  package static let mostSuspects = 8

  package init(operation: Int, lastSuccess: Double?) {
    self.operation = operation
    self.lastSuccess = lastSuccess
  }

  /// Adds the same operation of another loop. The change is valid only if no loop had a later success.
  package mutating func merge(_ other: FailureChange) {
    lastSuccess = [lastSuccess, other.lastSuccess].compactMap(\.self).max()
    failures += other.failures
    failed = [failed, other.failed].compactMap(\.self).min { $0.ended < $1.ended }
    guard let failed else { return }
    suspects = Array(
      (suspects + other.suspects).filter { $0.sent < failed.ended }.sorted { $0.ended < $1.ended }
        .suffix(Self.mostSuspects))
  }

  /// True if the operation succeeded, and then failed to the end of the load.
  package var isLasting: Bool {
    guard let lastSuccess, let failed else { return false }
    return lastSuccess < failed.ended
  }
}

/// What a few requests after the load showed about an operation that failed to its end.
package struct Aftermath: Sendable {
  package var sentences: [String]
  /// `after POST /items {"quantity":7} (201), reproduced with this request alone`; nil if nothing was proved.
  package var cause: String?
  /// The commands that make the operation fail again.
  package var curl: ShellScript?

  package init(_ sentences: [String], cause: String? = nil, curl: ShellScript? = nil) {
    self.sentences = sentences
    self.cause = cause
    self.curl = curl
  }
}
