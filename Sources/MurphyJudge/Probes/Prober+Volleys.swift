import MurphyModel

extension Prober {
  mutating func burst(pause: Double, count: Int, refusals: Int) -> ProbeVolley? {
    volley(at: now + pause, requests: [ProbeRequest](repeating: .base, count: count), refusals: refusals)
  }

  mutating func volley(at moment: Double, requests: [ProbeRequest], refusals: Int?) -> ProbeVolley? {
    limited(ProbeVolley(at: moment, spacing: options.spacing, requests: requests, stopsAfterRefusals: refusals))
  }

  /// Cuts a volley to the requests that are left; nil, and the end, when none is.
  mutating func limited(_ volley: ProbeVolley) -> ProbeVolley? {
    let left = options.maxRequests - requests
    guard left > 0 else { return stop(.unfinished, "The \(options.maxRequests) requests allowed were used up.") }
    var volley = volley
    if volley.requests.count > left { volley.requests.removeLast(volley.requests.count - left) }
    return volley
  }

  /// Ends the probe. Always nil, so that it can be returned in place of a volley.
  mutating func stop(_ outcome: ProbeReport.Outcome, _ sentence: String) -> ProbeVolley? {
    if posterior != nil, outcome == .unfinished { conclude() }
    if case .finished = stage {} else { report.outcome = posterior == nil ? outcome : report.outcome }
    report.sentences.append(sentence)
    stage = .finished
    report.requests = requests
    report.seconds = now
    return nil
  }

  func waitSentence(_ pause: Double) -> String {
    let hint = retryAfter.map { "; Retry-After said \(text($0))" } ?? ""
    return
      "\(firstBurst) requests were admitted at once and none for \(text(now - firstBurstEnd)) after that\(hint): the window is longer than the \(text(options.maxSeconds)) allowed."
  }

  func text(_ seconds: Double) -> String { Duration.seconds((seconds * 1000).rounded() / 1000).text }
}
