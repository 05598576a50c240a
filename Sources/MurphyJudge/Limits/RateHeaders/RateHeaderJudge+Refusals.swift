import MurphyModel

/// The form of rejections, their cost, and their effect on other clients.
extension RateHeaderJudge {
  /// An API that rejects with a web page breaks clients that decode the response. Not reported for an API that serves
  /// pages.
  ///
  /// The body is not a term of the limit, so this never fails it. If the contract documents the body, the contract check
  /// of a run fails the response. If the contract describes no body, this is a note: a proxy may have sent it.
  func judgeRefusalBodies() {
    for trace in traces {
      let servesPages = trace.events.contains {
        $0.role == .certain && response($0)?.contentType?.contains("html") == true
      }
      guard !servesPages else { continue }
      for event in trace.events where event.isRejection {
        let body = log.observations[event.observation].body
        let type = response(event)?.contentType
        let isPage =
          type?.contains("html") == true
          || (type == nil && body >= 0 && log.bodies[Int(body)].drop(while: \.isWhitespace).hasPrefix("<"))
        guard isPage else { continue }
        let name = log.operations[Int(event.operation)]
        let documented = tally.options.operations.first { $0.id == name }?.rejectionTypes
        tally.add(.limitRefusalBody, at: event, severity: documented?.isEmpty == true ? .note : .warning) {
          "A rejection is an HTML page (\(type ?? "no Content-Type")): clients that decode the API's own format cannot read it."
            + Self.documentation(documented)
        }
      }
    }
  }

  /// The body of a rejection in the contract; nil if the contract does not contain the operation.
  private static func documentation(_ types: [String]?) -> String {
    guard let types else { return "" }
    return types.isEmpty
      ? " The contract describes no body for status 429."
      : " The contract documents \(types.joined(separator: ", ")) for status 429."
  }

  /// Server errors that occur only where the allowance is used up: rejections under the wrong status.
  ///
  /// Let f be the share of the requests made on a used-up allowance. Then n errors that are independent of it all occur
  /// there with probability f^n: below one in a million it is not chance. A server that fails under bursts looks the
  /// same, so this is a warning.
  func judgeStatuses() {
    guard traces.contains(where: { $0.events.contains { log.observations[$0.observation].status >= 500 } }) else {
      return
    }
    var errors: [(event: RateHeaderTrace.Event, status: UInt16)] = []
    var exhausted = 0
    var all = 0
    var certain = 0
    for trace in traces {
      let admitted = trace.events.filter { $0.role == .certain }
      let sent = admitted.map(\.sent)
      let settled = admitted.map(\.settled).sorted()
      for event in trace.events where !event.isRejection {
        let status = log.observations[event.observation].status
        // The count within the window that ends with this request: the certain part, and the maximum.
        let least = settled.count(below: event.sent) - sent.count(below: event.settled - policy.window.inSeconds)
        let most = sent.count(upTo: event.settled) - settled.count(below: event.sent - policy.window.inSeconds)
        let isExhausted = least >= policy.allowance
        guard isExhausted || most < policy.allowance else {
          if status >= 500 { errors.append((event, status)) }
          continue
        }
        if status >= 500 {
          if !isExhausted { return }
          errors.append((event, status))
          certain += 1
        }
        exhausted += isExhausted ? 1 : 0
        all += 1
      }
    }
    guard errors.count >= 5, all > 0 else { return }
    // Errors on the edge prove nothing, but they must not be the majority.
    guard certain * 2 >= errors.count else { return }
    let share = Double(exhausted) / Double(all)
    guard (0..<certain).reduce(1, { chance, _ in chance * share }) < 1e-6 else { return }
    for error in errors {
      tally.add(.limitWrongStatus, at: error.event) {
        "Status \(error.status) was received \(errors.count) times: at least \(certain) times after the key had used "
          + "up its quota, and never while quota was left. A rejection should have status 429 (RFC 6585 §4)."
      }
    }
  }

  /// Decides if rejections of one key slow down the admitted requests of others. It compares service times within a
  /// second after another key's rejection with all others. Mann-Whitney, at six standard deviations, three times the
  /// median and 50 ms.
  func judgeNeighbours() {
    guard traces.count > 1 else { return }
    var refusals: [(at: Double, key: Int)] = []
    for (key, trace) in traces.enumerated() {
      for event in trace.events where event.isRejection { refusals.append((event.settled, key)) }
    }
    guard !refusals.isEmpty else { return }
    refusals.sort { $0.at < $1.at }
    let moments = refusals.map(\.at)
    var during: [Double] = []
    var outside: [Double] = []
    var slowest: RateHeaderTrace.Event?
    for (key, trace) in traces.enumerated() {
      for event in trace.events where event.role == .certain {
        let took = event.settled - event.sent
        let recent = moments.count(upTo: event.sent - 1)..<moments.count(upTo: event.sent)
        if recent.suffix(50).contains(where: { refusals[$0].key != key }) {
          during.append(took)
          if took > (slowest.map { $0.settled - $0.sent } ?? 0) { slowest = event }
        } else if recent.isEmpty {
          outside.append(took)
        }
      }
    }
    guard during.count >= 30, outside.count >= 30, let slowest else { return }
    let typical = (during: median(during), outside: median(outside))
    guard typical.during > 3 * typical.outside, typical.during - typical.outside > 0.05,
      MannWhitney.score(during, outside) > 6
    else { return }
    tally.add(.limitSlowsNeighbours, at: slowest) {
      "In the second after a rejection of another key, the median service time of requests was \(text(typical.during)) "
        + "instead of \(text(typical.outside))."
    }
  }

  func judgeSlowRefusals() {
    guard let budget = tally.options.refusalBudget?.inSeconds else { return }
    let refused = traces.flatMap(\.events).filter(\.isRejection)
      .sorted { $0.settled - $0.sent < $1.settled - $1.sent }
    guard refused.count >= 20 else { return }
    let high = refused[Int(saturating: (Double(refused.count) * 0.99).rounded(.up)) - 1]
    let took = high.settled - high.sent
    guard took > budget else { return }
    tally.add(.limitSlowRefusal, at: high) {
      "The 99th percentile of the service time of \(refused.count) rejections is \(text(took)), but the budget is "
        + "\(text(budget))."
    }
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// The rank-sum test of Mann and Whitney (1947), normal approximation without tie correction.
enum MannWhitney {
  /// The standard deviations by which the first sample ranks above chance. O(n log n).
  static func score(_ first: [Double], _ second: [Double]) -> Double {
    let ranks = LevelSplit.ranks(first + second).prefix(first.count)
    let n = Double(first.count)
    let m = Double(second.count)
    let u = ranks.reduce(0, +) - n * (n + 1) / 2
    return (u - n * m / 2) / (n * m * (n + m + 1) / 12).squareRoot()
  }
}
