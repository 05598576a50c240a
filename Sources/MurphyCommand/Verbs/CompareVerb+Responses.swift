import ArgumentParser
import Murphy

/// The options of a comparison of responses.
struct CompareResponseArguments: ParsableArguments {
  @Flag(help: "Compare the responses of base and candidate to the same sessions. Speed is not compared.")
  var responses = false
  @Option(
    help: """
      With --responses: the number of sessions in each run. One user runs the sessions one after the other, without \
      think times.
      """)
  var sessions = 40
  @Option(
    parsing: .singleValue,
    help: """
      With --responses: a place that is not compared (repeatable), as in the report: "/data/*/score", "header etag", \
      "listLaws status", or an operation.
      """)
  var ignore: [String] = []

  func validate() throws {
    guard 1...10_000 ~= sessions else {
      throw ValidationError("--sessions takes a number from 1 to 10000, found \(sessions).")
    }
    guard responses || ignore.isEmpty else { throw ValidationError("--ignore requires --responses.") }
  }
}

extension CompareVerb {
  /// `--responses`: runs the sessions on both targets, and writes `responses.html`, `.json` and `.md`.
  func compareResponses(_ named: inout ReportFolder?) async throws {
    let result: BehaviourResult
    do {
      result = try await comparedResponses()
    } catch {
      named?.discard()
      throw Failure.report(error)
    }
    try finish(
      result, BehaviourReport(result).document, result.verdict, result.reasons,
      named ?? ReportFolder(path: nil, scenario: result.scenario + " responses"), as: "responses")
  }

  private func comparedResponses() async throws -> BehaviourResult {
    var options = try liveOptions()
    (options.sessions, options.ignored) = (responses.sessions, responses.ignore)
    var loading = options.run
    loading.target = options.base
    let gate = try await Gate.open(paths[0], loading, isQuiet: quiet)
    let page = report.map { $0 + "/responses" }
    try OutputFile.guardCrash(
      gate.crashed(responses: options), [page.map { $0 + ".json" }, output.file],
      stale: page.map { page in ["html", "md"].map { "\(page).\($0)" } } ?? [])
    let stop = StopSignal()
    let interrupts = Interrupts(
      stop, endingWith: Ending(.invalid), "Stopping the comparison. Press Ctrl-C again to quit immediately.")
    let isQuiet = quiet
    let result = try await gate.compareResponses(options, stop: stop) { arm, run, runs in
      if !isQuiet { Console.error("run \(run) of \(runs): \(arm.rawValue)") }
    }
    withExtendedLifetime(interrupts) {}
    return result
  }
}
