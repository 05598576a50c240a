import MurphyModel

extension ContractStrength {
  /// `detects a fault that affects 1 of 126 responses, 1 of 14 paths or all responses in 1 of 11 seconds; not tested:
  /// documented statuses 404, 409`
  package var text: String {
    let parts = [responses.share(of: "response"), entities?.share(of: "path"), pages?.share(of: "query")]
      .compactMap(\.self)
    let inSeconds = " or all responses in \(seconds.share(of: "second"))"
    return "detects a fault that affects \(parts.joined(separator: ", "))" + inSeconds + untested
  }

  private var untested: String {
    var parts: [String] = []
    if !untestedStatuses.isEmpty {
      parts.append(
        "documented \(untestedStatuses.count == 1 ? "status" : "statuses") \(untestedStatuses.joined(separator: ", "))")
    }
    if unseenCount > 0 {
      let shown = unseen.prefix(3).joined(separator: ", ")
      parts.append(
        counted(unseenCount, "property, value or alternative", "properties, values and alternatives")
          + " of response bodies (\(shown)" + (unseenCount > 3 ? " …)" : ")"))
    }
    return parts.isEmpty ? "" : "; not tested: " + parts.joined(separator: " and ")
  }
}

extension ContractStrength.Units {
  /// `1 of 126 answers`; `95% of answers` if fewer than two could not detect a fault.
  package func share(of noun: String) -> String {
    let plural = noun == "query" ? "queries" : noun + "s"
    let among = Int(saturating: (1 / missed).rounded(.down))
    return among < 2 ? "\(percentText(missed)) of \(plural)" : "1 of \(among.text) \(plural)"
  }
}

extension BudgetStrength {
  /// `a slowdown of about 62% (+110 ms) would have failed this budget in this run; a slowdown of about 74% (+130 ms)
  /// fails the budget with 95% probability; a freeze of 2.3 s fails the budget with 95% probability`
  package var text: String {
    var text = slowdownText
    if let stall { text += "; a freeze of \(Figure.time(stall).text) fails the budget with 95% probability" }
    if let overAtMost {
      text += "; with 95% confidence, at most \(percentText(overAtMost)) of requests exceed the limit"
    }
    return text
  }

  /// Only the slowdowns.
  package var slowdownText: String {
    guard let inThisRun else { return "no tested slowdown would have failed this budget" }
    // One short run is a weak basis for the variation between seconds.
    let isRough = seconds < 120
    return "a slowdown \(inThisRun.text(isRough: isRough))"
      + " would have failed this budget in this run"
      + (likely.map { "; a slowdown \($0.text(isRough: isRough)) fails the budget with 95% probability" }
        ?? "; no tested slowdown fails the budget with 95% probability")
  }
}

extension BudgetStrength.Slowdown {
  /// `of about 62% (+110 ms)`, `by a factor of 47 (+783 ms)`
  package func text(isRough: Bool) -> String {
    let about = isRough ? "about " : ""
    let size =
      share < 2
      ? "of \(about)\(Figure.percent(share, share < 0.1 ? 1 : 0).text)"
      : "by a factor of \(about)\(Figure.digits(1 + share))"
    return "\(size) (+\(Figure.latency(added).text))"
  }
}

extension LimitStrength {
  /// The wrong limits that the traffic excluded, and those that it did not.
  package var text: String {
    func list(_ exposure: Exposure, _ lead: String) -> String? {
      let some = exposures(exposure)
      return some.isEmpty ? nil : "\(lead) \(some.map(\.text).joined(separator: ", "))"
    }
    let parts = [
      list(.surely, "detects a limiter with"), list(.perhaps, "may detect a limiter with"),
      list(.not, "does not detect a limiter with"),
    ]
    let sample = keys < keysOf ? " (simulated on the \(counted(keys, "busiest key")) of \(keysOf.text))" : ""
    return parts.compactMap(\.self).joined(separator: "; ") + sample
  }

  /// `quota: exactly 30; window: from 52.1 s to 69.8 s; sliding log also fits`
  package var fitText: String {
    let algorithms =
      alsoFits.isEmpty
      ? nil : alsoFits.map(\.text).joined(separator: ", ") + " also " + (alsoFits.count == 1 ? "fits" : "fit")
    return ["quota: " + allowances.text(whole: true), "window: " + windows.text(whole: false), algorithms]
      .compactMap(\.self).joined(separator: "; ")
  }
}

extension LimitStrength.Range {
  fileprivate func text(whole: Bool) -> String {
    func number(_ value: Double) -> String {
      whole ? Int(saturating: value).text : Figure.time(.saturating(seconds: value)).text
    }
    guard let high else { return low > 0 ? "\(number(low)) or more" : "any value" }
    if whole, high == low { return "exactly \(number(low))" }
    return low > 0 ? "from \(number(low)) to \(number(high))" : "up to \(number(high))"
  }
}

extension RunResult {
  /// The sensitivity of the passed checks, a line for each kind: its weakest.
  package var strengthLines: [String] {
    [contractLine, latencyLine, errorsLine, limitsLine].compactMap(\.self)
  }

  private var contractLine: String? {
    let tested = operations.compactMap { operation in operation.strength.map { (operation.operation, $0) } }
    guard let (name, least) = tested.max(by: { $0.1.responses.missed < $1.1.responses.missed }) else { return nil }
    let untested = tested.reduce(0) { $0 + $1.1.untestedStatuses.count }
    return "detects a fault that affects \(least.responses.share(of: "response")) of \(name)"
      + (tested.count > 1
        ? ", the least tested of \(counted(tested.count, "operation"))" : "")
      + (untested > 0
        ? "; not covered: \(counted(untested, "documented status", "documented statuses"))" : "")
  }

  private var latencyLine: String? {
    let tested = budgets.compactMap { row in row.strength.map { (row.title, $0) } }
    let weakest = tested.max { left, right in
      (left.1.likely?.share ?? .infinity) < (right.1.likely?.share ?? .infinity)
    }
    return weakest.map { title, strength in
      let rank = tested.count > 1 ? ", the least sensitive of \(counted(tested.count, "budget"))" : ""
      return "\(title)\(rank): \(strength.slowdownText)"
    }
  }

  private var errorsLine: String? {
    let kept = budgets.compactMap { row in row.shareAtMost.map { (row.subject, $0) } }
    guard let (subject, most) = kept.max(by: { $0.1 < $1.1 }) else { return nil }
    return "\(subject): an error rate up to \(percentText(most)) could have gone undetected"
  }

  private var limitsLine: String? {
    let kept = limits.filter { $0.verdict == .consistent }.compactMap { row in row.strength.map { (row.name, $0) } }
      .filter { !$0.1.mutants.isEmpty }
    guard !kept.isEmpty else { return nil }
    let open = kept.compactMap { name, strength -> String? in
      let unsure = strength.mutants.filter { $0.exposure != .surely }.map(\.limiter.text)
      guard !unsure.isEmpty else { return nil }
      let tried = counted(strength.mutants.count, "simulated wrong limiter")
      let sure = strength.exposures(.surely).count
      return sure == 0
        ? "\(name): reliably detects none of \(tried)"
        : "\(name): reliably detects \(sure) of \(tried), but not those with "
          + unsure.joined(separator: ", ")
    }
    return open.isEmpty
      ? "detects every simulated wrong limiter, for \(counted(kept.count, "rate limit"))"
      : open.joined(separator: "; ")
  }
}
