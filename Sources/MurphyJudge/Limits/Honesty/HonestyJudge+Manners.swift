import MurphyModel

/// How refusals look, what they cost, and whom they hurt besides.
extension HonestyJudge {
  /// A JSON API that refuses with a web page breaks clients that parse what they get.
  func judgeRefusalBodies() {
    let speaksJSON = answers.contains { $0.contentType?.hasSuffix("json") == true }
    for trace in traces {
      for event in trace.events where event.role == .refused {
        let body = log.observations[event.observation].body
        let isPage =
          answer(event)?.contentType?.contains("html") == true
          || (body >= 0 && log.bodies[Int(body)].drop(while: \.isWhitespace).hasPrefix("<"))
        guard isPage, speaksJSON else { continue }
        tally.add("refusal-body", .error, at: event) {
          "A refusal is an HTML page (\(answer(event)?.contentType ?? "no Content-Type")), while the API otherwise answers JSON: clients that decode it fail."
        }
      }
    }
  }

  /// Server errors that come only where the allowance is used up: refusals under the wrong status.
  ///
  /// With a share f of the requests made on a used-up allowance, n errors that know nothing of it all fall there with
  /// probability f^n: below one in a million it is no chance. A server that breaks under bursts looks alike, so this
  /// is a warning.
  func judgeStatuses() {
    var errors: [(event: HonestyTrace.Event, status: UInt16)] = []
    var exhausted = 0
    var all = 0
    for trace in traces {
      let admitted = trace.events.filter { $0.role == .certain }
      let sent = admitted.map(\.sent)
      let settled = admitted.map(\.settled).sorted()
      for event in trace.events where event.role != .refused {
        let status = log.observations[event.observation].status
        // Counted for certain within the window that ends with this request.
        let used = settled.count(below: event.sent) - sent.count(below: event.settled - policy.window.inSeconds)
        let isExhausted = used >= policy.allowance
        if status >= 500 {
          if !isExhausted { return }
          errors.append((event, status))
        }
        exhausted += isExhausted ? 1 : 0
        all += 1
      }
    }
    guard errors.count >= 5 else { return }
    let share = Double(exhausted) / Double(all)
    guard (0..<errors.count).reduce(1, { chance, _ in chance * share }) < 1e-6 else { return }
    for error in errors {
      tally.add("wrong-status", .warning, at: error.event) {
        "Status \(error.status) is answered \(errors.count) times, each time when the key had used up its allowance and never otherwise: a refusal should be 429 (RFC 6585 §4)."
      }
    }
  }

  /// Whether one key's refused burst makes the admitted requests of others slower: Mann-Whitney on service times during
  /// and outside seconds with many refusals, at six standard deviations and twice the median.
  func judgeNeighbours() {
    guard traces.count > 1 else { return }
    var refusals: [Int: [Int: Int]] = [:]
    for (key, trace) in traces.enumerated() {
      for event in trace.events where event.role == .refused {
        refusals[Int(event.sent), default: [:]][key, default: 0] += 1
      }
    }
    let storms = refusals.compactMapValues { counts in counts.max { ($0.value, $1.key) < ($1.value, $0.key) } }
      .filter { $0.value.value >= max(10, policy.allowance / 2) }
    guard !storms.isEmpty else { return }
    var during: [Double] = []
    var outside: [Double] = []
    var slowest: HonestyTrace.Event?
    for (key, trace) in traces.enumerated() {
      for event in trace.events where event.role == .certain {
        let took = event.settled - event.sent
        let storm = storms[Int(event.sent)]
        if let storm, storm.key != key {
          during.append(took)
          if took > (slowest.map { $0.settled - $0.sent } ?? 0) { slowest = event }
        } else if storm == nil {
          outside.append(took)
        }
      }
    }
    guard during.count >= 30, outside.count >= 30, let slowest else { return }
    let typical = (during: median(during), outside: median(outside))
    guard typical.during > 2 * typical.outside, typical.during - typical.outside > 0.01,
      MannWhitney.score(during, outside) > 6
    else { return }
    tally.add("slows-neighbours", .warning, at: slowest) {
      "While one key was refused in bursts, other keys' requests took \(text(typical.during)) in the median instead of \(text(typical.outside))."
    }
  }

  func judgeSlowRefusals() {
    guard let budget = tally.options.refusalBudget?.inSeconds else { return }
    let refused = traces.flatMap(\.events).filter { $0.role == .refused }
      .sorted { $0.settled - $0.sent < $1.settled - $1.sent }
    guard refused.count >= 20 else { return }
    let high = refused[Int((Double(refused.count) * 0.99).rounded(.up)) - 1]
    let took = high.settled - high.sent
    guard took > budget else { return }
    tally.add("slow-refusal", .error, at: high) {
      "Refusals take \(text(took)) at the 99th percentile of \(refused.count), with a budget of \(text(budget)): being refused should be cheap."
    }
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
