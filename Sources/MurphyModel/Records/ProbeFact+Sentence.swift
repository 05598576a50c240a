extension ProbeFact {
  /// The sentence for a report.
  package var sentence: String {
    switch self {
    case .terms(let terms): terms.sentence
    case .admittedAtOnce(let count):
      "\(count) request\(count == 1 ? "" : "s") of one burst \(count == 1 ? "was" : "were") admitted. Later requests "
        + "were rejected."
    case .unlimited(let requests, let seconds):
      "None of \(requests) responses within \(Self.text(seconds)) had the status of a rejection (429, unless declared "
        + "otherwise)."
    case .otherStatus(let status, let responses):
      "\(responses) responses had status \(status). If the limiter rejects requests with this status, declare a limit "
        + "with `refusals: [\(status)]`."
    case .uncertain(let doubt): doubt.sentence
    case .shaping(let interval, let admitted, let sent):
      "The limiter delays requests and admits one every \(interval.text) s. "
        + (admitted == sent
          ? "It admitted all \(sent) requests of a burst."
          : "It admitted \(admitted) of \(sent) requests of a burst and rejected the others.")
    case .unexplained(let longest):
      "None of the six known limiter kinds, with a window of up to \(Self.text(longest)), explains which requests were "
        + "admitted and rejected. Possible reasons: another kind of limiter, a clock or a refill with long steps, a longer "
        + "window, several limits at once, a race between check and count, or other requests with the same key."
    case .otherLimits(let names):
      "Another declared limit (\(names.joined(separator: "; "))) may have caused every rejection, so this limit was "
        + "not tested."
    case .notServed(let statuses):
      Self.notServed(statuses)
    case .declared(let policy, let comparison): comparison.sentence(policy)
    case .key(let key): key.sentence
    case .race(let excess, let volley, let trials):
      excess > 0
        ? "In a new window, murphy sent \(volley) requests at once. The limiter admitted \(excess) more than the quota. "
          + Self.raceReasons
        : "In a new window, murphy sent \(volley) requests at once. The limiter admitted no more than the measured limit "
          + "allows (\(Self.trials(trials)))."
    case .burstBeatsSequence(let alone, let burst):
      "The limiter admits \(alone) requests one after another, but \(burst) in a burst. \(Self.raceReasons)"
    case .replicas(let count, let each, let routing):
      "The limiter has \(count) separate counters of \(each) requests: \(count) workers or replicas do not share their "
        + "counter. \(routing.sentence)"
    case .lateSync(let fast, let slow):
      "A client gets \(fast) requests in a short time, but only \(slow) requests within half a window: several counters "
        + "are synchronised late, such as local caches of a shared counter."
    case .oneCounter(let quota):
      "The limiter has a single counter with a quota of \(quota) requests. Its workers or replicas share the counter."
    case .countsFailed(let counts, let trials):
      "Malformed requests \(counts ? "use quota" : "do not use quota")"
        + " (\(Self.trials(trials)))."
    case .unfinished(let question, let reason): question.sentence(reason)
    case .untested(let nearMiss): nearMiss.sentence
    case .windowNotMeasured(let declared, let announced):
      Self.windowNotMeasured(declared, announced)
    case .late(let delays):
      "In \(delays.bursts) burst\(delays.bursts == 1 ? "" : "s") murphy's requests were up to "
        + "\(Self.text(delays.send)) late, or responses took up to \(Self.text(delays.response)). Murphy repeated the "
        + "affected tests, or left them undecided."
    case .ended(let ending): ending.sentence
    }
  }

  private static let raceReasons =
    "The limiter may check and count in two steps, or each connection may have its own counter."

  private static func notServed(_ statuses: [Int]) -> String {
    let ends = statuses.isEmpty ? "no responses" : "status " + statuses.map(String.init).joined(separator: ", ")
    let sentence = "No request succeeded (\(ends)), so the limit was not tested."
    guard statuses.contains(401) else { return sentence }
    return sentence + " Status 401 requires valid credentials. Murphy sends no login steps of the scenario here, only "
      + "the credentials of `client: { auth: ... }`."
  }

  private static func windowNotMeasured(_ declared: String?, _ announced: Double?) -> String {
    let taken = declared.map { "the report shows the declared window (\($0))" } ?? "no window is declared"
    let said =
      announced.map { "Retry-After announces \(text($0)) until the next admission" }
      ?? "no Retry-After announces the next admission"
    return
      "The window was not measured: \(taken), and \(said). To measure the window, run without `--quick`, and raise "
      + "`--max-seconds`."
  }

  /// `12 trials`
  static func trials(_ count: Int) -> String { "\(count) trial\(count == 1 ? "" : "s")" }

  /// `1.8 s`
  static func text(_ seconds: Double) -> String { Duration.saturating(seconds: seconds).text(places: 3) }
}

extension ProbeFact.TrialPart {
  /// The missing requests.
  fileprivate var sample: String {
    switch self {
    case .waits: "a full burst after a silent wait, and after a wait with rejected requests"
    case .idle: "more requests than the quota after a silence of several windows"
    case .halves: "the quota in two bursts at another time of the window"
    case .sustained: "requests above the sustained rate, and a burst after two windows"
    }
  }
}

extension ProbeFact.Doubt {
  fileprivate var sentence: String {
    switch self {
    case .kinds: "The kind is uncertain, because other kinds of limiters also fit the responses."
    case .unverified: "The kind is uncertain, because no quota and window of this kind explain every response."
    case .unconfirmed(nil):
      "The result is not confirmed, because the test of similar limiters did not finish, or its responses differed."
    case .unconfirmed(let part?):
      "The result is not confirmed. A limiter with a clock or a refill in steps can give the same responses. Not tested: "
        + "\(part.sample)."
    case .coarseClock: "The result is uncertain, because the declared `tick` is long compared with the window."
    case .wideWindow(let low, let high, let permitted):
      "The window is uncertain: \(ProbeFact.text(high)) is more than \(Figure.percent(permitted - 1).text) longer than "
        + "\(ProbeFact.text(low))."
    case .slowResponses(let longest):
      "The result is uncertain: a response took \(ProbeFact.text(longest)), and the limiter may have decided at any time "
        + "before this response. Repeat the probe when the API is idle."
    case .earlierRequests(let pause):
      "The result is uncertain, because requests from before the probe may have used quota. A repetition with an empty "
        + "counter begins after \(ProbeFact.text(pause)), but `--max-seconds` or `--max-requests` do not allow it."
    case .fewRejections:
      "The result is uncertain: fewer than two requests in sequence were rejected, so the limit was possibly not reached."
    case .noRejection:
      "The limit was not tested: no request was rejected, and the declared limit may admit all of them. Raise "
        + "`--max-requests` or `--max-seconds`."
    case .slowBurst(let ride):
      "The quota is uncertain: a response of the first burst took \(ProbeFact.text(ride)). The limiter may have renewed "
        + "a part of the quota during this time."
    }
  }
}

extension ProbeFact.NearMiss {
  fileprivate var sentence: String {
    switch self {
    case .quota(let other, let declared):
      "The quota was not tested: a quota of \(other) also explains every response. Missing sample: "
        + (other > declared
          ? "a rejection after fewer than \(other) admissions in one window."
          : "more than \(other) admissions in one window.")
    case .window(let other, let declared):
      "The window was not tested: a window of \(ProbeFact.text(other)) also explains every response. Missing sample: "
        + (other > declared
          ? "an admission less than \(ProbeFact.text(other)) after the quota was used up."
          : "a rejection more than \(ProbeFact.text(other)) after the quota was used up.")
    }
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
      "probability \(percent(probability)) among the six known kinds; "
      + "\(other.map { "the next kind is \($0)" } ?? "no other kind fits")"
    return isDecided
      ? "\(operation): \(algorithm), \(amount); \(sure)."
      : "\(operation): no data. The most probable of the six known kinds is \(algorithm), \(amount)"
        + "\(other.map { " (next: \($0))" } ?? "")."
  }

  private func percent(_ share: Double) -> String {
    share > 0.999 ? "99.9%" : share < 0.001 ? "below 0.1%" : Figure.percent(share).text
  }
}

extension ProbeFact.Comparison {
  func sentence(_ policy: String) -> String {
    switch self {
    case .confirmed(let trials): "The declared limit is confirmed: \(policy) (\(ProbeFact.trials(trials)))."
    case .openWithOtherKey:
      "The declared limit is \(policy). The key differs from the declared key. There is no data on the quota, the window "
        + "and the algorithm."
    case .otherKey:
      "The declared limit is \(policy). The quota, the window and the algorithm are confirmed, but the key differs."
    case .open(let isLikely):
      isLikely
        ? "The declared limit is \(policy). The responses fit this limit, but do not confirm it."
        : "The declared limit is \(policy). It is probably wrong, but this is not proven."
    case .contradicted(let contradiction): "The declared limit is \(policy), but \(contradiction.sentence)"
    }
  }
}

extension ProbeFact.Routing {
  fileprivate var sentence: String {
    switch self {
    case .connection: "All requests of one connection use the same counter."
    case .random: "Requests of one connection use different counters in no fixed order."
    case .turn: "Requests use the counters in turn."
    }
  }
}

extension ProbeFact.Contradiction {
  fileprivate var sentence: String {
    switch self {
    case .overAdmission(let firstBurst):
      "the limiter admitted more requests" + (firstBurst.map { " (\($0) in the first burst)." } ?? ".")
    case .overThrottling: "the limiter rejected requests that this limit admits."
    case .together: "no limiter with this policy would make the observed decisions."
    case .countsRefused: "rejected requests use quota, although the policy says that they do not."
    case .countsFailed: "malformed requests use quota, although the policy says that failed requests do not."
    case .race: "the limiter admits more requests if they are concurrent."
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
      "After the quota is used up, a request with another \(name) is admitted. The limiter counts it separately, or "
        + "not at all (\(ProbeFact.trials(trials)))."
    case .same:
      "After the quota is used up, a request with another \(name) is rejected too (\(ProbeFact.trials(trials)))."
    case .uncounted:
      "After the quota is used up, requests with another \(name) are admitted, and none of \(trials) was rejected. The "
        + "limit may not apply to such requests."
    case .bypass:
      "After the quota is used up, a request with a spoofed \(name) is admitted: clients in the network of this "
        + "machine can bypass the limiter."
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
    let text = self == .countsFailed && reason == .notServed ? "the API accepted the malformed requests" : reason.text
    return "\(subject) was not finished: \(text)."
  }
}

extension ProbeFact.Reason {
  fileprivate var text: String {
    switch self {
    case .newRefused:
      "the first response to the burst was a rejection, so the rejection of another client proves nothing"
    case .refused: "the limiter rejected some of the requests"
    case .noOther: "murphy has no other value of it to send"
    case .notServed: "the responses to the requests of this test were neither successes nor rejections by the limit"
    case .otherLimit: "another declared limit explains the responses as well"
    case .windowEnded: "the responses do not decide this; a window may have ended during the test"
    case .late:
      "requests were sent late, or their responses took over 50 ms, during the test"
    case .undecidedTerms: "the limiter's quota and window are unknown"
    case .budget: "the test needs more time or requests than `--max-seconds` and `--max-requests` allow"
    case .queue:
      "the limiter delays requests in a queue. `murphy limits` measures limiters that reject at once. `murphy run` "
        + "checks the declared limit"
    case .volleyTooSmall: "murphy cannot send more requests at once than the quota admits"
    }
  }
}

extension ProbeFact.Ending {
  fileprivate var sentence: String {
    switch self {
    case .byUser: return "The user interrupted the measurement, so the results are incomplete."
    case .otherUnit:
      return
        "Not measured: this limit counts costs or requests in flight, and no session of the scenario calls its operations."
    case .notBegun(let allowed):
      return
        "The time limit of \(ProbeFact.text(allowed)) ended before murphy measured this limit. Raise `--max-seconds`."
    case .timeUsedUp: return "The time limit ended during a measurement. Raise `--max-seconds`."
    case .tokenRenewed(let time, let isDeclared):
      return
        "Murphy stopped after \(ProbeFact.text(time)), because it renewed the access token. The limit "
        + "\(isDeclared ? "counts" : "possibly counts") by token, so a new token can have a new quota. Use a token that "
        + "stays valid for longer."
    case .requestsUsedUp(let count): return "Murphy sent all \(count) allowed requests. Raise `--max-requests`."
    case .serverErrors(let count):
      return "Murphy stopped, because \(count) responses in a row had a 5xx status."
    case .windowTooLong(let burst, let waited, let retryAfter, let allowed):
      let hint = retryAfter.map { "; Retry-After said \(ProbeFact.text($0))" } ?? ""
      return
        "In one burst, \(burst) requests were admitted. In the \(ProbeFact.text(waited)) after the burst, no request "
        + "was admitted\(hint). Then the time limit of \(ProbeFact.text(allowed)) ended. Raise `--max-seconds`."
    }
  }
}
