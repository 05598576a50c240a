import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Sends the requests of cases in sequence, as one user. Belongs to the user's session.
final class CaseRunner {
  struct Performed {
    let prepared: PreparedCall
    var ending: Result<ClientResponse, TransportError>
    var json: JSONValue?
    /// Since the run's start.
    var sent: Duration
    var took: Duration
    var trace: TraceContext?
    /// True if it succeeded as a creation, but the response has an item that existed before.
    var isExisting = false

    var call: ExploreCall { prepared.call }
    var request: HTTPRequest { prepared.request }
    var body: JSONValue? { prepared.body }
    var status: Int { (try? ending.get())?.status ?? 0 }
    var isSuccess: Bool { (200..<300).contains(status) }
    var failure: TransportError? { if case .failure(let error) = ending { error } else { nil } }

    /// True if the body has a string that no earlier request had.
    var isFresh: Bool { !call.fresh.isEmpty }

    /// True if the path has a name that no item had before.
    var createsName: Bool { call.takesNewName }

    /// True if it is meant to create an item: a POST, or a PUT with a new name.
    var makesItem: Bool { request.method == "POST" || (request.method == "PUT" && createsName) }

    /// True if the path, the query or the body contains the string.
    func sends(_ text: String) -> Bool {
      request.target.contains(PercentEncoding.encode(text, keepingReserved: false))
        || request.target.contains(text) || body?.text.contains(text) == true
    }
  }

  /// The reason why a case has no response to its last request.
  enum Stop: Error {
    /// The load is over, or the requests are used up.
    case over
    case unwritable(String)
    /// The request might change data that explore has not created.
    case harmful
    /// An earlier request of the case did not succeed, or a read does not have a value that the case needs. Nil if the
    /// request itself succeeded.
    case unprepared(PreparationMemory.Failure?)
    /// The request creates an item, and no time is left to delete it.
    case full
    /// A rate limit rejected a request, and the wait is longer than the runner's patience.
    case limited
  }

  let client: Client
  let setting: ExploreConfiguration
  let board: ExploreState
  private var random: RandomSource
  /// Requests that prepared a case and may prepare the next.
  private var prepared: [[ExploreCall]: [Performed]] = [:]
  /// True if the latest case used the items of an earlier case.
  private(set) var isReused = false
  private var drawn: [String: JSONValue] = [:]
  /// The share of the remaining time that it may wait for a rate limit.
  var patience = 0.0
  private static let longestWait = Duration.seconds(5)
  private static let mostRejections = 10
  private static let pollPauses = [50, 100, 200, 400, 800].map { Duration.milliseconds($0) }
  /// More pauses for an item that is created asynchronously: a busy server takes seconds.
  private static let likelyPauses = pollPauses + [1_600, 3_200].map { Duration.milliseconds($0) }

  init(_ client: Client, _ setting: ExploreConfiguration, _ board: ExploreState) {
    self.client = client
    self.setting = setting
    self.board = board
    random = RandomSource(seed: setting.seed, stream: UInt64(client.user) + 1)
  }

  /// Sends the case.
  ///
  /// - Parameter isFresh: true for new items, even if an earlier case has left some.
  /// - Returns: all of its requests; only the last may have failed.
  func run(_ steps: [ExploreCall], isFresh: Bool) async throws(Stop) -> [Performed] {
    let before = Array(steps.dropLast())
    var done: [Performed] = []
    isReused = false
    // A case without a value of an earlier response did not wait for that value.
    let known = isFresh ? nil : prepared[before].flatMap { Self.isComplete($0, for: steps) ? $0 : nil }
    if let known {
      (done, isReused) = (known, !known.isEmpty)
    } else {
      // The steps before a rejected step are not sent again.
      if let failure = board.failure(of: steps) { throw .unprepared(failure) }
      drawn = [:]
      for (index, call) in before.enumerated() {
        let preparation = Array(before[...index])
        var step = try await perform(call, after: done)
        let places = ExploreCall.places(from: index, by: steps)
        if step.lacks(places) { step = try await awaited(step, places, after: done) }
        done.append(step)
        let failure = board.prepared(preparation, step, missing: step.missing(places))
        // It does not delete items that explore did not create.
        let isOthers = step.isExisting && steps.last.map(isDeletion) == true
        guard failure == nil, !isOthers else {
          prepared[before] = nil
          throw .unprepared(failure)
        }
      }
      prepared[before] = before.isEmpty ? nil : done
    }
    guard let last = steps.last else { return done }
    let step = try await perform(last, after: done)
    done.append(step)
    if spoils(step) { prepared[before] = nil }
    return done
  }

  /// Repeats a read until its response has all of these values. An item that is created asynchronously appears later;
  /// without an earlier write, there is no item to wait for.
  private func awaited(
    _ reading: Performed, _ places: [ResponsePlace], after done: [Performed]
  ) async throws(Stop) -> Performed {
    var reading = reading
    let list = reading.call.operation
    let writes = done.filter { !$0.request.isSafe && $0.isSuccess }
    let creations = Set(writes.map(\.call.operation))
    let path = setting.contract.operations[list].path
    let isLikely = writes.contains { $0.status == 202 || setting.contract.operations[$0.call.operation].path == path }
    let steps = done.map(\.call) + [reading.call]
    guard board.mayFill(list, by: steps, after: creations, isLikely: isLikely) else { return reading }
    for pause in isLikely ? Self.likelyPauses : Self.pollPauses where reading.lacks(places) {
      do { try await client.think(pause) } catch { throw .over }
      reading = try await perform(reading.call, after: done)
    }
    board.waited(for: list, after: creations, isLikely: isLikely, isEmpty: reading.lacks(places))
    return reading
  }

  private func isDeletion(_ call: ExploreCall) -> Bool {
    (call.method ?? setting.contract.operations[call.operation].method) == "DELETE"
  }

  /// True if the responses have all values that the last step takes from them.
  private static func isComplete(_ done: [Performed], for steps: [ExploreCall]) -> Bool {
    done.indices.allSatisfy { !done[$0].lacks(ExploreCall.places(from: $0, by: steps)) }
  }

  /// True if the request may have removed or changed the prepared items.
  private func spoils(_ step: Performed) -> Bool {
    let method = step.request.method
    if step.failure != nil || isReused && [404, 409, 410, 412, 428].contains(step.status) { return true }
    return step.isSuccess && !step.request.isSafe && method != "POST"
  }

  func forget() { prepared = [:] }

  /// One request, repeated if a rate limit rejects it and the wait is short enough.
  ///
  /// - Parameter isAgain: true after the same request was lost on a kept-alive connection.
  func perform(
    _ call: ExploreCall, after done: [Performed], isAgain: Bool = false
  ) async throws(Stop) -> Performed {
    if call.path.isEmpty, done.isEmpty { drawn = [:] }
    // A preparation for an earlier case keeps its values.
    if let before = done.last { drawn.merge(before.prepared.drawn) { _, earlier in earlier } }
    let value = { (source: CallValue) -> JSONValue? in
      switch source {
      case .literal(let value): value
      case .drawn(let name): self.draw(name)
      case .response(let step, let place):
        // The body of an error contains no values of the item.
        done.indices.contains(step) && (done[step].isSuccess || done[step].status == 304)
          ? (try? done[step].ending.get()).flatMap { place.value(in: $0, json: done[step].json) } : nil
      case .sent(let step, let pointer):
        done.indices.contains(step) ? done[step].body.flatMap { pointer.resolve(in: $0) } : nil
      }
    }
    let body = call.body(value, random: &random)
    if call.body != nil, body == nil, !call.leavesOutBody { throw .unwritable("a value of the body is not known") }
    let request: HTTPRequest
    do throws(RequestError) {
      request = try call.request(
        setting.contract, body: body, credentials: board.callers.credentials(of: call), value: value)
    } catch {
      throw .unwritable(error.description)
    }
    guard isHarmless(call, request, after: done) else { throw .harmful }
    guard board.mayCreate(with: call.operation) else { throw .full }
    var prepared = PreparedCall(call: call, request: request, body: body, drawn: drawn)
    if call.caller == .own { prepared.cookies = client.cookies(for: request.target) }
    let script = script(done.map(\.prepared) + [prepared])
    var rejections = 0
    var hasMoved = false
    while true {
      guard board.takeRequest() else { throw .over }
      if call.caller != .own { client.forgetCookies() }
      guard let exchanged = await client.exchange(request, operation: setting.label(of: call), script: script)
      else { throw .over }
      // The server may have closed the connection before it read the request, which had test data. It is sent again on
      // a new connection, with new values: the lost one may have created an item.
      if case .failure(.lost) = exchanged.ending, !isAgain {
        return try await perform(call, after: done, isAgain: true)
      }
      let response = try? exchanged.ending.get()
      var performed = Performed(
        prepared: prepared, ending: exchanged.ending,
        json: response.flatMap { try? JSONValue.parse($0.body) }, sent: exchanged.sent, took: exchanged.took,
        trace: exchanged.trace)
      performed.isExisting = board.saw(performed, setting)
      guard let response, exchanged.isRejected else { return performed }
      if hasMoved { board.stay(call.operation) }
      hasMoved = false
      if let address = board.address(for: call.operation) {
        hasMoved = client.move(to: address)
        if hasMoved { continue }
        board.stay(call.operation)
      }
      rejections += 1
      let wait = RetryAfter.wait(response.headers, now: WallClock.seconds) ?? .seconds(1)
      let left = board.limit(call.operation, wait)
      let isShort = wait <= Self.longestWait && wait < left && rejections <= 2
      guard isShort || (wait <= left * patience && rejections <= Self.mostRejections) else { throw .limited }
      do { try await client.think(wait) } catch { throw .over }
    }
  }

  /// The script that reproduces the last of the requests, for the findings of the run's own judges.
  private func script(_ requests: [PreparedCall]) -> @Sendable (Int) -> ShellScript {
    { [origin = client.origin, setting, board] status in
      let chain = board.explaining(requests, status: status)
      let script = CaseScript(origin: origin, setting: setting, callers: board.callers).text(chain, status: status)
      board.keep(script, of: chain.map(\.call))
      return script
    }
  }

  /// True if the request changes only items that explore has created.
  private func isHarmless(_ call: ExploreCall, _ request: HTTPRequest, after done: [Performed]) -> Bool {
    let operation = setting.contract.operations[call.operation]
    if WriteRule.isSafe(request.method) || setting.rule.isNamed(operation) { return true }
    guard setting.excluded[call.operation] == nil, call.rawTarget == nil else { return false }
    if call.method == nil, !setting.rule.needsOwnItem(operation) { return true }
    guard let item = WriteRule.item(in: operation.path) else {
      return request.method == "POST" && board.things.isCollection(call.operation)
    }
    switch call.path[item.name] {
    case .drawn?: return true
    case .response(let step, _)?, .sent(let step, _)?:
      guard done.indices.contains(step) else { return false }
      let creation = done[step]
      return creation.request.method == "POST" && creation.call.method == nil && creation.isSuccess
        && !creation.isExisting && (creation.status == 201 || board.things.creates(creation.call.operation))
    case .literal?, nil:
      return board.holds(Self.path(of: item.prefix.count + 1, in: request.target))
    }
  }

  /// The path of an item in a request's target: as many segments as given.
  private static func path(of segments: Int, in target: String) -> String {
    "/" + target.prefix { $0 != "?" }.split(separator: "/").prefix(segments).joined(separator: "/")
  }

  private func draw(_ name: String) -> JSONValue {
    if let known = drawn[name] { return known }
    let new = JSONValue.string(random.uuid())
    drawn[name] = new
    return new
  }
}

extension CaseRunner.Performed {
  /// Those of the places at which a successful read has no value yet.
  fileprivate func missing(_ places: [ResponsePlace]) -> [ResponsePlace] {
    guard request.method == "GET", isSuccess, let response = try? ending.get() else { return [] }
    return places.filter { $0.value(in: response, json: json) == nil }
  }

  fileprivate func lacks(_ places: [ResponsePlace]) -> Bool { !missing(places).isEmpty }
}
