import MurphyJudge
import MurphyModel

/// One part of a probe, as it is announced before it begins.
public struct ProbePhase: Sendable, Hashable, Codable {
  /// The parts of a probe, in their order.
  package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
    case allowance, key, release, algorithm, closing
  }

  /// The part of the probe.
  package var name: Name
  /// The question of the part, and its cost.
  package var asks: String
}

extension Prober {
  /// The planned questions, in this order.
  package var phases: [ProbePhase] {
    let window = options.declared.map { "the declared \($0.window.text)" } ?? "an unknown window"
    var phases: [ProbePhase] = []
    func ask(_ name: ProbePhase.Name, _ question: String) { phases.append(ProbePhase(name: name, asks: question)) }
    ask(.allowance, "burst size: one burst until requests are rejected")
    if !options.dimensions.isEmpty {
      let names = options.dimensions.map(\.rawValue).joined(separator: ", ")
      ask(.key, "key: \(names); 8 requests each, within \(window)")
    }
    guard !options.isQuick else { return phases }
    if known == nil {
      ask(
        .release,
        "time until the next request is admitted: up to one window, limited only by --max-seconds")
    }
    let usual = known == nil ? "10 to 20" : "1 to 4"
    ask(
      .algorithm,
      "algorithm and window: usually \(usual) windows, at most \(Int(mostWindows))")
    let closing = [
      options.triesRace ? "whether concurrent requests exceed the quota" : nil,
      options.triesInvalid ? "whether failed requests count" : nil,
    ].compactMap(\.self)
    if !closing.isEmpty {
      ask(.closing, "\(closing.joined(separator: ", ")): at most \(Int(Self.closingWindows)) windows")
    }
    return phases
  }

  /// The maximum number of windows for identifying the algorithm: of a declared limit, one in a hundred probes needs more
  /// than 16 (docs/rate-limits.md §3.3). The trial of a black box needs about eight more.
  var mostWindows: Double { known == nil ? 40 : 24 }
  /// The maximum number of windows for the closing questions, including those of the driver.
  static let closingWindows = 22.0

  /// The longest possible window so far, in seconds: of all kinds, because an announced end is never postponed.
  private var longestWindow: Double? {
    known?.window ?? particles.lazy.filter { $0.weight > 1e-3 }.map(\.window).max()
  }

  /// No experiment begins that would end after this time; seconds on the prober's clock.
  var experimentsEnd: Double {
    let latest = min(timeLimit, announcedEnd)
    return longestWindow.map { min(latest, keysEnd + mostWindows * $0) } ?? latest
  }

  /// The latest end of the probe; seconds on the prober's clock. Never later than announced before.
  var end: Double {
    let latest = min(timeLimit, announcedEnd)
    guard let window = longestWindow else { return latest }
    if options.isQuick { return min(latest, window) }
    let closing = options.triesRace || options.triesInvalid ? Self.closingWindows * window : 0
    let isClosing = if case .closing = stage { true } else { false }
    return min(latest, (isClosing ? experimentsDone : experimentsEnd) + closing + 1)
  }

  package var progress: ProbeProgress {
    let text: String
    let phase: ProbePhase.Name
    switch stage {
    case .exhaust: (text, phase) = ("using up the quota", .allowance)
    case .alone: (text, phase) = ("sending requests one by one", .allowance)
    case .keys(let questions): (text, phase) = (questions.text, .key)
    case .poll: (text, phase) = ("waiting for the next admission", .release)
    case .refill: (text, phase) = ("measuring the next admissions", .release)
    case .schedule: (text, phase) = ("sending requests at chosen times of one window", .algorithm)
    case .experiment: (text, phase) = ("identifying the algorithm", .algorithm)
    case .closing(let followUps): (text, phase) = (followUps.text, .closing)
    case .finished: (text, phase) = ("done", .closing)
    }
    return ProbeProgress(text, phase, requests: requests, at: now, end: end)
  }
}

/// The progress of a probe, for a progress line.
public struct ProbeProgress: Sendable, Hashable {
  /// `using up the quota`, `measuring when requests are admitted again`, `identifying the algorithm` …
  package var stage: String
  /// The current part of the probe.
  package var phase: ProbePhase.Name
  /// The requests sent so far.
  package var requests: Int
  /// The time since the probe began.
  package var elapsed: Duration
  /// The maximum remaining time; no step begins that would take longer.
  package var remaining: Duration
}

extension ProbeProgress {
  /// - Parameters:
  ///   - now: like `end`, in seconds on the prober's clock.
  init(_ stage: String, _ phase: ProbePhase.Name, requests: Int, at now: Double, end: Double) {
    self.init(
      stage: stage, phase: phase, requests: requests, elapsed: .saturating(seconds: now),
      remaining: .saturating(seconds: max(0, end - now)))
  }
}
