import MurphyContract
import MurphyEngine
import MurphyJSON
import MurphyModel
import MurphyTransport

/// Sends the requests of cases, one after another, as one user. Belongs to the user's session.
final class CaseRunner {
  /// A request that was sent, and what came of it.
  struct Performed {
    var call: ExploreCall
    var request: HTTPRequest
    /// The body's value as it was sent.
    var body: JSONValue?
    var ending: Result<Answer, TransportError>
    var json: JSONValue?
    /// Seconds since the run's start.
    var sent: Double
    /// Microseconds.
    var took: Double
    /// Whether it succeeded as a creation, and responded with a thing that existed before.
    var isExisting = false

    var status: Int { (try? ending.get())?.status ?? 0 }
    var isSuccess: Bool { (200..<300).contains(status) }
    var failure: TransportError? { if case .failure(let error) = ending { error } else { nil } }

    /// Whether the path, the query or the body holds the text.
    func sends(_ text: String) -> Bool {
      request.target.contains(PercentEncoding.encode(text, keepingReserved: false))
        || request.target.contains(text) || body?.text.contains(text) == true
    }
  }

  /// Why a case came to no answer of its last request.
  enum Stop: Error {
    /// The load is over, or the requests are used up.
    case over
    /// A value cannot be written.
    case unwritable(String)
    /// An earlier request of the case did not succeed.
    case unprepared([Performed])
    /// A rate limit rejected a request, and the wait is longer than the runner's patience.
    case limited
  }

  let client: Client
  let setting: ExploreSetting
  let board: ExploreBoard
  private var random: RandomSource
  /// Requests that prepared a case and may prepare the next.
  private var prepared: [[ExploreCall]: [Performed]] = [:]
  private var drawn: [String: JSONValue] = [:]
  /// How much of the time that is left it may wait for a rate limit.
  var patience = 0.0
  private var things: KnownThings
  private static let longestWait = 5.0
  private static let mostRejections = 10
  private static let mostPolls = 20
  private static let pollPause = Duration.milliseconds(100)

  init(_ client: Client, _ setting: ExploreSetting, _ board: ExploreBoard) {
    self.client = client
    self.setting = setting
    self.board = board
    random = RandomSource(seed: setting.seed, stream: UInt64(client.user) + 1)
    things = KnownThings(setting.contract)
  }

  /// Sends the case.
  ///
  /// - Parameter isFresh: with things of its own, even where an earlier case has left some.
  /// - Returns: all of its requests; only the last may have failed.
  func run(_ steps: [ExploreCall], isFresh: Bool) async throws(Stop) -> [Performed] {
    let before = Array(steps.dropLast())
    var done: [Performed] = []
    if !isFresh, let known = prepared[before] {
      done = known
    } else {
      drawn = [:]
      for call in before {
        var step = try await perform(call, after: done)
        // What is made later names its place when it is there.
        for _ in 0..<Self.mostPolls where step.lacks(Self.wanted(from: done.count, by: steps)) {
          do { try await client.think(Self.pollPause) } catch { throw .over }
          step = try await perform(call, after: done)
        }
        done.append(step)
        // What explore did not make, it does not delete.
        let isOthers = step.isExisting && steps.last.map(isDeletion) == true
        guard step.isSuccess || step.status == 304, !isOthers else {
          prepared[before] = nil
          throw .unprepared(done)
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

  private func isDeletion(_ call: ExploreCall) -> Bool {
    (call.method ?? setting.contract.operations[call.operation].method) == "DELETE"
  }

  /// Where later steps take values from the answer to a step.
  private static func wanted(from step: Int, by steps: [ExploreCall]) -> [AnswerPlace] {
    steps.dropFirst(step + 1).flatMap(\.sources).compactMap { source in
      if case .answer(step, let place) = source { place } else { nil }
    }
  }

  /// Whether what was prepared may be gone or changed by the request.
  private func spoils(_ step: Performed) -> Bool {
    let method = step.request.method
    if [404, 409, 410, 412, 428].contains(step.status) || step.failure != nil { return true }
    return step.isSuccess && !step.request.isSafe && method != "POST"
  }

  func forget() { prepared = [:] }

  /// One request, repeated when a rate limit rejects it and the wait is short enough.
  func perform(_ call: ExploreCall, after done: [Performed]) async throws(Stop) -> Performed {
    if call.path.isEmpty, done.isEmpty { drawn = [:] }
    let value = { (source: CallValue) -> JSONValue? in
      switch source {
      case .literal(let value): value
      case .drawn(let name): self.draw(name)
      case .answer(let step, let place):
        // The body of an error holds no values of the thing.
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
    var rejections = 0
    while true {
      guard board.takeRequest() else { throw .over }
      if call.caller != .own { client.forgetCookies() }
      guard let exchanged = await client.exchange(request, operation: setting.label(of: call)) else { throw .over }
      let answer = try? exchanged.ending.get()
      var performed = Performed(
        call: call, request: request, body: body, ending: exchanged.ending,
        json: answer.flatMap { try? JSONValue.parse($0.body) }, sent: exchanged.sent, took: exchanged.took)
      performed.isExisting = things.saw(performed)
      board.saw(performed, secrets: setting.secretMembers[call.operation])
      guard let answer, answer.status == 429 else { return performed }
      rejections += 1
      let wait = RetryAfter.wait(answer.headers, now: WallClock.seconds) ?? 1
      let left = board.limit(call.operation, wait)
      let isShort = wait <= Self.longestWait && wait < left && rejections <= 2
      guard isShort || (wait <= left * patience && rejections <= Self.mostRejections) else { throw .limited }
      do { try await client.think(.saturating(seconds: wait)) } catch { throw .over }
    }
  }

  private func draw(_ name: String) -> JSONValue {
    if let known = drawn[name] { return known }
    let new = JSONValue.string(random.uuid())
    drawn[name] = new
    return new
  }
}

extension CaseRunner.Performed {
  /// Whether a read that succeeded does not have all of these values yet.
  fileprivate func lacks(_ places: [AnswerPlace]) -> Bool {
    guard request.method == "GET", isSuccess, let answer = try? ending.get() else { return false }
    return places.contains { $0.value(in: answer, json: json) == nil }
  }
}
