import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema
import Synchronization

/// Deletes the items of an exploration at its end, as the user that created them.
package struct ItemRemoval: Sendable {
  private let setting: ExploreConfiguration
  private let board: ExploreState
  private let reasons = RemovalReasons()
  private let queue: RemovalQueue
  private static let longestWait = Duration.seconds(5)

  /// Removes items through the connections of the exploration's callers.
  ///
  /// - Parameter end: no deletion starts that probably takes longer.
  package init(_ setting: ExploreConfiguration, _ board: ExploreState, until end: ContinuousClock.Instant) {
    self.setting = setting
    self.board = board
    queue = RemovalQueue(board.items.filter { setting.deletion(of: $0) != nil }, until: end)
  }

  /// Sends a DELETE for each item, the last one first, so that no container is deleted before its content. Several
  /// users can run it at the same time. An item that could not be deleted gets a second request after the others.
  package func run(_ client: Client) async {
    while let next = queue.next() {
      guard case .item(let path) = next else {
        do { try await client.think(.milliseconds(10)) } catch { return }
        continue
      }
      let begun = ContinuousClock.now
      guard await remove(path, client) else {
        return reasons.recordFailure("a DELETE was sent, and no response arrived before the end", of: path)
      }
      queue.ended(path, took: begun.duration(to: .now), isFailed: reasons.reason(of: path) != nil)
    }
  }

  /// The number of deleted items, and the remaining ones, each with the reason.
  ///
  /// - Parameter isAbandoned: true if a signal ended the deletions.
  package func outcome(isAbandoned: Bool) -> (deleted: CountOf, remaining: [String]) {
    let why = isAbandoned ? "a second signal ended the deletions" : "--max-seconds left no time to delete them"
    // Each item, because a user must delete it by hand.
    let kept = board.items.reversed().map { path in
      "\(path): \(reasons.reason(of: path) ?? (setting.deletion(of: path) == nil ? lack(of: path) : why))"
    }
    let unclear = board.unclear.sorted { $0.key < $1.key }.map { request, count in
      "\(request), \(count) ×: it is unknown whether this request created an item"
    }
    let unnamed = board.unnamed.sorted { $0.key < $1.key }
    let created = board.creations + unnamed.reduce(0) { $0 + $1.value }
    return (
      CountOf(done: board.creations - board.undeleted, of: created),
      kept
        + unnamed.map { operation, count in
          let hasItems = setting.contract.index(of: operation).map(board.things.hasItems) ?? false
          return "\(operation): \(count) × 201, but "
            + (hasItems ? "no response identified the created item" : "the document has no path for the created item")
        } + unclear
    )
  }

  private func lack(of path: String) -> String {
    setting.deletions(of: path).first.map { "\(setting.contract.operations[$0].id) was skipped" }
      ?? "no operation deletes this item"
  }

  /// - Returns: false if the end came before the response.
  private func remove(_ path: String, _ client: Client) async -> Bool {
    guard let operation = setting.deletion(of: path) else { return true }
    let tag = takesTag(operation) ? await tag(path, operation, client) : nil
    for _ in 0..<3 {
      let request = request("DELETE", path, operation, [tag].compactMap(\.self))
      guard let exchanged = await client.exchange(request, operation: operation) else { return false }
      let response = try? exchanged.ending.get()
      let status = response?.status ?? 0
      board.removed(path, operation, status: status)
      if (200..<300).contains(status) || status == 404 || status == 410 {
        reasons.forget(path)
        return true
      }
      reasons.recordFailure(status == 0 ? "no response" : "status \(status)", of: path)
      guard exchanged.isRejected, let response else { return true }
      let wait = RetryAfter.wait(response.headers, now: WallClock.seconds) ?? .seconds(1)
      guard wait <= Self.longestWait else { return true }
      do { try await client.think(wait) } catch { return true }
    }
    return true
  }

  private func takesTag(_ operation: Int) -> Bool {
    setting.contract.operations[operation].parameters.contains {
      $0.location == .header && $0.name.lowercased() == "if-match"
    }
  }

  /// The current entity tag of the item.
  private func tag(_ path: String, _ operation: Int, _ client: Client) async -> HeaderField? {
    let exchanged = await client.exchange(request("GET", path, operation), operation: operation)
    return (try? exchanged?.ending.get())?.header("etag").map { HeaderField("If-Match", $0) }
  }

  private func request(
    _ method: String, _ path: String, _ operation: Int, _ more: [HeaderField] = []
  ) -> HTTPRequest {
    let credentials = board.callers.credentials(of: ExploreCall(operation))
    let query = credentials.query.map { pair in
      PercentEncoding.encode(pair.name, keepingReserved: false) + "="
        + PercentEncoding.encode(pair.value, keepingReserved: false)
    }
    let cookies = credentials.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    return HTTPRequest(
      method: method, target: query.isEmpty ? path : path + "?" + query.joined(separator: "&"),
      headers: credentials.headers + more + (cookies.isEmpty ? [] : [HeaderField("Cookie", cookies)]))
  }
}

extension ExploreConfiguration {
  /// The operation that deletes the item at a path; nil if none may be called.
  fileprivate func deletion(of path: String) -> Int? {
    deletions(of: path).first { contract.operations[$0].mistakes.isEmpty && excluded[$0] == nil }
  }

  fileprivate func deletions(of path: String) -> [Int] {
    contract.operations.indices.filter { index in
      let operation = contract.operations[index]
      return operation.method == "DELETE" && operation.isDocumented && operation.isPath(path)
    }
  }
}

/// The reasons why items still exist, by path.
private final class RemovalReasons: Sendable {
  private let reasons = Mutex<[String: String]>([:])

  func recordFailure(_ reason: String, of path: String) { reasons.withLock { $0[path] = reason } }
  func reason(of path: String) -> String? { reasons.withLock { $0[path] } }
  func forget(_ path: String) { reasons.withLock { $0[path] = nil } }
}

/// The items that are still to be deleted. It starts with four deletions at the same time, and allows more of
/// them while each takes about as long as the fastest.
private final class RemovalQueue: Sendable {
  private struct State {
    var open: ArraySlice<String>
    var repeated: Set<String> = []
    var busy = 0
    var allowed = 4
    var last = Duration.zero
    var fastest = Duration.seconds(60)
  }

  private let end: ContinuousClock.Instant
  private let state: Mutex<State>

  init(_ paths: [String], until end: ContinuousClock.Instant) {
    self.end = end
    state = Mutex(State(open: paths[...]))
  }

  enum Next { case item(String), wait }

  /// Nil at the end.
  func next() -> Next? {
    state.withLock { state in
      guard ContinuousClock.now + state.last < end, let first = state.open.first else { return nil }
      guard state.busy < state.allowed else { return .wait }
      state.busy += 1
      state.open.removeFirst()
      return .item(first)
    }
  }

  /// A failed item gets a second request after the others.
  func ended(_ path: String, took: Duration, isFailed: Bool) {
    state.withLock { state in
      state.busy -= 1
      (state.last, state.fastest) = (took, min(took, state.fastest))
      let isSlow = isFailed || took > state.fastest * 3 + .milliseconds(20)
      state.allowed = isSlow ? max(state.allowed - 1, 1) : min(state.allowed + 1, ExplorePace.most)
      if isFailed, state.repeated.insert(path).inserted { state.open.append(path) }
    }
  }
}

/// The lifecycle of one item of a collection as a sequence of requests: created, read, changed, deleted.
struct ResourceLifecycle: Sendable, Hashable {
  enum Part: String, Sendable, CaseIterable {
    case read, replaced, changed, deleted, listed, located, twice
  }

  var part: Part
  /// The requests up to the one that the part tests.
  var steps: [ExploreCall]
  /// Reads the item; nil if no operation does.
  var reading: ExploreCall?
  /// Changes the item after its deletion; nil if no operation does.
  var change: ExploreCall?
  /// The list that must contain it.
  var list: ExploreCall?
  /// True if the contract declares that it can be read after its creation: by a link or a `Location`.
  var isPromised: Bool

  /// Equal for equal lifecycles of the same document.
  var name: String { "state \(part.rawValue)" }

  /// Those that the base of one operation makes possible. There is one set for each collection in which an item can be
  /// created, and for each operation that returns a location.
  static func all(
    _ planner: ChainPlanner, _ bases: [Int: [ExploreCall]], _ contract: Contract, of index: Int
  ) -> [ResourceLifecycle] {
    var planner = planner
    var lives: [ResourceLifecycle] = []
    for (segments, maker) in planner.index.makers.sorted(by: { $0.key.joined() < $1.key.joined() }) {
      let items = planner.index.items(of: segments)
      let list = planner.index.lists[segments]?.operation
      guard maker.operation == index || list == index || items.values.contains(index) else { continue }
      let isPromised =
        contract.namesLocation(maker.operation)
        || contract.operations[maker.operation].responses.contains { $0.isSuccess && !$0.links.isEmpty }
      func add(_ part: Part, _ method: String) {
        guard let operation = items[method], operation == index, let base = bases[operation] else { return }
        // With all fields more values can be lost.
        let full = part == .deleted ? nil : planner.chain(operation, .made, .full)
        for steps in [full, base].compactMap(\.self) where steps.contains(where: { $0.operation == maker.operation }) {
          let last = steps[steps.count - 1]
          var life = ResourceLifecycle(
            part: part, steps: steps, reading: planner.item("GET", like: last), isPromised: isPromised)
          if part == .deleted { life.change = planner.item("PATCH", like: last)?.withoutReferences }
          lives.append(part == .changed ? life.naming(oneMemberOf: last) : life)
        }
      }
      add(.read, "GET")
      add(.replaced, "PUT")
      add(.changed, "PATCH")
      add(.deleted, "DELETE")
      if let made = bases[maker.operation], let list = list.flatMap({ bases[$0]?.last }),
        list.path.values.allSatisfy({ $0.literal != nil })
      {
        lives.append(ResourceLifecycle(part: .listed, steps: made, list: list, isPromised: isPromised))
      }
    }
    guard let base = bases[index], contract.operations[index].method == "POST" else { return lives }
    if contract.namesLocation(index) {
      lives.append(ResourceLifecycle(part: .located, steps: base, isPromised: true))
    }
    return lives + [ResourceLifecycle(part: .twice, steps: base, isPromised: false)]
  }

  /// The same with a body of one field, preferably a string: the others must stay.
  private func naming(oneMemberOf call: ExploreCall) -> ResourceLifecycle {
    guard case .object(let body)? = call.body, body.count > 1,
      let chosen = body.members.first(where: { $0.value.string != nil }) ?? body.members.first
    else { return self }
    var copy = self
    var one = call
    one.body = .object(JSONObject([(chosen.key, chosen.value)]))
    one.fresh = call.fresh.filter { $0.key.tokens.first == chosen.key }
    one.references = call.references.filter { $0.key.tokens.first == chosen.key }
    copy.steps[copy.steps.count - 1] = one
    return copy
  }
}
