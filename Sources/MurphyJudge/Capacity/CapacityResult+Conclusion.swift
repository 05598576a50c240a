import MurphyModel

extension CapacityResult {
  /// Computes the verdict from the end of the search.
  ///
  /// - Parameter limit: the time limit of the search, in words.
  package mutating func conclude(_ search: CapacitySearch, limit: String) {
    ending = search.ending ?? .interrupted
    held = search.held.last
    broke = search.broke?.load
    capacity = ending == .found || ending == .reachedMost ? search.confirmed : nil
    throughput = (capacity ?? held).flatMap { load in
      steps.last { $0.load == load && $0.outcome == .held && $0.purpose != .recover }?.throughput
    }
    bounds = broke.flatMap { load in steps.last { $0.load == load && !$0.causes.isEmpty }?.causes } ?? []
    untested = ending == .untested ? steps.last?.causes ?? [] : []
    knee = CapacityKnee(steps)
    (verdict, reasons) = (word, sentences(limit))
    gate()
  }

  private var word: Verdict {
    switch ending {
    case .found, .reachedMost: .pass
    case .nothingHeld: .fail
    case .generator, .interrupted: .invalid
    case .untested, .outOfTime, .unsteady, .notRecovered: .noData
    }
  }

  private func sentences(_ limit: String) -> [String] {
    let interval = interval
    let why = bounds.first.map { ": \($0.sentence)" } ?? ""
    switch ending {
    case .found:
      return [
        "\(interval): all checks passed at \(text(capacity ?? 0)) (\(answers)), and the first one failed at "
          + "\(text(broke ?? 0))\(why)"
      ]
    case .reachedMost:
      return ["all checks passed up to \(text(capacity ?? 0)) (\(answers)), the highest load of the search"]
    case .nothingHeld: return ["no load passed, not even \(text(broke ?? 0))\(why)"]
    case .generator:
      return [
        "\(interval), which is a limit of murphy on this machine and not of the API\(why). Give murphy more cores, "
          + "or a dedicated machine"
      ]
    case .untested:
      let needs = untested.first?.sentence ?? "a check has too few samples"
      return ["\(interval); \(needs) in the longest window. Use a longer --window, or a budget with fewer samples"]
    case .outOfTime: return ["\(interval), when the \(limit) of the search were over. Raise --max-seconds\(why)"]
    case .unsteady:
      return ["\(interval), and three times a load that passed in one window failed in a longer one\(why)"]
    case .notRecovered:
      return [
        "\(interval). After that the target did not return to its behaviour at \(text(steps.first?.load ?? 0))\(why)"
      ]
    case .interrupted: return ["\(interval), when the search was interrupted"]
    }
  }

  private var answers: String { throughput.map { "\(Rate(perSecond: $0).text) responses" } ?? "no response" }

  /// The known bounds of the capacity.
  private var interval: String {
    switch (held, broke) {
    case (let held?, let broke?): "the capacity is between \(text(held)) and \(text(broke))"
    case (let held?, nil): "the capacity is at least \(text(held))"
    case (nil, let broke?): "the capacity is below \(text(broke))"
    case (nil, nil): "the capacity is unknown"
    }
  }

  /// A required load decides if it is known to be below or above the capacity.
  private mutating func gate() {
    guard let required, ending != .interrupted else { return }
    if let held, held >= required, ending == .found || ending == .reachedMost || ending == .generator {
      verdict = .pass
      reasons.insert("\(text(required)) was required, and passed", at: 0)
    } else if let broke, broke <= required, bounds.first?.kind != .generator, ending == .found || ending == .nothingHeld
    {
      verdict = .fail
      reasons.insert("\(text(required)) was required, and \(text(broke)) failed", at: 0)
    } else if verdict == .pass {
      verdict = .noData
      reasons.insert(
        "\(text(required)) was required, and is between the highest passing and the lowest failing load", at: 0)
    }
  }
}
