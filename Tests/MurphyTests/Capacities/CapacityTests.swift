import Foundation
import Murphy
import TestSupport
import Testing

/// A real search against a real server whose capacity is set: so many workers of a fixed service time.
@Suite(.serialized, .timed) struct CapacityTests {
  static let scenario = """
    name: One law
    contract: CONTRACT
    target: embedded:murphys-laws
    client: { connections: reuse }
    sessions:
      look: { steps: [ { call: getLawOfTheDay } ] }
    load:
      - { hold: 40/s, for: 10s }
    expect:
      budgets: { getLawOfTheDay: { p50: 60ms } }
    """

  static func search(
    _ text: String = scenario, workers: Int, work: Duration, _ change: (inout CapacityOptions) -> Void = { _ in }
  ) async throws -> CapacityResult {
    try await withScenario(text) { file in
      var options = CapacityOptions()
      options.run.reference.workers = workers
      options.run.reference.work = work
      options.run.reference.limits.isOff = true
      options.run.seed = 3
      options.window = .seconds(3)
      options.first = 80
      change(&options)
      let result = try await Gate.load(file, environment: [:]).capacity(options)
      quote(CapacityReport(result).document.terminal())
      return result
    }
  }

  /// 2 workers of 20 ms respond to 100 requests a second.
  @Test(.timeLimit(.minutes(5))) func `a known capacity is found`() async throws {
    let result = try await Self.search(workers: 2, work: .milliseconds(20))
    #expect(result.verdict == .pass && result.ending == .found, "\(result.reasons)")
    let (capacity, broke) = (try #require(result.capacity), try #require(result.broke))
    // A busy machine slows the workers down, and nothing speeds them up.
    #expect(80...105 ~= capacity, "\(capacity)")
    #expect(broke > capacity && broke <= capacity * 1.06)
    #expect([.latency, .backlog].contains(result.bounds.first?.kind))
    // A window may have had a stall, and no window has more than the workers can do.
    #expect(result.throughput.map { $0 > capacity / 2 && $0 < 105 } == true)
    #expect(result.knee.map { $0.load > 30 } == true)
    #expect(result.steps.contains { $0.purpose == .confirm && $0.outcome == .held && $0.duration >= .seconds(6) })
    // Two windows of each load that did not hold.
    let failed = Dictionary(grouping: result.steps.filter { $0.outcome == .broke }, by: \.load)
    #expect(failed.values.contains { $0.count >= 2 })
  }

  /// 2 workers of 20 ms: with n users each waits 10 ms · n, which is over 155 ms from the 16th on.
  @Test(.timeLimit(.minutes(5))) func `users of a closed model are counted as whole`() async throws {
    let text = Self.scenario.replacing("- { hold: 40/s, for: 10s }", with: "- { users: 8, for: 10s }")
      .replacing("60ms", with: "155ms")
    let result = try await Self.search(text, workers: 2, work: .milliseconds(20)) { options in
      options.window = .seconds(2)
      options.first = 8
    }
    #expect(result.unit == .users && result.verdict == .pass, "\(result.reasons)")
    let capacity = try #require(result.capacity)
    #expect(capacity <= 15 && capacity == capacity.rounded(), "\(capacity)")
    // Little's law: the users divided by the throughput are the time of a session. A machine that takes time from the
    // server shows in the throughput of the same window.
    for step in result.steps where step.outcome == .broke {
      #expect(step.load / step.throughput > 0.14, "\(step)")
    }
    #expect(result.bounds.first?.kind == .latency)
  }

  @Test(.timeLimit(.minutes(2))) func `the limiter of the API is the reason and no error`() async throws {
    let result = try await Self.search(workers: 100, work: .milliseconds(1)) { options in
      options.run.reference.limits.isOff = false
      // One device for all: 60 requests a minute, which a window of a twentieth of that makes 60 in 3 s.
      options.run.reference.limits.timeScale = 0.05
      options.window = .seconds(4)
      options.first = 10
      options.precision = 0.3
    }
    let capacity = try #require(result.held)
    #expect(result.bounds.first?.kind == .limiter, "\(result.reasons)")
    #expect(capacity > 10)
    #expect(result.reasons.contains { $0.contains("a documented rate limit rejected") }, "\(result.reasons)")
  }

  @Test(.timeLimit(.minutes(2))) func `the ends of a search`() async throws {
    // 20 ms of work for a budget of 10 ms: no load holds.
    let none = try await Self.search(
      Self.scenario.replacing("60ms", with: "10ms"), workers: 2, work: .milliseconds(20)
    ) { options in
      options.window = .seconds(2)
      options.first = 100
    }
    #expect(none.verdict == .fail && none.ending == .nothingHeld && none.capacity == nil, "\(none.reasons)")
    let most = try await Self.search(workers: 10, work: .milliseconds(10)) { options in
      options.window = .seconds(2)
      options.first = 40
      options.most = 60
      options.required = 50
    }
    #expect(most.verdict == .pass && most.ending == .reachedMost && most.capacity == 60, "\(most.reasons)")
    // A budget that each machine meets: the calibration passes, and the time ends the search.
    let late = try await Self.search(
      Self.scenario.replacing("60ms", with: "5s"), workers: 2, work: .milliseconds(20)
    ) { $0.limit = .seconds(9) }
    #expect(late.verdict == .noData && late.ending == .outOfTime && late.held != nil, "\(late.reasons)")
  }
}

/// `murphy capacity` as a user runs it.
@Suite(.serialized, .timed) struct CapacityCommandTests {
  @Test(.timeLimit(.minutes(3))) func `the page and the file are written`() async throws {
    try await withScenario(CapacityTests.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent + "/report"
      let outcome = try await Program().run([
        "capacity", file, "--work", "20", "--workers", "1", "--limits", "off", "--window", "2s", "--precision", "15%",
        "--from", "20/s", "--seed", "4", "--report", folder,
      ])
      #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.lastLine == "PASS")
      #expect(outcome.output.contains("the capacity is between"))
      let text = try String(contentsOfFile: folder + "/capacity.json", encoding: .utf8)
      #expect(text.contains("\"murphy-capacity/1\"") && text.contains("\"in_flight\""))
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      let result = try decoder.decode(CapacityResult.self, from: Data(text.utf8))
      #expect(result.steps.count > 5)
      let page = try String(contentsOfFile: folder + "/capacity.html", encoding: .utf8)
      #expect(page.contains("capacity-latency") && page.contains("</html>"))
    }
  }

  @Test(.timeLimit(.minutes(2))) func `ctrl c keeps what is known`() async throws {
    try await withScenario(CapacityTests.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent + "/report"
      let outcome = try await Program().run(
        [
          "capacity", file, "--work", "1", "--workers", "10", "--limits", "off", "--window", "2s", "--from", "20/s",
          "--report", folder,
        ], interruptAfter: .seconds(9))
      #expect(outcome.status == 4, "\(outcome.output)\(outcome.errors)")
      #expect(outcome.lastLine == "INVALID")
      #expect(outcome.output.contains("the capacity is at least"), "\(outcome.output)")
      #expect(FileManager.default.fileExists(atPath: folder + "/capacity.html"))
    }
  }

  @Test(arguments: [
    ["--from", "fast"], ["--from", "20/s", "--max", "20"], ["--precision", "0%"], ["--window", "1s"],
    ["--target", "http://127.0.0.1:1", "--work", "1"], ["--from", "20"],
  ])
  func `wrong usage is a sentence and status two`(arguments: [String]) async throws {
    try await withScenario(CapacityTests.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent + "/report"
      let outcome = try await Program().run(
        ["capacity", file, "--report", folder, "--max-seconds", "5", "--quiet"] + arguments)
      if arguments == ["--from", "20"] {
        // Users in place of arrivals: a question, no mistake.
        #expect(outcome.status != 2, "\(outcome.errors)")
      } else {
        #expect(outcome.status == 2, "\(outcome.output)\(outcome.errors)")
        #expect(!outcome.errors.isEmpty)
      }
    }
  }
}
