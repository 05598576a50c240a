/// One thing that a probe found out. Sentences are made from facts, and never the other way round.
package enum ProbeFact: Sendable, Hashable, Codable {
  /// What the limiter is.
  case terms(Terms)
  /// One burst got so many, and later requests were rejected; the window was not waited for.
  case admittedAtOnce(Int)
  case unlimited(requests: Int, seconds: Double)
  /// Requests are delayed and not refused: one every `interval` seconds.
  case shaping(interval: Double, admitted: Int, sent: Int)
  /// No kind of limiter with a window of up to `longest` seconds was found that explains what was seen.
  case unexplained(longest: Double)
  /// Every rejection may be one of these other declared limits.
  case otherLimits([String])
  /// Nothing was refused or admitted that tells limiters apart.
  case tooLittle
  /// The API served none of the base requests, and had these statuses for them.
  case notServed(statuses: [Int])
  case declared(policy: String, Comparison)
  case key(Key)
  /// A volley of so many at once, on a fresh window, got `excess` more than the quota; 0 for none. Trials: its requests
  /// beyond the quota, which a race would have admitted.
  case race(excess: Int, volley: Int, trials: Int)
  /// A burst got more than requests sent one after the other.
  case burstBeatsSequence(alone: Int, burst: Int)
  /// Whether failed requests take from the allowance, and how many were sent to find out.
  case countsFailed(Bool, trials: Int)
  case notAsked(Question, Reason)
  /// What the window is was not measured: the server's headers announce one, or nobody does.
  case windowNotMeasured(declared: String?, announced: Double?)
  /// Volleys that were sent late or whose responses took long, and by how much at worst, seconds.
  case late(volleys: Int, worst: Double)
  case ended(Ending)

  /// Allowance and window with their 90 % intervals; of a bucket the burst and the time to fill.
  package struct Terms: Sendable, Hashable, Codable {
    package var operation: String
    package var algorithm: String
    package var allowance: ProbeReport.Estimate
    package var window: ProbeReport.Estimate
    /// Requests per second, of a token bucket.
    package var rate: Double?
    package var probability: Double
    package var runnerUp: ProbeReport.Candidate?
    /// Sure enough, and accepted by the sound verifier.
    package var isDecided: Bool

    package init(
      operation: String, algorithm: String, allowance: ProbeReport.Estimate, window: ProbeReport.Estimate,
      rate: Double?, probability: Double, runnerUp: ProbeReport.Candidate?, isDecided: Bool
    ) {
      self.operation = operation
      self.algorithm = algorithm
      self.allowance = allowance
      self.window = window
      self.rate = rate
      self.probability = probability
      self.runnerUp = runnerUp
      self.isDecided = isDecided
    }
  }

  /// How what was found compares with what is declared.
  package enum Comparison: Sendable, Hashable, Codable {
    /// Terms and key are the declared ones. Trials: requests that could have shown others, since they were rejected or
    /// came after a rejection.
    case confirmed(trials: Int)
    /// The declared terms are impossible, whatever the delays were.
    case contradicted(Contradiction)
    /// The terms are the declared ones, the key is not.
    case otherKey
    /// Nothing contradicts it; `isLikely` when it also looks like it.
    case open(isLikely: Bool)
    /// The key is proven to be another, and the terms are not decided.
    case openWithOtherKey
  }

  package enum Contradiction: Sendable, Hashable, Codable {
    /// - Parameter firstBurst: admitted in it, where that was more than the allowance.
    case overAdmission(firstBurst: Int?)
    case overThrottling
    case together
    case countsRefused
    case countsFailed
    case race
    case unlimited
  }

  /// Whether one property of a request chooses the counter.
  package struct Key: Sendable, Hashable, Codable {
    /// `source address`, `device header` …
    package var dimension: String
    /// The headers that were varied; empty where none was.
    package var headers: [String]
    package var answer: Answer
    /// Requests that could have shown the opposite.
    package var trials: Int

    package enum Answer: Sendable, Hashable, Codable {
      /// Another value has another counter.
      case separate
      /// Another value has the same counter.
      case same
      /// A value that anybody can make up has a fresh counter.
      case bypass
      case open(Reason)
    }

    package init(dimension: String, headers: [String] = [], answer: Answer, trials: Int = 0) {
      self.dimension = dimension
      self.headers = headers
      self.answer = answer
      self.trials = trials
    }
  }

  package enum Question: String, Sendable, Hashable, Codable { case race, countsFailed, experiment }

  package enum Reason: String, Sendable, Hashable, Codable {
    /// The API does not serve such requests.
    case notServed
    /// A client that nobody had seen before was refused: others may be for the same reason.
    case newRefused
    /// There was no other value to ask with.
    case noOther
    /// The limiter rejected some that were to be malformed.
    case refused
    /// Another declared limit explains the answer as well.
    case otherLimit
    /// Requests were admitted while it was asked that a used-up quota rejects.
    case windowEnded
    /// Requests were sent late, or responses took long.
    case late
    /// Allowance and window are not known well enough.
    case undecidedTerms
    /// Time or requests allowed do not suffice.
    case budget
    /// No more requests can be sent at once than the quota admits.
    case volleyTooSmall
  }

  package enum Ending: Sendable, Hashable, Codable {
    case byUser
    case requestsUsedUp(Int)
    case serverErrors(Int)
    /// Nothing was admitted for `waited` seconds after the burst; the allowed time is shorter than the window.
    case windowTooLong(burst: Int, waited: Double, retryAfter: Double?, allowed: Double)
  }
}
