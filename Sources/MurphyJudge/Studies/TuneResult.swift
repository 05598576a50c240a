import MurphyModel

/// The results of `murphy tune`: the users that each policy throttles, and the requests that it allows an abuser. Holds
/// all data for its plots.
package struct TuneResult: Sendable, Codable, Hashable {
  /// The demand on which all policies were evaluated.
  package struct Demand: Sendable, Codable, Hashable {
    /// The number of requests.
    package var requests: Int
    /// The number of sessions.
    package var sessions: Int
    /// The number of users.
    package var users: Int
    /// The number of addresses.
    package var addresses: Int
    /// The number of users behind the most shared address.
    package var largestSharing: Int
    /// The duration in seconds.
    package var duration: Double

    package init(requests: Int, sessions: Int, users: Int, addresses: Int, largestSharing: Int, duration: Double) {
      self.requests = requests
      self.sessions = sessions
      self.users = users
      self.addresses = addresses
      self.largestSharing = largestSharing
      self.duration = duration
    }
  }

  /// One policy and its effects.
  package struct Point: Sendable, Codable, Hashable {
    /// The property that selects the counter: address or user.
    package var key: String
    /// The algorithm of the policy.
    package var algorithm: String
    /// Requests per window; the burst of a token bucket.
    package var allowance: Int
    /// The window in seconds; for a token bucket the time to fill.
    package var window: Double
    /// The share of honest sessions with at least one rejection, 0…1.
    package var throttled: Double
    /// The maximum number of admissions of an abuser in any 60 seconds with one key.
    package var abusePerMinute: Double
    /// The long-run rate of an abuser in requests per second.
    package var abusePerSecond: Double
    /// True if no other policy of the same key is better in both.
    package var isOnFront: Bool

    package init(
      key: String, algorithm: String, allowance: Int, window: Double, throttled: Double, abusePerMinute: Double,
      abusePerSecond: Double, isOnFront: Bool = false
    ) {
      self.key = key
      self.algorithm = algorithm
      self.allowance = allowance
      self.window = window
      self.throttled = throttled
      self.abusePerMinute = abusePerMinute
      self.abusePerSecond = abusePerSecond
      self.isOnFront = isOnFront
    }
  }

  /// The share of sessions whose peak demand stays within each allowance: the distribution of demand.
  package struct Curve: Sendable, Codable, Hashable {
    /// The property that selects the counter: address or user.
    package var key: String
    /// The algorithm of the policies.
    package var algorithm: String
    /// The window in seconds; for a token bucket the time to fill.
    package var window: Double
    /// Ascending, one for each satisfied share.
    package var allowances: [Int]
    /// The satisfied share, 0…1, one for each allowance.
    package var satisfied: [Double]

    package init(key: String, algorithm: String, window: Double, allowances: [Int], satisfied: [Double]) {
      self.key = key
      self.algorithm = algorithm
      self.window = window
      self.allowances = allowances
      self.satisfied = satisfied
    }
  }

  /// Throttled share over allowance and window.
  package struct HeatMap: Sendable, Codable, Hashable {
    /// The property that selects the counter: address or user.
    package var key: String
    /// The algorithm of the policies.
    package var algorithm: String
    /// The columns.
    package var allowances: [Int]
    /// The rows, in seconds.
    package var windows: [Double]
    /// Rows by window, columns by allowance, 0…1.
    package var throttled: [[Double]]

    package init(key: String, algorithm: String, allowances: [Int], windows: [Double], throttled: [[Double]]) {
      self.key = key
      self.algorithm = algorithm
      self.allowances = allowances
      self.windows = windows
      self.throttled = throttled
    }
  }

  /// The effect of retries after rejections: clients honour Retry-After with up to a second of jitter, twice.
  package struct Replay: Sendable, Codable, Hashable {
    /// The policy as text.
    package var policy: String
    /// Shares of sessions, 0…1.
    package var refused: Double
    /// The share of sessions that gave up after all retries, 0…1.
    package var failed: Double
    /// The share of all attempts that were rejected.
    package var refusals: Double
    /// The delay in seconds that waiting adds to a rejected session, 95th percentile.
    package var delay: Double

    package init(policy: String, refused: Double, failed: Double, refusals: Double, delay: Double) {
      self.policy = policy
      self.refused = refused
      self.failed = failed
      self.refusals = refusals
      self.delay = delay
    }
  }

  /// The policy to choose for a target share of throttled sessions.
  package struct Recommendation: Sendable, Codable, Hashable {
    /// The recommended policy and its effects.
    package var point: Point
    /// The share of throttled sessions is below this with 95 % confidence.
    package var upperBound: Double
    /// The accepted share of throttled sessions, 0…1.
    package var target: Double
    /// The recommendation for people.
    package var sentence: String

    package init(point: Point, upperBound: Double, target: Double, sentence: String) {
      self.point = point
      self.upperBound = upperBound
      self.target = target
      self.sentence = sentence
    }
  }

  /// One address that the policy throttles, request by request.
  package struct Timeline: Sendable, Codable, Hashable {
    /// The name of the address in the report.
    package var address: String
    /// The number of users behind the address.
    package var users: Int
    /// The policy as text.
    package var policy: String
    /// The policy's window in seconds.
    package var window: Double
    /// The decision on each of its requests.
    package var strip: KeyStrip

    package init(address: String, users: Int, policy: String, window: Double, strip: KeyStrip) {
      self.address = address
      self.users = users
      self.policy = policy
      self.window = window
      self.strip = strip
    }
  }

  /// A requested policy and its result.
  package struct Outcome: Sendable, Codable, Hashable {
    /// The policy as text.
    package var policy: String
    /// The effects of the policy.
    package var point: Point
    /// The share of throttled sessions is below this with 95 % confidence.
    package var upperBound: Double
    /// The result for people.
    package var sentence: String

    package init(policy: String, point: Point, upperBound: Double, sentence: String) {
      self.policy = policy
      self.point = point
      self.upperBound = upperBound
      self.sentence = sentence
    }
  }

  /// The format and its version, as a reader of the file checks it.
  package static let currentFormat = "murphy-tune/1"

  /// The format and version of the file.
  package var format = TuneResult.currentFormat
  /// The demand on which all policies were evaluated.
  package var demand: Demand
  /// The evaluated policies.
  package var points: [Point]
  /// The distribution of demand, one for each key, algorithm and window.
  package var curves: [Curve]
  /// The throttled shares, one map for each key and algorithm.
  package var heatMaps: [HeatMap]
  /// One recommendation for each target share.
  package var recommendations: [Recommendation]
  /// The effect of retries, by policy.
  package var replays: [Replay]
  /// Nil if no policy throttles an address.
  package var timeline: Timeline?
  /// The declared policies and every `--what-if`.
  package var outcomes: [Outcome]
  /// The effect of each kind of fault on the recommended policy.
  package var faults: [String]
  /// The results in sentences.
  package var sentences: [String]
  /// The policy to deploy; nil without `--emit`.
  package var policy: LimitPolicy?
  /// The configuration of the policy to deploy.
  package var configuration: String?

  private enum CodingKeys: String, CodingKey {
    case format, demand, points, curves, heatMaps, recommendations, replays, timeline
    case outcomes = "answers"
    case faults, sentences, policy, configuration
  }

  package init(demand: Demand) {
    self.demand = demand
    points = []
    curves = []
    heatMaps = []
    recommendations = []
    replays = []
    outcomes = []
    faults = []
    sentences = []
  }
}
