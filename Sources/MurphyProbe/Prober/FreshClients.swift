import MurphyModel

/// Clients whose counters contain no request yet. An experiment with one of them needs no wait for an empty counter.
struct FreshClients: Sendable {
  /// The part of the key that distinguishes them; nil if there are none.
  let dimension: ProbeDimension?
  private var used = 0

  /// The maximum number of clients that the driver has.
  static let most = 12

  init(by dimension: ProbeDimension? = nil) { self.dimension = dimension }

  mutating func next() -> ProbeVariant? {
    guard let dimension, used < Self.most else { return nil }
    used += 1
    return ProbeVariant(dimension: dimension, number: used)
  }
}

extension Prober {
  /// The dimension by which the limiter distinguishes clients, if the driver has others. Another declared limit may
  /// count their requests together.
  var freshDimension: ProbeDimension? {
    guard options.rivals.isEmpty else { return nil }
    return options.freshDimensions.first { dimension in
      report.keys.contains { $0.dimension == dimension && $0.separates == true }
    }
  }

  /// The requests of each client: first the base client, then the fresh ones.
  var clients: [[ProbeEvidence.Decided]] { [telling] + others.sorted { $0.key < $1.key }.map(\.value) }

  /// Adds requests of the client of the last volley.
  mutating func add(_ own: [ProbeObservation]) {
    let requests = own.map(ProbeEvidence.Decided.init)
    if let client, !requests.isEmpty {
      others[client.number, default: []] += requests
    } else {
      decided += requests
    }
  }

  var evidence: [ProbeEvidence] { clients.map { ProbeEvidence($0, candidates: candidates) } }

  /// The requests of two fresh clients at chosen times of the declared window. They distinguish the six kinds and a
  /// shorter or longer window, within one and a half windows.
  ///
  /// The first client uses up the quota, then sends single requests, and wants the whole quota after the window. The
  /// second client uses up the quota in two parts. A fixed window ends for both parts at once, and a sliding log for
  /// each part separately. The second client's window begins later, so no window that is aligned to a clock explains
  /// both clients.
  mutating func windowSchedule() -> [ProbeVolley] {
    guard let (allowance, window) = known, Double(3 * allowance) * options.spacing < Self.shortPart * window,
      now + 1.4 * window < experimentsEnd, let first = fresh.next(), let second = fresh.next()
    else { return [] }
    let begin = now + 0.002
    func volley(_ client: ProbeVariant, _ part: Double, _ count: Int, refusals: Int?) -> ProbeVolley {
      ProbeVolley(
        at: begin + part * window, spacing: options.spacing, requests: ProbeRequest.burst(count, from: client),
        stopsAfterRefusals: refusals)
    }
    let whole = 2 * allowance + 20
    let polls = [0.25, 0.5, 0.75, 0.9, 0.97].map { volley(first, $0, 1, refusals: nil) }
    let volleys = [
      volley(first, 0, whole, refusals: Self.exhaustingRefusals), volley(first, 1.03, whole, refusals: 3),
      volley(second, 0.3, max(1, allowance / 2), refusals: nil), volley(second, 0.6, whole, refusals: 3),
      volley(second, 1.1, 1, refusals: nil), volley(second, 1.33, whole, refusals: 3),
    ]
    return (volleys + polls).sorted { $0.at < $1.at }
  }

  /// The maximum part of a window that a burst may take in the schedule.
  private static let shortPart = 0.1
}
