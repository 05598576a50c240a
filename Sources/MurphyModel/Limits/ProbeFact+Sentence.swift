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
    case .tooLittle: "Too little was seen to tell."
    case .notServed(let statuses):
      "No request was served (\(statuses.isEmpty ? "no responses" : "status " + statuses.map(String.init).joined(separator: ", "))): the limit was not tested."
        + (statuses.contains(401)
          ? " 401 asks for a credential, or for another one: a probe sends no login of the scenario's steps, only what `client: { auth: ... }` gives."
          : "")
    case .declared(let policy, let comparison): comparison.sentence(policy)
    case .key(let key): key.sentence
    case .race(let excess, let volley, let trials):
      excess > 0
        ? "A parallel volley of \(volley) on a fresh window got \(excess) more than the quota. \(Self.raceReasons)"
        : "A parallel volley of \(volley) on a fresh window got no more than these terms allow (\(Self.trials(trials)))."
    case .burstBeatsSequence(let alone, let burst):
      "One after the other \(alone) are admitted, in a burst \(burst). \(Self.raceReasons)"
    case .countsFailed(let counts, let trials):
      (counts ? "Malformed requests take from the quota" : "Malformed requests do not take from the quota")
        + " (\(Self.trials(trials)))."
    case .notAsked(let question, let reason): question.sentence(reason)
    case .windowNotMeasured(let declared, let announced):
      Self.windowNotMeasured(declared, announced)
    case .late(let delays):
      "In \(delays.bursts) burst\(delays.bursts == 1 ? "" : "s") murphy's requests were up to \(Self.text(delays.send)) late, or responses took up to \(Self.text(delays.response)). Questions that this left open were repeated or are not decided."
    case .ended(let ending): ending.sentence
    }
  }

  private static let raceReasons =
    "Checking and counting may be two steps, or connections may have counters of their own."

  private static func windowNotMeasured(_ declared: String?, _ announced: Double?) -> String {
    let taken = declared.map { "it is taken from the declaration (\($0))" } ?? "nothing declares it"
    let said =
      announced.map { "Retry-After announces \(text($0)) until the next admission" } ?? "no Retry-After announces it"
    return "The window was not measured: \(taken), and \(said). A probe that waits for it may measure it."
  }

  /// `12 trials`
  static func trials(_ count: Int) -> String { "\(count) trial\(count == 1 ? "" : "s")" }

  /// `1.8s`
  static func text(_ seconds: Double) -> String { Duration.saturating(seconds: (seconds * 1000).rounded() / 1000).text }
}

extension ProbeFact.Delays {
  /// `murphy's requests were up to 380ms late`
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
      "\(percent(probability)) sure among the six kinds known, \(other.map { "the runner-up is \($0)" } ?? "no other fits")"
    return isDecided
      ? "\(operation): \(algorithm), \(amount); \(sure)."
      : "\(operation): not decided. Of the six kinds known the nearest is \(algorithm), \(amount)\(other.map { " (\($0) next)" } ?? "")."
  }

  private func percent(_ share: Double) -> String {
    share > 0.999 ? "99.9 %" : share < 0.001 ? "below 0.1 %" : "\((share * 1000).rounded() / 10) %"
  }
}

extension ProbeFact.Comparison {
  func sentence(_ policy: String) -> String {
    switch self {
    case .confirmed(let trials): "That is what is declared: \(policy) (\(ProbeFact.trials(trials)))."
    case .openWithOtherKey: "Declared is \(policy): the key is not as declared, and the terms are not decided yet."
    case .otherKey: "Declared is \(policy): the terms are confirmed, the key is not as declared."
    case .open(let isLikely):
      isLikely
        ? "Declared is \(policy): what was seen is possible under it, and does not confirm it."
        : "Declared is \(policy): it is not refuted, and does not explain well what was seen."
    case .contradicted(let contradiction): "Declared is \(policy): \(contradiction.sentence)"
    }
  }
}

extension ProbeFact.Contradiction {
  fileprivate var sentence: String {
    switch self {
    case .overAdmission(let firstBurst):
      "more was admitted than that allows" + (firstBurst.map { " (\($0) in the first burst)." } ?? ".")
    case .overThrottling: "requests were rejected that it has to admit."
    case .together: "what was admitted and what was rejected do not go together under it."
    case .countsRefused: "rejected requests take from the quota, and are declared not to."
    case .countsFailed: "malformed requests take from the quota, and failed ones are declared not to."
    case .race: "requests that come together get more than it allows."
    case .unlimited: "nothing was rejected."
    }
  }
}

extension ProbeFact.Key {
  /// `source address`, `X-Device-ID (device header)`
  package var name: String { headers.isEmpty ? dimension : "\(headers.joined(separator: " + ")) (\(dimension))" }

  fileprivate var sentence: String {
    switch answer {
    case .separate:
      "Another \(name) is admitted when the quota is used up: it is counted apart, or not at all (\(ProbeFact.trials(trials)))."
    case .same: "Another \(name) does not help: it is rejected as well (\(ProbeFact.trials(trials)))."
    case .bypass:
      "A made-up \(name) is admitted when the quota is used up: clients from where the probe runs can bypass the limiter."
    case .open(let reason): "Whether \(name) is part of the key was not found out: \(reason.text)."
    }
  }
}

extension ProbeFact.Question {
  fileprivate func sentence(_ reason: ProbeFact.Reason) -> String {
    let subject =
      switch self {
      case .race: "Whether requests that come together get more was"
      case .countsFailed: "Whether failed requests count was"
      case .experiment: "The next experiment was"
      }
    return "\(subject) not asked to an end: \(reason.text)."
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
    case .windowEnded: "the responses did not tell; a window may have ended while it was asked"
    case .late:
      "requests were sent late, or their responses took over 50ms, while it was asked"
    case .undecidedTerms: "the limiter's terms are not decided"
    case .budget: "it takes more time or requests than are allowed"
    case .volleyTooSmall: "one volley holds no more requests than the quota admits"
    }
  }
}

extension ProbeFact.Ending {
  fileprivate var sentence: String {
    switch self {
    case .byUser: return "The probe was ended before all was known."
    case .requestsUsedUp(let count): return "The \(count) requests allowed were used up."
    case .serverErrors(let count): return "The server answered \(count) requests in a row with 5xx: the probe stopped."
    case .windowTooLong(let burst, let waited, let retryAfter, let allowed):
      let hint = retryAfter.map { "; Retry-After said \(ProbeFact.text($0))" } ?? ""
      return
        "\(burst) requests were admitted at once and none for \(ProbeFact.text(waited)) after that\(hint): the \(ProbeFact.text(allowed)) allowed ended first."
    }
  }
}
