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
        "\(interval): every promise held at \(text(capacity ?? 0)) (\(answers)), and at \(text(broke ?? 0)) the first one "
          + "did not\(why)"
      ]
    case .reachedMost:
      return ["every promise held up to \(text(capacity ?? 0)) (\(answers)), the most that was asked for"]
    case .nothingHeld: return ["no load held, not even \(text(broke ?? 0))\(why)"]
    case .generator:
      return [
        "\(interval), which is a bound of murphy on this machine and no capacity of the API\(why). Give murphy more cores, "
          + "or a machine of its own"
      ]
    case .untested:
      let needs = untested.first?.sentence ?? "a promise has too few samples"
      return ["\(interval); \(needs) in the longest window. Give a longer --window, or a budget with fewer samples"]
    case .outOfTime: return ["\(interval), when the \(limit) of the search were over. Give more --max-seconds\(why)"]
    case .unsteady: return ["\(interval), and loads that held in one window did not in a longer one, three times\(why)"]
    case .notRecovered:
      return [
        "\(interval). After that the target did not come back to what it was at \(text(steps.first?.load ?? 0))\(why)"
      ]
    case .interrupted: return ["\(interval), when the search was interrupted"]
    }
  }

  private var answers: String { throughput.map { "\(Rate(perSecond: $0).text) responses" } ?? "no response" }

  /// The known bounds of the capacity.
  private var interval: String {
    switch (held, broke) {
    case (let held?, let broke?): "the capacity lies between \(text(held)) and \(text(broke))"
    case (let held?, nil): "the capacity is at least \(text(held))"
    case (nil, let broke?): "the capacity is below \(text(broke))"
    case (nil, nil): "nothing is known of the capacity"
    }
  }

  /// A required load decides if it is known to be below or above the capacity.
  private mutating func gate() {
    guard let required, ending != .interrupted else { return }
    if let held, held >= required, ending == .found || ending == .reachedMost || ending == .generator {
      verdict = .pass
      reasons.insert("\(text(required)) was asked for, and held", at: 0)
    } else if let broke, broke <= required, bounds.first?.kind != .generator, ending == .found || ending == .nothingHeld
    {
      verdict = .fail
      reasons.insert("\(text(required)) was asked for, and \(text(broke)) did not hold", at: 0)
    } else if verdict == .pass {
      verdict = .noData
      reasons.insert("\(text(required)) was asked for, and lies between what held and what did not", at: 0)
    }
  }
}
