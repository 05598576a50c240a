/// The requests after a load that show if clients get more than the quota of a limit with concurrent requests.
package struct RaceTest: Sendable {
  /// One group of requests of a client that had sent none before.
  package struct Round: Sendable, Hashable {
    /// The admissions, the requests before the concurrent ones included.
    package var admitted = 0
    /// The requests that the limiter rejected.
    package var rejected = 0
    /// Other responses by status; 0 without one.
    package var failures: [Int: Int] = [:]
    /// The maximum number of requests that were sent at the same time.
    package var concurrent = 0
    /// The send of the first request.
    package var began: Instant
    /// The last response.
    package var ended: Instant

    package init(began: Instant) { (self.began, ended) = (began, began) }

    /// True if each request was admitted or rejected.
    package var isDecided: Bool { failures.isEmpty }
    /// The number of its requests.
    package var requests: Int { admitted + rejected + failures.values.reduce(0, +) }
  }

  /// The name of the limit.
  package var limit: String
  /// The called operation; nil if no request was sent.
  package var operation: String?
  /// The reason why no request was sent, or why the requests ended early.
  package var gap: String?
  /// Clients that sent requests at the same time when little of their quota was left. The second is only sent if the
  /// first got too many.
  package var bursts: [Round] = []
  /// A client that sent its requests one after the other over as many connections, if a burst got too many.
  package var sequence: Round?
  /// All requests.
  package var log: LimitLog?

  package init(limit: String, gap: String? = nil) { (self.limit, self.gap) = (limit, gap) }

  /// The number of requests.
  package var requests: Int { (bursts + [sequence].compactMap(\.self)).reduce(0) { $0 + $1.requests } }
}

extension LimitPolicy {
  /// The most that one new client can get within a time that is shorter than the window, if the client's window does
  /// not end in it.
  package func most(within time: Duration) -> Int {
    switch algorithm {
    case .fixed, .fixedAligned, .slidingLog: allowance
    case .tokenBucket, .slidingCounter, .any:
      allowance + Int(saturating: (Double(allowance) * (time.inSeconds / window.inSeconds)).rounded(.up))
    }
  }
}
