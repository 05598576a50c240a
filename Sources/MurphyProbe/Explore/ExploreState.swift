import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema
import Synchronization

/// The shared state of the explorers of a run: their open work, their finished work and their findings.
package final class ExploreState: Sendable {
  /// One unit of work.
  enum Work: Sendable {
    case trial(ExploreCase)
    case life(ResourceLifecycle)

    /// The tested operation.
    var operation: Int {
      switch self {
      case .trial(let one): one.call.operation
      case .life(let life): life.steps.last?.operation ?? 0
      }
    }

    /// All operations that it sends requests to.
    var operations: [Int] {
      switch self {
      case .trial(let one): one.steps.map(\.operation)
      case .life(let life): (life.steps + [life.reading, life.change, life.list].compactMap(\.self)).map(\.operation)
      }
    }

    /// Equal for equal work of the same document and seed.
    var name: String {
      switch self {
      case .trial(let one): one.name
      case .life(let life): life.name
      }
    }
  }

  /// A suspicion that was reproduced.
  package struct Found: Sendable {
    /// The confirmed finding.
    package var finding: Finding
    var steps: [ExploreCall]
    /// The name of the work that showed it first.
    var name: String

    /// The data for a replay.
    package var explored: ExploredCase {
      ExploredCase(fingerprint: finding.fingerprint, operation: finding.operation ?? "", name: name)
    }
  }

  struct State {
    var schedule: ExploreSchedule
    var preparations = PreparationMemory()
    var missed: [Int: String] = [:]
    var trialBases: [Int: [ExploreCall]] = [:]
    var isReady = false
    var isOver = false
    /// True if a user found no work. Users that have not started are not needed any more.
    var isFinished = false
    var pace: ExplorePace
    var start: ContinuousClock.Instant?
    var end: ContinuousClock.Instant?
    var cut: Cut?
    /// By operation: the planned cases that a rate limit still delayed when the exploration was cut.
    var limited: [Int: Int] = [:]
    var requests = 0
    var claimed: [Claim: Sightings] = [:]
    var found: [Claim: Found] = [:]
    var alike: [String: [Claim]] = [:]
    var unrepeated = 0
    var addresses = SourceAddresses()
    var coverage: ExploreCoverage
    var callers: ExploreCallers
    var login: String?
    var bases: [Int: [ExploreCall]] = [:]
    var readings: [Int: ExploreCall] = [:]
    var secrets: Set<String> = []
    var credentials = ExploreCredentials()
    var things: KnownThings
    var created = CreatedItems()
    var skipped: [Int: String] = [:]
    var precedents = Precedents()
    /// True if the contract has an operation that deletes items.
    let canDelete: Bool
    var deletions = (count: 0, took: Duration.zero)
    var links = ReadLinks()
    var scripted: [String: [ExploreCall]] = [:]

    /// True if the operation fails in the same way for its minimal valid request. Then its changes are not the cause.
    func isOfThePlainRequest(_ claim: Claim) -> Bool {
      guard claim.failure != nil else { return false }
      var plain = claim
      plain.cause = ""
      return claim != plain && found[plain] != nil
    }

    /// True if there is time and a request left; otherwise it ends the exploration.
    mutating func goesOn(_ most: Int) -> Bool {
      guard !isOver else { return false }
      if let end, ContinuousClock.now + reserve >= end { stop(.time) }
      if requests >= most { stop(.requests) }
      return !isOver
    }

    mutating func stop(_ cut: Cut) { (self.cut, isOver, limited) = (cut, true, schedule.limited) }
  }

  /// The reason why an exploration ended before all cases were tested.
  package enum Cut: String, Sendable {
    case time = "--max-seconds"
    case requests = "--max-requests"
    case limits = "A rate limit with a wait beyond --max-seconds"
  }

  /// The number of created items above which random cases create no more.
  private static let mostCreated = 1_000
  let most: Int
  private let time: Duration
  private let hasManyAddresses: Bool
  let things: KnownThings
  /// operationIds.
  let operations: [String]
  let state: Mutex<State>
  let plan = Mutex<LoopBound<ExplorePlan>?>(nil)

  /// An exploration that has sent no request.
  package init(_ setting: ExploreConfiguration) {
    most = setting.mostRequests
    time = setting.time
    hasManyAddresses = setting.hasManyAddresses
    let things = KnownThings(setting.contract)
    self.things = things
    operations = setting.contract.operations.map(\.id)
    // Reads show which items exist before any are created.
    let isSafe = { (index: Int) in WriteRule.isSafe(setting.contract.operations[index].method) }
    let order = setting.operations.filter(isSafe) + setting.operations.filter { !isSafe($0) }
    state = Mutex(
      State(
        schedule: ExploreSchedule(
          order, creators: Set(order.filter { setting.contract.operations[$0].method == "POST" }),
          invents: setting.invents), pace: ExplorePace(users: setting.users),
        coverage: ExploreCoverage(setting),
        callers: setting.callers, things: things,
        canDelete: setting.contract.operations.contains { $0.method == "DELETE" && $0.isDocumented }))
  }

  // MARK: work

  func open() { state.withLock { $0.isReady = true } }

  func takeNext() -> ExploreSchedule.Next {
    state.withLock { state in
      guard state.goesOn(most) else { return .nothing }
      let creates = state.created.paths.count < Self.mostCreated && state.canRemoveMore
      let next = state.schedule.takeNext(creates: creates) { [coverage = state.coverage] in
        coverage.isDecided($0)
      }
      if case .nothing = next { state.isFinished = true }
      guard case .wait(let moment) = next, let end = state.end, moment >= end else { return next }
      state.stop(.limits)
      return .nothing
    }
  }

  /// A rate limit interrupted the work: it is repeated later, or counted as undecided.
  func putBack(_ work: Work, of operation: Int) {
    state.withLock { state in
      if !state.schedule.putBack(work, of: operation) { state.coverage.undecided(work.operation, .limited) }
    }
  }

  /// Records that a rate limit allows no request to the operation for this time.
  ///
  /// - Returns: the time that is left.
  func limit(_ operation: Int, _ wait: Duration) -> Duration {
    state.withLock { state in
      let now = ContinuousClock.now
      state.schedule.limit(operation, until: now + wait)
      return state.end.map(now.duration) ?? .zero
    }
  }
  /// Another address of this machine for a user that a rate limit has rejected; nil if none helps.
  func address(for operation: Int) -> String? {
    guard hasManyAddresses else { return nil }
    return state.withLock { $0.addresses.next(for: operation) }
  }
  /// Records that the operation was rejected from a new address, too: its limit does not count by address.
  func stay(_ operation: Int) { state.withLock { _ = $0.addresses.useless.insert(operation) } }
  /// The number of source addresses; nil for one.
  package var addresses: Int? { state.withLock { $0.addresses.count > 0 ? $0.addresses.count + 1 : nil } }

  func isLimited(_ operation: Int) -> Bool { state.withLock { $0.schedule.isLimited(operation) } }

  /// The chain of a successful call of the operation.
  func base(of operation: Int) -> [ExploreCall]? { state.withLock { $0.bases[operation] } }
  /// The call that reads the item that the operation has created or changed, after the steps of its base.
  func reading(of operation: Int) -> ExploreCall? { state.withLock { $0.readings[operation] } }
  func keep(_ base: [ExploreCall], reading: ExploreCall?, of operation: Int) {
    state.withLock { ($0.bases[operation], $0.readings[operation]) = (base, reading) }
  }

  var isReady: Bool { state.withLock { $0.isReady || $0.isOver } }
  var isOver: Bool { state.withLock { $0.isOver } }
  /// Stops sending requests.
  package func end() { state.withLock { $0.isOver = true } }

  func takeRequest() -> Bool {
    state.withLock { state in
      guard state.goesOn(most) else { return false }
      state.requests += 1
      return true
    }
  }

  func begin() {
    let start = ContinuousClock.now
    state.withLock { ($0.start, $0.end) = (start, start + time) }
  }

  /// The user's own credentials, if they stopped working and that ended the exploration; nil otherwise.
  package var lostCredentials: LostCredentials? { state.withLock { $0.credentials.lost } }
  /// By operation: what the first rejection of the user's own requests says.
  package var rejections: [Int: (says: CredentialRejection, isSent: Bool)] { state.withLock { $0.credentials.first } }

  /// The reason why it ended before all planned cases were tested; nil if it was complete.
  package var cut: Cut? { state.withLock { $0.schedule.isComplete ? nil : $0.cut } }
  /// True if the limit of requests ended the exploration after all planned cases.
  package var isOutOfRequests: Bool { state.withLock { $0.schedule.isComplete && $0.cut == .requests } }
  /// The amount of work that was not started, and the total.
  package var left: (count: Int, of: Int) { state.withLock { $0.schedule.left } }

  /// By list operation: its items, those with the most values first.
  var fullest: [Int: [Int]] { state.withLock { $0.things.fullest } }

  /// By list operation that the document does not describe: the name of the first item in a response.
  var learned: [Int: JSONPointer] { state.withLock { $0.things.learned } }

  // MARK: coverage

  /// - Returns: true if the request succeeded as a creation, but the response has an item that existed before.
  func saw(_ performed: CaseRunner.Performed, _ setting: ExploreConfiguration) -> Bool {
    state.withLock { state in
      var performed = performed
      let items: [String]
      (performed.isExisting, items) = state.things.saw(performed)
      let operation = performed.call.operation
      state.created.saw(
        performed, operations[operation], items: items,
        isCreation: things.mayCreate(operation) || things.locates(performed))
      state.coverage.saw(performed)
      state.pace.saw(performed.took)
      if performed.request.method == "DELETE", performed.isSuccess {
        state.deletions = (state.deletions.count + 1, state.deletions.took + performed.took)
      }
      state.precedents.saw(performed)
      state.links.saw(performed)
      state.credentials.saw(
        performed, isOwn: state.callers.areSent(with: performed.call), isOpen: state.callers.isOpen(operation))
      if state.credentials.lost != nil { state.isOver = true }
      guard let json = performed.json, state.secrets.count < 10_000 else { return performed.isExisting }
      // Values that explore sent itself are not secret: scripts show them.
      let secrets = json.secrets(
        setting.secretMembers[operation], by: setting.contract.operations[operation].path,
        identifiers: setting.identifiers)
      state.secrets.formUnion(secrets.filter { !performed.sends($0) })
      return performed.isExisting
    }
  }
  func reached(_ operation: Int, status: Int) { state.withLock { $0.coverage.reached(operation, status: status) } }
  func planned(_ cases: [ExploreCase]) { state.withLock { state in cases.forEach { state.coverage.planned($0) } } }
  /// Records a case of the operation that no response decides.
  func undecided(_ operation: Int, _ why: Undecided) { state.withLock { $0.coverage.undecided(operation, why) } }
  /// - Parameter undecided: the reason why its responses decide nothing; nil if they decide it.
  func tried(_ one: ExploreCase, undecided: Undecided?) {
    state.withLock { $0.coverage.tried(one, undecided: undecided) }
  }

  // MARK: what came of it

  /// Values of responses that no output may show.
  package var secrets: Set<String> { state.withLock { $0.secrets } }
  /// The requests sent so far. Callable from any thread.
  package var requests: Int { state.withLock { $0.requests } }
  /// One row for each operation. Callable from any thread.
  package var rows: [ExploredOperation] { state.withLock { $0.coverage.rows(limited: $0.limited) } }

  /// `9/13 operations, 22/40 statuses, 31/35 parameters, 80/120 constraints, 2 findings`. Notes are not counted.
  package var line: String {
    state.withLock { state in
      "\(state.coverage.line), \(counted(state.found.values.count { $0.finding.severity > .note }, "finding"))"
    }
  }
}
