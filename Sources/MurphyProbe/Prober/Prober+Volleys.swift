import MurphyJudge
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
    guard left > 0 else { return stop(.unfinished, .ended(.requestsUsedUp(options.maxRequests))) }
    var volley = volley
    if volley.requests.count > left { volley.requests.removeLast(volley.requests.count - left) }
    return volley
  }

  /// Ends the probe with what is known. Always nil, so that it can be returned in place of a volley.
  mutating func stop(_ outcome: ProbeReport.End, _ fact: ProbeFact) -> ProbeVolley? {
    switch stage {
    case .finished: return nil
    case .keys(let questions): questions.write(into: &report)
    case .closing(let followUps): followUps.write(into: &report)
    case .poll, .refill, .experiment:
      if posterior != nil { conclude() }
    case .exhaust, .alone: break
    }
    if report.outcome == .unfinished { report.outcome = outcome }
    report.say(fact)
    finish()
    return nil
  }

  mutating func finish() {
    if late.volleys > 0 { report.say(.late(volleys: late.volleys, worst: late.worst)) }
    report.requests = requests
    report.seconds = now
    stage = .finished
  }

  /// Ends the probe before its time; the report holds what is known by now.
  package mutating func interrupt() { _ = stop(.unfinished, .ended(.byUser)) }
}
