import Foundation
import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario

/// Runs of a draft at low load, which measure its budgets and show the steps that the API rejects.
struct CalmRun {
  let contract: Contract
  let document: String
  let options: ScenarioGenerator.Options
  let stop: StopSignal
  let progress: @Sendable (Snapshot) -> Void
  let log: CalmLog
  let rejections: RejectionLog
  /// The time that one user takes for a call, if the server cannot keep up with the arrivals of the draft. Then a single
  /// user runs the sessions. Nil for the arrivals of the draft.
  var pace: Duration?
  /// Operations that return a token. They are rejected for the user in their body, which no option gives.
  private let logins: Set<String>

  /// With fewer responses a p95 is not reliable.
  static let fewest = 5
  static let shortest: Duration = .seconds(12)
  /// The limit for one run, and for the sum of all further runs for operations with too few responses.
  private static let longest: Duration = .seconds(45)
  /// The limit for the time that a server gets for its queue.
  private static let longestRest: Duration = .seconds(60)
  /// The statuses of rejections for unsuitable sample values.
  static let refusals = [400, 401, 403, 404, 405, 406, 409, 410, 412, 415, 422, 428]

  init(
    _ contract: Contract, _ document: String, _ options: ScenarioGenerator.Options, _ stop: StopSignal,
    _ progress: @escaping @Sendable (Snapshot) -> Void
  ) {
    (self.contract, self.document, self.options) = (contract, document, options)
    (self.stop, self.progress) = (stop, progress)
    log = CalmLog(contract)
    rejections = RejectionLog(contract, environment: options.run.environment)
    logins = Set(contract.logins.map { contract.operations[$0.operation].id })
  }

  /// Runs the draft itself with a few users, from a temporary file.
  ///
  /// - Parameters:
  ///   - known: the results of earlier runs.
  ///   - only: the sessions; empty for all.
  func result(_ known: ScenarioDraft.Options, only: [String] = []) async throws -> RunResult {
    let folder = FileManager.default.temporaryDirectory.appending(path: "murphy-init-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "draft.yaml").path
    let draft = draft(known)
    try draft.text.write(toFile: file, atomically: true, encoding: .utf8)
    var running = options.run
    running.walksCollections = false
    running.trace = SessionTrace { event in
      log.record(event)
      if case .exchanged(let traced) = event, logins.contains(traced.operation) { return }
      rejections.record(event)
    }
    if let pace {
      (running.only, running.users) = (only, 1)
      running.duration = min(max(pace * ((Self.fewest + 1) * draft.operations.count), Self.shortest), Self.longest)
    } else if only.isEmpty {
      let wanted = Duration.saturating(seconds: Double((Self.fewest + 1) * draft.operations.count) / draft.rate)
      running.duration = min(max(wanted, Self.shortest), Self.longest)
    } else {
      (running.only, running.users, running.duration) = (only, only.count, Self.shortest)
    }
    let gate = try await Gate.load(file, options: running)
    running.checksOpening = false
    let record = try await gate.run(running, stop: stop, progress: progress)
    return gate.judge(record, options: running)
  }

  /// Waits until the server has probably served the requests of a run that are still in its queue.
  func rest(after result: RunResult) async {
    let left = Double(result.ledger.inFlightAtEnd) / Double(max(result.ledger.answered, 1))
    let end = ContinuousClock.now + min(result.run.duration * (1.25 * left), Self.longestRest)
    while !stop.isRequested, .now < end { try? await Task.sleep(for: .milliseconds(50)) }
  }

  private func draft(_ known: ScenarioDraft.Options) -> ScenarioDraft {
    var drafting = ScenarioDraft.Options(contract: DraftPath.absolute(document))
    (drafting.writes, drafting.keepsCookies) = (options.writes, known.keepsCookies)
    (drafting.rule, drafting.login) = (known.rule, known.login)
    (drafting.conflicting, drafting.secondNames) = (known.conflicting, known.secondNames)
    drafting.ownReads = known.ownReads
    // One call with unsuitable values must not prevent the calls after it.
    for operation in contract.operations { drafting.refused[operation.id] = Self.refusals }
    drafting.asksForTokens = options.run.environment[Contract.clientID] != nil
    return ScenarioDraft(contract, drafting)
  }

  /// Runs the sessions again that have operations with too few responses, until each has enough or time is up. A session
  /// with a limited operation would use up the quota.
  func complete(_ result: inout RunResult, _ known: ScenarioDraft.Options) async throws {
    let operations = draft(known).operations
    let limited = Set(contract.operations.filter { StatedLimit($0) != nil }.map(\.id))
    var spent: Duration = .zero
    while spent < Self.longest, !stop.isRequested {
      let counts = Dictionary(result.operations.map { ($0.operation, $0.successes) }) { first, _ in first }
      let lacking = result.sessions.filter { session in
        guard limited.isDisjoint(with: operations[session.session] ?? []) else { return false }
        return session.started == 0
          || (operations[session.session] ?? []).contains { (1..<Self.fewest).contains(counts[$0] ?? 0) }
      }.map(\.session)
      guard !lacking.isEmpty else { return }
      let more = try await self.result(known, only: lacking)
      guard more.ledger.answered > 0 else { return }
      result.add(more, of: lacking)
      spent += Self.shortest
    }
  }
}

extension RunResult {
  /// Adds the results of another run for some sessions. Of two results of an operation, the one with more responses
  /// counts.
  fileprivate mutating func add(_ other: RunResult, of names: [String]) {
    ledger.answered += other.ledger.answered
    run.duration += other.run.duration
    findings += other.findings
    for name in names {
      guard let place = sessions.firstIndex(where: { $0.session == name }),
        let session = other.sessions.first(where: { $0.session == name })
      else { continue }
      sessions[place] = session
    }
    for operation in other.operations where operation.requests > 0 {
      if let place = operations.firstIndex(where: { $0.operation == operation.operation }) {
        if operations[place].successes < operation.successes || operations[place].requests == 0 {
          operations[place] = operation
        }
      } else {
        operations.append(operation)
      }
    }
  }
}
