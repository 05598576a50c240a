import MurphyModel

/// The result of `murphy tune --log`: the clients of an access log that each policy would have rejected.
package struct LogTuneResult: Sendable, Codable, Hashable {
  /// The lines that murphy read.
  package struct Log: Sendable, Codable, Hashable {
    package var file: String
    package var lines = 0
    /// The requests that the policies counted.
    package var requests = 0
    package var unreadable = 0
    /// The number of the first unreadable line, from 1, and the reason.
    package var firstUnreadable: String?
    /// Requests that an earlier line had overtaken. They count at the time of that line.
    package var late = 0
    /// Requests without a value of the key. No policy counts them.
    package var unkeyed = 0
    /// Requests of clients above the number of clients that murphy keeps. No policy counts them.
    package var untracked = 0
    /// Requests with the status 429.
    package var rejected = 0
    package var keys = 0
    package var begin = ""
    package var end = ""
    /// A client with more requests in a minute of the clock counts as abusive.
    package var abuse = 0
    package var abusiveKeys = 0
    package var abusiveRequests = 0

    package init(file: String) { self.file = file }
  }

  /// A client that a policy would have rejected.
  package struct Client: Sendable, Codable, Hashable {
    package var key: String
    package var requests: Int
    package var rejected: Int
    /// The time of the first rejection.
    package var first: String
    package var isAbusive: Bool
  }

  /// One policy and its effects.
  package struct Row: Sendable, Codable, Hashable {
    package var policy: LimitPolicy
    /// The number of legitimate clients with a rejection.
    package var legitimateKeys: Int
    /// Their share of all legitimate clients, 0…1.
    package var legitimateShare: Double
    /// Rejected requests of legitimate clients.
    package var legitimateRequests: Int
    /// Rejected requests of abusive clients.
    package var stoppedRequests: Int
    /// Their share of all requests of abusive clients, 0…1.
    package var stoppedShare: Double
    /// True if no other policy rejects fewer legitimate clients and stops more abuse.
    package var isOnFront = false
    package var isAsked: Bool
    package var isRecommended = false
    /// The clients with the most rejections; empty for a policy that is none of these.
    package var clients: [Client] = []
  }

  package var format = "murphy-tune-log/1"
  package var log: Log
  package var rows: [Row] = []
  package var sentences: [String] = []
  /// The policy to deploy: the only policy of `--what-if`, or the recommendation. Nil without `--emit`.
  package var policy: LimitPolicy?
  package var configuration: String?

  package init(log: Log) { self.log = log }

  package var recommended: Row? { rows.first(where: \.isRecommended) }
  /// The rows that a reader wants to see first.
  package var chosen: [Row] { rows.filter { $0.isRecommended || $0.isAsked } }
}
