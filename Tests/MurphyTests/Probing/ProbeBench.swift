import Foundation
import Murphy
import MurphyHTTP
import MurphyJudge
import MurphyModel
import TestSupport
import Testing

/// What the suites of this folder share: scenarios of the repository and probes of plain URLs.
enum ProbeBench {
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  static func gate(_ name: String) throws -> Gate {
    try Gate.load(root.appending(path: "scenarios/murphys-laws/\(name).yaml").path, environment: [:])
  }

  /// Loaded once: reading the contract takes a processor for as long as a probe may wait for a response.
  private static let rateLimits = Result { try gate("rate-limits") }

  /// The votes' promise of another algorithm, in scenario and contract alike.
  private static func gate(promising limiter: String) throws -> Gate {
    let folder = NSTemporaryDirectory() + "murphy-promises-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for file in ["rate-limits.yaml", "openapi.yaml"] {
      let text = try String(
        contentsOf: root.appending(path: "scenarios/murphys-laws/\(file)"), encoding: .utf8)
      try text.replacing("algorithm: fixed", with: "algorithm: \(limiter)").write(
        toFile: folder + "/" + file, atomically: true, encoding: .utf8)
    }
    return try Gate.load(folder + "/rate-limits.yaml", environment: [:])
  }

  /// Probes the reference API's votes: 30 a minute, times `scale`.
  ///
  /// - Parameters:
  ///   - limiter: how the server counts.
  ///   - promised: what scenario and contract say that it does.
  static func probe(
    scale: Double, fault: String? = nil, limiter: String = "fixed", promised: String = "fixed",
    blackBox: Bool = false, followUps: Bool = true
  ) async throws -> ProbedLimit {
    Timed.require()
    var settings = "time-scale=\(scale)&limiter=\(limiter)"
    if let fault { settings += "&fault=\(fault)" }
    var options = LimitsOptions()
    options.target = try Target("embedded:murphys-laws?\(settings)")
    options.operation = "voteLaw"
    options.isBlackBox = blackBox
    options.asksFollowUps = followUps
    options.time = .seconds(90)
    let gate = try promised == "fixed" ? rateLimits.get() : gate(promising: promised)
    return try await gate.probeLimits(options).limits[0]
  }

  /// Probes whatever responses `GET /` at a URL, as a black box.
  static func probe(_ url: String, dimensions: [ProbeDimension] = []) async throws -> ProbeSession.Log {
    Timed.require()
    var subject = ProbeSubject(operation: "GET /", base: HTTPRequest(method: "GET", target: "/index.html"))
    subject.hasOtherAddresses = true
    return try await ProbeSession(
      subject: subject, options: ProbeOptions(maxRequests: 4000, time: .seconds(60), dimensions: dimensions), url: url
    ).run()
  }

  /// The first probe that leaves the question not open: a busy machine may leave it open, at most twice.
  static func decided<Outcome: Sendable>(
    _ question: String, isOpen: (Outcome) -> Bool, _ probe: () async throws -> Outcome
  ) async throws -> Outcome {
    var open: [Outcome] = []
    for attempt in 0..<3 {
      // The quota that the attempt before used up is full again.
      if attempt > 0 { try await Task.sleep(for: .seconds(2)) }
      let outcome = try await probe()
      if !isOpen(outcome) { return outcome }
      open.append(outcome)
    }
    throw Undecided(description: "three probes did not decide: \(question): \(open)")
  }

  struct Undecided: Error, CustomStringConvertible { let description: String }

  /// Several probes at a time: they mostly wait, but must not keep one another from being on time.
  static let places = Places(6)
}

extension ProbeReport.Estimate {
  /// Whether the true value is in the interval. Servers count in milliseconds and round, so up to 3 % are their own.
  func holds(_ value: Double) -> Bool { low <= value * 1.03 && value * 0.97 <= high }

  /// Whether the interval is so wide that it says little.
  var isVague: Bool { high > 2 * low }
}

/// Lets so many in at a time.
actor Places {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func use<Value: Sendable>(_ body: @Sendable () async throws -> Value) async rethrows -> Value {
    await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
