/// What `murphy tune` found: which policy throttles whom, and what it lets an abuser do. All that its plots need.
public struct TuneResult: Sendable, Codable, Hashable {
  /// The demand that all policies were tried on.
  public struct Demand: Sendable, Codable, Hashable {
    public var requests: Int
    public var sessions: Int
    public var users: Int
    public var addresses: Int
    /// Users behind the most shared address.
    public var largestSharing: Int
    /// Seconds.
    public var duration: Double

    public init(requests: Int, sessions: Int, users: Int, addresses: Int, largestSharing: Int, duration: Double) {
      self.requests = requests
      self.sessions = sessions
      self.users = users
      self.addresses = addresses
      self.largestSharing = largestSharing
      self.duration = duration
    }
  }

  /// One policy and what it does.
  public struct Point: Sendable, Codable, Hashable {
    public var key: String
    public var algorithm: String
    public var allowance: Int
    /// Seconds; of a token bucket the time to fill.
    public var window: Double
    /// Share of honest sessions that see at least one refusal, 0…1.
    public var throttled: Double
    /// Most that an abuser gets admitted in any 60 seconds with one key.
    public var abusePerMinute: Double
    /// What an abuser gets for ever, requests per second.
    public var abusePerSecond: Double
    /// No other policy of the same key is better in both.
    public var isOnFront: Bool

    public init(
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
  public struct Curve: Sendable, Codable, Hashable {
    public var key: String
    public var algorithm: String
    public var window: Double
    public var allowances: [Int]
    /// Share satisfied, 0…1, one for each allowance.
    public var satisfied: [Double]

    public init(key: String, algorithm: String, window: Double, allowances: [Int], satisfied: [Double]) {
      self.key = key
      self.algorithm = algorithm
      self.window = window
      self.allowances = allowances
      self.satisfied = satisfied
    }
  }

  /// Throttled share over allowance and window.
  public struct HeatMap: Sendable, Codable, Hashable {
    public var key: String
    public var algorithm: String
    public var allowances: [Int]
    public var windows: [Double]
    /// Rows by window, columns by allowance, 0…1.
    public var throttled: [[Double]]

    public init(key: String, algorithm: String, allowances: [Int], windows: [Double], throttled: [[Double]]) {
      self.key = key
      self.algorithm = algorithm
      self.allowances = allowances
      self.windows = windows
      self.throttled = throttled
    }
  }

  /// What happens when refused clients come back: they honour Retry-After with up to a second of jitter, twice.
  public struct Replay: Sendable, Codable, Hashable {
    public var policy: String
    /// Shares of sessions, 0…1.
    public var refused: Double
    public var failed: Double
    /// Share of all attempts that were refused.
    public var refusals: Double
    /// Seconds that the waiting adds to a session that was refused, 95th percentile.
    public var delay: Double

    public init(policy: String, refused: Double, failed: Double, refusals: Double, delay: Double) {
      self.policy = policy
      self.refused = refused
      self.failed = failed
      self.refusals = refusals
      self.delay = delay
    }
  }

  public struct Recommendation: Sendable, Codable, Hashable {
    public var point: Point
    /// The share of throttled sessions is below this with 95 % confidence.
    public var upperBound: Double
    public var target: Double
    public var sentence: String

    public init(point: Point, upperBound: Double, target: Double, sentence: String) {
      self.point = point
      self.upperBound = upperBound
      self.target = target
      self.sentence = sentence
    }
  }

  /// One address that the policy throttles, request by request.
  public struct Timeline: Sendable, Codable, Hashable {
    public var address: String
    public var users: Int
    public var policy: String
    public var strip: KeyStrip

    public init(address: String, users: Int, policy: String, strip: KeyStrip) {
      self.address = address
      self.users = users
      self.policy = policy
      self.strip = strip
    }
  }

  /// A policy that was asked about.
  public struct Answer: Sendable, Codable, Hashable {
    public var policy: String
    public var point: Point
    public var upperBound: Double
    public var sentence: String

    public init(policy: String, point: Point, upperBound: Double, sentence: String) {
      self.policy = policy
      self.point = point
      self.upperBound = upperBound
      self.sentence = sentence
    }
  }

  public static let currentFormat = "murphy-tune/1"

  public var format = TuneResult.currentFormat
  public var demand: Demand
  public var points: [Point]
  public var curves: [Curve]
  public var heatMaps: [HeatMap]
  public var recommendations: [Recommendation]
  public var replays: [Replay]
  public var timeline: Timeline?
  /// The declared policies and every `--what-if`.
  public var answers: [Answer]
  /// What each kind of fault would make of the recommended policy.
  public var faults: [String]
  public var sentences: [String]

  public init(demand: Demand) {
    self.demand = demand
    points = []
    curves = []
    heatMaps = []
    recommendations = []
    replays = []
    answers = []
    faults = []
    sentences = []
  }
}
