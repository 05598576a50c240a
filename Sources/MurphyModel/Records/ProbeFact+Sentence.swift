extension ProbeFact {
  /// The sentence for a report.
  package var sentence: String {
    switch self {
    case .terms(let terms): terms.sentence
    case .admittedAtOnce(let count):
      "\(count) request\(count == 1 ? "" : "s") of one burst \(count == 1 ? "was" : "were") admitted, and later ones were rejected."
    case .unlimited(let requests, let seconds):
      "None of \(requests) requests within \(Self.text(seconds)) was rejected."
    case .shaping(let interval, let admitted, let sent):
      "Requests are delayed: one every \(interval.text) s, \(admitted == sent ? "all \(sent) of a burst, and none was rejected" : "\(admitted) of a burst of \(sent), and the others were rejected")."
    case .unexplained(let longest):
      "No limiter of the six kinds with a window of up to \(Self.text(longest)) was found that explains what was admitted and rejected. Possible reasons: another kind, a longer window, several limits at once, a check that races with the count, or other requests on the same key."
    case .otherLimits(let names):
      "Every rejection may be due to another declared limit (\(names.joined(separator: "; "))): this one was not tested."
    case .tooLittle: "There is too little data to decide."
    case .notServed(let statuses):
      "No request was served (\(statuses.isEmpty ? "no responses" : "status " + statuses.map(String.init).joined(separator: ", "))): the limit was not tested."
        + (statuses.contains(401)
          ? " 401 requires credentials, or other ones: a probe sends no login of the scenario's steps, only the credentials of `client: { auth: ... }`."
          : "")
    case .declared(let policy, let comparison): comparison.sentence(policy)
    case .key(let key): key.sentence
    case .race(let excess, let volley, let trials):
      excess > 0
        ? "A parallel volley of \(volley) on a fresh window got \(excess) more than the quota. \(Self.raceReasons)"
        : "A parallel volley of \(volley) on a fresh window got no more than these terms allow (\(Self.trials(trials)))."
    case .burstBeatsSequence(let alone, let burst):
      "\(alone) sequential requests are admitted, and \(burst) in a burst. \(Self.raceReasons)"
    case .countsFailed(let counts, let trials):
      "Malformed requests \(counts ? "consume quota" : "do not consume quota")"
        + " (\(Self.trials(trials)))."
    case .unfinished(let question, let reason): question.sentence(reason)
    case .untested(let nearMiss): nearMiss.sentence
    case .windowNotMeasured(let declared, let announced):
      Self.windowNotMeasured(declared, announced)
    case .late(let delays):
      "In \(delays.bursts) burst\(delays.bursts == 1 ? "" : "s") murphy's requests were up to \(Self.text(delays.send)) late, or responses took up to \(Self.text(delays.response)). Questions that this left open were repeated or are not decided."
    case .ended(let ending): ending.sentence
    }
  }

  private static let raceReasons =
    "Checking and counting may be two steps, or each connection may have its own counter."

  private static func windowNotMeasured(_ declared: String?, _ announced: Double?) -> String {
    let taken = declared.map { "it is taken from the declaration (\($0))" } ?? "nothing declares it"
    let said =
      announced.map { "Retry-After announces \(text($0)) until the next admission" } ?? "no Retry-After announces it"
    return
      "The window was not measured: \(taken), and \(said). To measure it, run without `--quick` and with a sufficient `--max-seconds`."
  }

  /// `12 trials`
  static func trials(_ count: Int) -> String { "\(count) trial\(count == 1 ? "" : "s")" }

  /// `1.8 s`
  static func text(_ seconds: Double) -> String { Duration.saturating(seconds: seconds).text(places: 3) }
}

extension ProbeFact.NearMiss {
  fileprivate var sentence: String {
    switch self {
    case .quota(let other, let declared):
      "The quota was not tested: \(other) explains every response as well. Missing sample: "
        + (other > declared
          ? "a rejection after fewer than \(other) admissions in one window."
          : "more than \(other) admissions in one window.")
    case .window(let other, let declared):
      "The window was not tested: \(ProbeFact.text(other)) explains every response as well. Missing sample: "
        + (other > declared
          ? "an admission before \(ProbeFact.text(other)) after the quota was used up."
          : "a rejection after \(ProbeFact.text(other)), with the quota used up.")
    }
  }
}

extension ProbeFact.Delays {
  /// `murphy's requests were up to 380 ms late`
  package var text: String {
    send >= response
      ? "murphy's requests were up to \(ProbeFact.text(send)) late"
      : "responses took up to \(ProbeFact.text(response)), and the limiter may have decided at any time before them"
  }
}

extension ProbeFact.Terms {
  var sentence: String {
    let amount =
      if let rate {
        "burst \(allowance.countText), then \(rate.text)/s"
      } else {
        "\(allowance.countText) per \(window.text) s"
      }
    let other = runnerUp.map { "\($0.algorithm) \(percent($0.probability))" }
    let sure =
      "\(percent(probability)) sure among the six known kinds, \(other.map { "the runner-up is \($0)" } ?? "no other fits")"
    return isDecided
      ? "\(operation): \(algorithm), \(amount); \(sure)."
      : "\(operation): no data. The nearest of the six known kinds is \(algorithm), \(amount)\(other.map { " (\($0) next)" } ?? "")."
  }

  private func percent(_ share: Double) -> String {
    share > 0.999 ? "99.9%" : share < 0.001 ? "below 0.1%" : Figure.percent(share).text
  }
}

extension ProbeFact.Comparison {
  func sentence(_ policy: String) -> String {
    switch self {
    case .confirmed(let trials): "Confirmed as declared: \(policy) (\(ProbeFact.trials(trials)))."
    case .openWithOtherKey: "Declared is \(policy): the key is not as declared, and there is no data on the terms."
    case .otherKey: "Declared is \(policy): the terms are confirmed, the key is not as declared."
    case .open(let isLikely):
      isLikely
        ? "Declared is \(policy): consistent with the observations, not confirmed."
        : "Declared is \(policy): probably not correct, not proven."
    case .contradicted(let contradiction): "Declared is \(policy): \(contradiction.sentence)"
    }
  }
}

extension ProbeFact.Contradiction {
  fileprivate var sentence: String {
    switch self {
    case .overAdmission(let firstBurst):
      "more requests were admitted than it allows" + (firstBurst.map { " (\($0) in the first burst)." } ?? ".")
    case .overThrottling: "requests were rejected that it must admit."
    case .together: "the observed admissions and rejections do not match this policy."
    case .countsRefused: "rejected requests consume quota although the policy says they do not."
    case .countsFailed: "malformed requests consume quota although the policy says that failed ones do not."
    case .race: "concurrent requests get more than it allows."
    case .unlimited: "no request was rejected."
    }
  }
}

extension ProbeFact.Key {
  /// `source address`, `X-Device-ID (device header)`
  package var name: String { headers.isEmpty ? dimension : "\(headers.joined(separator: " + ")) (\(dimension))" }

  fileprivate var sentence: String {
    switch outcome {
    case .separate:
      "Another \(name) is admitted after the quota is used up: it is counted separately, or not at all (\(ProbeFact.trials(trials)))."
    case .same: "Another \(name) does not help: it is rejected as well (\(ProbeFact.trials(trials)))."
    case .uncounted:
      "Another \(name) is admitted after the quota is used up, and none of \(trials) such requests was rejected: the limit may not apply to them."
    case .bypass:
      "A spoofed \(name) is admitted after the quota is used up: clients at the probe's location can bypass the limiter."
    case .open(let reason): "It is unknown whether \(name) is part of the key: \(reason.text)."
    }
  }
}

extension ProbeFact.Question {
  fileprivate func sentence(_ reason: ProbeFact.Reason) -> String {
    let subject =
      switch self {
      case .race: "The test of concurrent requests"
      case .countsFailed: "The test of whether failed requests count"
      case .experiment: "The next experiment"
      }
    return "\(subject) was not finished: \(reason.text)."
  }
}

extension ProbeFact.Reason {
  fileprivate var text: String {
    switch self {
    case .newRefused:
      "the first response to the burst was a rejection, so the rejection of another client shows nothing"
    case .refused: "the limiter rejected some of them"
    case .noOther: "the probe has no other value of it to send"
    case .notServed: "the API did not respond to such requests as expected"
    case .otherLimit: "another declared limit explains the responses as well"
    case .windowEnded: "the responses do not decide it; a window may have ended during the test"
    case .late:
      "requests were sent late, or their responses took over 50 ms, during the test"
    case .undecidedTerms: "the limiter's quota and window are unknown"
    case .budget: "it takes more time or requests than are allowed"
    case .volleyTooSmall: "one volley holds no more requests than the quota admits"
    }
  }
}

extension ProbeFact.Ending {
  fileprivate var sentence: String {
    switch self {
    case .byUser: return "The user interrupted the probe; results are incomplete."
    case .otherUnit:
      return
        "Not probed: a probe counts requests, and this limit counts costs or requests in flight. `murphy run` checks it."
    case .notBegun(let allowed):
      return "The time limit of \(ProbeFact.text(allowed)) ended before this probe began. Increase `--max-seconds`."
    case .timeUsedUp: return "The time limit ended during an experiment."
    case .requestsUsedUp(let count): return "All \(count) allowed requests were used up."
    case .serverErrors(let count):
      return "The server answered \(count) consecutive requests with 5xx: the probe stopped."
    case .windowTooLong(let burst, let waited, let retryAfter, let allowed):
      let hint = retryAfter.map { "; Retry-After said \(ProbeFact.text($0))" } ?? ""
      return
        "\(burst) requests were admitted in one burst and none for \(ProbeFact.text(waited)) after it\(hint): the time limit of \(ProbeFact.text(allowed)) ended first."
    }
  }
}
