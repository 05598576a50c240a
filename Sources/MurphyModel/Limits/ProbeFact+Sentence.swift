extension ProbeFact {
  /// As it reads in a report.
  package var sentence: String {
    switch self {
    case .terms(let terms): terms.sentence
    case .admittedAtOnce(let count):
      "Of the first burst \(count) request\(count == 1 ? " was" : "s were") admitted, and the others were refused."
    case .unlimited(let requests, let seconds):
      "None of \(requests) requests within \(Self.text(seconds)) was refused."
    case .shaping(let interval, let admitted, let sent):
      "Requests are delayed and not refused: one every \(Self.text(interval)), \(admitted == sent ? "all" : "the first") \(admitted) of a burst of \(sent)."
    case .unexplained:
      "None of the six kinds of limiter explains what was admitted: another kind, a check that races with the count, several limiters at once, or other requests on the same key, before the probe or during it."
    case .tooLittle: "Too little was seen to tell."
    case .notServed(let statuses):
      "No request was served (\(statuses.isEmpty ? "no answers" : "status " + statuses.map(String.init).joined(separator: ", "))): the probe cannot tell the limiter's refusals from the API's own."
        + (statuses.contains(401)
          ? " It is not logged in: a probe sends no login of the scenario's steps. Give it a credential with `client: { auth: ... }`."
          : "")
    case .declared(let policy, let comparison): comparison.sentence(policy)
    case .key(let key): key.sentence
    case .race(let excess, let volley, let trials):
      excess > 0
        ? "A parallel volley of \(volley) on a fresh window got \(excess) more than the allowance: a race between check and update."
        : "A parallel volley of \(volley) on a fresh window got no more than these terms allow (\(Self.trials(trials)))."
    case .burstBeatsSequence(let alone, let burst):
      "One after the other \(alone) are admitted, in a burst \(burst): a race between check and update."
    case .countsFailed(let counts, let trials):
      (counts ? "Failed requests take from the allowance" : "Failed requests do not take from the allowance")
        + " (\(Self.trials(trials)))."
    case .notAsked(let question, let reason): question.sentence(reason)
    case .windowNotMeasured(let declared, let announced):
      Self.windowNotMeasured(declared, announced)
    case .late(let volleys, let worst):
      "The machine was busy: \(volleys) volley\(volleys == 1 ? "" : "s") went out or came back up to \(Self.text(worst)) late; what that left open was asked again or is not decided."
    case .ended(let ending): ending.sentence
    }
  }

  private static func windowNotMeasured(_ declared: String?, _ announced: Double?) -> String {
    let taken = declared.map { "it is taken from the declaration (\($0))" } ?? "nothing declares it"
    let said =
      announced.map { "the refusal announces \(text($0)) until the next admission" } ?? "no header announces it"
    return "The window was not measured: \(taken), and \(said). A probe that waits for it measures it."
  }

  /// `12 trials`
  static func trials(_ count: Int) -> String { "\(count) trial\(count == 1 ? "" : "s")" }

  /// `1.8s`
  static func text(_ seconds: Double) -> String { Duration.saturating(seconds: (seconds * 1000).rounded() / 1000).text }
}

extension ProbeFact.Terms {
  var sentence: String {
    let amount =
      if let rate {
        "burst \(range(allowance)), then \(number(rate))/s"
      } else {
        "\(range(allowance)) per \(range(window)) s"
      }
    let other = runnerUp.map { "\($0.algorithm) \(percent($0.probability))" } ?? "no other"
    let sure = "\(percent(probability)) sure, the runner-up is \(other)"
    return isDecided
      ? "\(operation): \(algorithm), \(amount); \(sure)."
      : "\(operation): not decided. Of the limiters known the nearest is \(algorithm), \(amount) (\(other) next); a probe on a quieter machine, or with more time, may decide it."
  }

  private func percent(_ share: Double) -> String {
    share > 0.999 ? "99.9 %" : share < 0.001 ? "below 0.1 %" : "\((share * 1000).rounded() / 10) %"
  }

  private func range(_ estimate: ProbeReport.Estimate) -> String {
    estimate.high - estimate.low <= 0.02 * estimate.value
      ? number(estimate.value) : "\(number(estimate.low))…\(number(estimate.high))"
  }

  private func number(_ value: Double) -> String {
    let rounded = (value * 100).rounded() / 100
    return rounded == rounded.rounded() && rounded.magnitude < 1e15 ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension ProbeFact.Comparison {
  func sentence(_ policy: String) -> String {
    switch self {
    case .confirmed(let trials): "That is what is declared: \(policy) (\(ProbeFact.trials(trials)))."
    case .openWithOtherKey: "Declared is \(policy): the key is another, and the terms are not decided yet."
    case .otherKey: "Declared is \(policy): the terms are confirmed, the key is another."
    case .open(let isLikely):
      isLikely
        ? "Declared is \(policy): nothing contradicts it, and it is not decided yet."
        : "Declared is \(policy): nothing contradicts it for certain, and it is not what seems to be done."
    case .contradicted(let contradiction): "Declared is \(policy): \(contradiction.sentence)"
    }
  }
}

extension ProbeFact.Contradiction {
  fileprivate var sentence: String {
    switch self {
    case .overAdmission(let firstBurst):
      "more was admitted than that allows" + (firstBurst.map { " (\($0) in the first burst)." } ?? ".")
    case .overThrottling: "requests were refused that it has to admit."
    case .together: "what was admitted and what was refused do not go together under it."
    case .countsRefused: "refused requests take from the allowance, and are promised not to."
    case .countsFailed: "failed requests take from the allowance, and are promised not to."
    case .race: "requests that come together get more than it allows."
    case .unlimited: "nothing was ever refused."
    }
  }
}

extension ProbeFact.Key {
  /// `source address`, `X-Device-ID (device header)`
  package var name: String { headers.isEmpty ? dimension : "\(headers.joined(separator: " + ")) (\(dimension))" }

  fileprivate var sentence: String {
    switch answer {
    case .separate: "Each \(name) has its own allowance (\(ProbeFact.trials(trials)))."
    case .same: "Another \(name) does not help: it is not part of the key (\(ProbeFact.trials(trials)))."
    case .bypass: "A made-up \(name) gets a fresh allowance: the limiter can be walked around by anybody."
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
    case .newRefused: "a client's first request is refused, so another one's refusal does not tell"
    case .refused: "the limiter refused them, where the declared terms leave room; a second, longer limit would"
    case .noOther: "the scenario has one value of it only"
    case .notServed: "the API does not answer such requests as it should"
    case .windowEnded: "the window ended under the question each time"
    case .late: "this machine was late each time it was asked; a quieter machine decides it"
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
        "\(burst) requests were admitted at once and none for \(ProbeFact.text(waited)) after that\(hint): the window is longer than the \(ProbeFact.text(allowed)) allowed."
    }
  }
}
