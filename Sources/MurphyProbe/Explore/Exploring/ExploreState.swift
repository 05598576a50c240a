import MurphyContract
import MurphyModel
import MurphySchema
import Synchronization

/// What the explorers of a run have to do, have done and have found. They share it.
package final class ExploreState: Sendable {
  /// One thing to be done.
  enum Work: Sendable {
    case trial(ExploreCase)
    case life(ResourceLifecycle)

    /// The operation that is tried.
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

  /// A suspicion that was shown twice.
  package struct Found: Sendable {
    package var finding: Finding
    var steps: [ExploreCall]
    /// Of the work that showed it first.
    var name: String

    /// By which it is replayed.
    package var explored: ExploredCase {
      ExploredCase(fingerprint: finding.fingerprint, operation: finding.operation ?? "", name: name)
    }
  }

  struct State {
    var queue = ExploreQueue()
    var isReady = false
    var isOver = false
    var end: ContinuousClock.Instant?
    var cut: Cut?
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
    var scripted: [String: [ExploreCall]] = [:]

    /// Whether the operation fails in the same way for its plain request: then no change of it is the cause.
    func isOfThePlainRequest(_ claim: Claim) -> Bool {
      guard [.exploreServerError, .exploreNoAnswer].contains(claim.kind),
        let status = claim.cause.split(separator: " ").last
      else { return false }
      let plain = Claim(kind: claim.kind, operation: claim.operation, cause: " \(status)")
      return claim != plain && found[plain] != nil
    }

    /// Whether there is time and a request left; ends the exploration where there is not.
    mutating func goesOn(_ most: Int) -> Bool {
      guard !isOver else { return false }
      if let end, ContinuousClock.now >= end { cut = .time }
      if requests >= most { cut = .requests }
      isOver = cut != nil
      return !isOver
    }
  }

  /// What ended an exploration before everything was tried.
  package enum Cut: String, Sendable {
    case time = "--max-seconds"
    case requests = "--max-requests"
    case limits = "A rate limit with a wait beyond --max-seconds"
  }

  /// What findings are told apart by.
  struct Claim: Hashable {
    var kind: FindingKind
    var operation: Int
    var cause: String
  }

  private let most: Int
  private let time: Duration
  private let hasManyAddresses: Bool
  let things: KnownThings
  /// Ids.
  let operations: [String]
  let state: Mutex<State>

  package init(_ setting: ExploreConfiguration) {
    most = setting.mostRequests
    time = setting.time
    hasManyAddresses = setting.hasManyAddresses
    let things = KnownThings(setting.contract)
    self.things = things
    operations = setting.contract.operations.map(\.id)
    state = Mutex(State(coverage: ExploreCoverage(setting), callers: setting.callers, things: things))
  }

  // MARK: work

  func add(_ work: [Work]) {
    state.withLock { state in
      state.queue.add(work)
      for one in work { state.coverage.listed(one.operation) }
    }
  }
  func open() { state.withLock { $0.isReady = true } }

  func take() -> ExploreQueue.Next {
    state.withLock { state in
      guard state.queue.left.count > 0, state.goesOn(most) else { return .nothing }
      let next = state.queue.take { [coverage = state.coverage] in coverage.isDecided($0) }
      guard case .wait(let moment) = next, let end = state.end, moment >= end else { return next }
      (state.cut, state.isOver) = (.limits, true)
      return .nothing
    }
  }

  /// A rate limit interrupted the work: it is tried again later, or counted as not decided.
  func putBack(_ work: Work) {
    state.withLock { state in
      if !state.queue.putBack(work) { state.coverage.undecided(work.operation, .limited) }
    }
  }

  /// A rate limit allows no request to the operation for so many seconds.
  ///
  /// - Returns: the seconds that are left.
  func limit(_ operation: Int, _ wait: Double) -> Double {
    state.withLock { state in
      let now = ContinuousClock.now
      state.queue.limit(operation, until: now + .saturating(seconds: wait))
      return state.end.map { now.duration(to: $0) / .seconds(1) } ?? 0
    }
  }
  /// Another address of this machine for a user whom a rate limit has rejected; nil where none helps.
  func address(for operation: Int) -> String? {
    guard hasManyAddresses else { return nil }
    return state.withLock { $0.addresses.next(for: operation) }
  }
  /// The operation was rejected from a new address, too: its limit does not count by address.
  func stay(_ operation: Int) { state.withLock { _ = $0.addresses.useless.insert(operation) } }
  /// How many addresses requests came from; nil for one.
  package var addresses: Int? { state.withLock { $0.addresses.count > 0 ? $0.addresses.count + 1 : nil } }

  func isLimited(_ operation: Int) -> Bool { state.withLock { $0.queue.isLimited(operation) } }

  /// The chain of a call that the operation answers well.
  func base(of operation: Int) -> [ExploreCall]? { state.withLock { $0.bases[operation] } }
  /// Reads what a call of the operation has made or changed, behind its base's steps.
  func reading(of operation: Int) -> ExploreCall? { state.withLock { $0.readings[operation] } }
  func keep(_ base: [ExploreCall], reading: ExploreCall?, of operation: Int) {
    state.withLock { ($0.bases[operation], $0.readings[operation]) = (base, reading) }
  }

  var isReady: Bool { state.withLock { $0.isReady || $0.isOver } }
  var isOver: Bool { state.withLock { $0.isOver } }
  /// No further request is sent.
  package func end() { state.withLock { $0.isOver = true } }

  func takeRequest() -> Bool {
    state.withLock { state in
      guard state.goesOn(most) else { return false }
      state.requests += 1
      return true
    }
  }

  /// Whether so much of the time or of the requests is used.
  func isUsed(_ share: Double) -> Bool {
    state.withLock { state in
      let isLate = state.end.map { ContinuousClock.now >= $0 - time * (1 - share) } ?? false
      return isLate || Double(state.requests) >= Double(most) * share
    }
  }

  func begin() { state.withLock { $0.end = .now + time } }

  /// The user's own credentials, where they stopped working and that ended the exploration; nil where they did not.
  package var lostCredentials: LostCredentials? { state.withLock { $0.credentials.lost } }

  /// What ended it before everything was tried; nil when nothing did.
  package var cut: Cut? { state.withLock { $0.cut } }
  /// Of the work that was found, how much was not begun.
  package var left: (count: Int, of: Int) { state.withLock { $0.queue.left } }

  /// By list operation: its items, those with the most values first.
  var fullest: [Int: [Int]] { state.withLock { $0.things.fullest } }

  // MARK: who asks

  var callers: ExploreCallers { state.withLock { $0.callers } }

  /// - Parameter login: the operation that gave the tokens.
  func take(_ token: String, other: String?, from login: String) {
    state.withLock { state in
      state.callers.take(token, other: other)
      state.secrets.formUnion([token, other].compactMap(\.self))
      state.login = login
    }
  }

  /// The operation that gave the credentials, where the environment gave none.
  package var login: String? { state.withLock { $0.login } }
  package var hasOtherUser: Bool { state.withLock { $0.callers.hasOther } }

  // MARK: coverage

  /// - Returns: whether the request succeeded as a creation, and responded with a thing that existed before.
  func saw(_ performed: CaseRunner.Performed, secrets: Set<String>) -> Bool {
    state.withLock { state in
      var performed = performed
      let items: [String]
      (performed.isExisting, items) = state.things.saw(performed)
      let operation = performed.call.operation
      state.created.saw(
        performed, operations[operation], items: items,
        isCreation: things.mayCreate(operation) || things.locates(performed))
      state.coverage.saw(performed)
      state.precedents.saw(performed)
      state.credentials.saw(
        performed, isOwn: state.callers.areSent(with: performed.call), isOpen: state.callers.isOpen(operation))
      if state.credentials.lost != nil { state.isOver = true }
      guard let json = performed.json, state.secrets.count < 10_000 else { return performed.isExisting }
      // What explore sent itself is no secret: scripts show it.
      state.secrets.formUnion(json.texts(of: secrets).filter { !performed.sends($0) })
      return performed.isExisting
    }
  }
  func reached(_ operation: Int, status: Int) { state.withLock { $0.coverage.reached(operation, status: status) } }
  func planned(_ cases: [ExploreCase]) { state.withLock { state in cases.forEach { state.coverage.planned($0) } } }
  /// - Parameter undecided: why its responses decide nothing; nil where they decide it.
  func tried(_ one: ExploreCase, undecided: Undecided?) {
    state.withLock { $0.coverage.tried(one, undecided: undecided) }
  }

  // MARK: what came of it

  /// Values of answers that no output may show.
  package var secrets: Set<String> { state.withLock { $0.secrets } }
  package var requests: Int { state.withLock { $0.requests } }
  package var rows: [ExploredOperation] { state.withLock { $0.coverage.rows } }

  /// `9/13 operations, 22/40 statuses, 31/35 parameters, 80/120 constraints, 2 findings`
  package var line: String {
    state.withLock { state in "\(state.coverage.line), \(state.found.count) finding\(state.found.count == 1 ? "" : "s")"
    }
  }
}
