import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario

/// Sends a prober's volleys over real HTTP. Created and used only on its loop.
///
/// No request is sent before its time. The clock is read again after every wait, and the send instant is taken after
/// that. Seconds count from `start` on the monotonic clock.
package final class HTTPProbeTarget: ProbeTarget {
  /// One request in flight.
  private struct Flight {
    let index: Int
    let request: ProbeRequest
    let outgoing: ProbeSubject.Outgoing
    let due: Instant
    let transfer: Transfer
  }

  private let loop: EventLoop
  private let transport: Transport
  private let subject: ProbeSubject
  private let stop: StopSignal
  private let credential: SharedCredential?
  private let tokenInKey: Bool?
  /// The token of the probe's first request.
  private var firstToken: String?
  /// The time of the latest response.
  private var latest = 0.0
  /// True if the last volley was sent with a new token, because the one before was rejected with 401.
  private var hasRenewed = false
  private let tick: (Duration) -> Void
  private let start: Instant
  /// The latest time at which a response is awaited.
  private let end: Instant

  /// The minimum timeout of a request, in nanoseconds.
  private static let shortestTimeout: Int64 = 1_000_000_000
  private var connections: [String: Connection] = [:]
  private var recorded: ProbeLog
  private var fresh = 0
  /// The statuses of the responses by kind of request, with their counts.
  package private(set) var responses = ProbeResponses()

  /// Longer waits are divided into parts of this length, so that a stop takes effect and progress is shown.
  private static let pulse: Int64 = 100_000_000
  /// An immediate volley is delayed by this time, in which its connections are opened.
  private static let warming: Int64 = 150_000_000

  /// The declared window of a limiter that frees no quota before the window's end. Nil if no such window is declared.
  private let unbroken: Duration?
  /// Times within an exhausted window at which no request may be admitted yet.
  private var pending: [Instant] = []
  /// The last time at which a request was admitted, or may have been, that the prober has not recorded.
  private var disturbed: Instant?
  /// Their positions in the window; the last is as near to the end as delays allow.
  private static let fractions = [0.4, 0.6, 0.8, 0.93]

  /// - Parameter time: the time after the start until which responses are awaited, or a second if that is later.
  /// - Parameter unbroken: an immediate volley is followed by single requests until just before the end of this window.
  ///   They detect a shorter window.
  /// - Parameter tokenInKey: true if the limit counts by token; nil if that is unknown. A new token then ends the probe.
  /// - Parameter tick: called about ten times a second while waiting, with the time since the start.
  package init(
    _ subject: ProbeSubject, transport: Transport, stop: StopSignal = StopSignal(), time: Duration? = nil,
    unbroken: Duration? = nil, credential: SharedCredential? = nil, tokenInKey: Bool? = false,
    tick: @escaping (Duration) -> Void = { _ in }
  ) {
    loop = transport.loop
    self.transport = transport
    self.subject = subject
    self.stop = stop
    (self.credential, self.tokenInKey) = (credential, tokenInKey)
    self.tick = tick
    self.unbroken = unbroken
    let start = Instant.now
    self.start = start
    end = start + (time?.nanoseconds ?? .max)
    recorded = ProbeLog(subject: subject, start: start)
  }

  /// Every request sent so far.
  package var log: LimitLog { recorded.log }
  /// The HTTP requests of the log.
  package var requests: [HTTPRequest] { recorded.requests }
  /// The dimension in which each differed from the base client's request.
  package var variants: [ProbeDimension?] { recorded.variants }

  /// Sends the volley no earlier than its time and returns one observation for each sent request.
  package func send(_ volley: ProbeVolley) async throws -> [ProbeObservation] {
    try await askWithinWindow(before: start + Int64(saturating: (volley.at * 1e9).rounded(.up)))
    var begin = max(start + Int64(saturating: (volley.at * 1e9).rounded(.up)), .now)
    let client = volley.requests.first?.client
    if volley.spacing == 0, begin - .now > Self.warming, client?.dimension != .sourceAddress {
      try await openConnections(volley.requests.count)
    }
    if let disturbed { begin = max(begin, disturbed + Int64(saturating: (volley.quiet * 1e9).rounded(.up))) }
    disturbed = nil
    var flights: [Flight] = []
    var observations: [ProbeObservation] = []
    var refusals = 0
    for (index, request) in volley.requests.enumerated() {
      let due = begin + Int64(saturating: (Double(index) * volley.spacing * 1e9).rounded(.up))
      if volley.spacing > 0 || index == 0 { try await wait(until: due) }
      refusals += land(&flights, &observations)
      if let most = volley.stopsAfterRefusals, refusals >= most { break }
      flights.append(try launch(request, index, due: due))
    }
    await finish(flights)
    _ = land(&flights, &observations)
    await renew(after: observations)
    if volley.spacing == 0, client == nil, let unbroken, let first = observations.map(\.sent).min() {
      pending = Self.fractions.map {
        start + Int64(saturating: first * 1e9) + Int64(saturating: Double(unbroken.nanoseconds) * $0)
      }
    }
    if responses.neverReached, let error = responses.firstFailure { throw error }
    return observations
  }

  /// Renews the token of the clients after a volley that was rejected with 401. A second 401 is the API's response.
  private func renew(after observations: [ProbeObservation]) async {
    let isRejected = observations.contains { $0.status == 401 }
    guard let credential, isRejected, !hasRenewed else { return hasRenewed = hasRenewed && isRejected }
    let old = credential.standing.value
    hasRenewed = await loop.waiting(for: { await credential.renew(old) }) != old
  }

  /// Sends the single requests that are still due and scheduled before `moment`; nil for all of them.
  package func askWithinWindow(before moment: Instant? = nil) async throws {
    defer { pending = [] }
    for due in pending {
      // The next experiment must not be late.
      guard due < end, moment.map({ due < $0 + -Self.warming }) ?? true else { return }
      try await wait(until: due)
      let flight = try launch(.base, 0, due: due)
      await finish([flight])
      var flights = [flight]
      landUnseen(&flights)
    }
  }

  /// Waits for the responses; a stop cancels the outstanding ones.
  private func finish(_ flights: [Flight]) async {
    let (loop, stop) = (loop, stop)
    let watch = loop.start(with: flights.map(\.transfer)) { transfers in
      while !stop.isRequested, !Task.isCancelled { _ = await loop.sleep(until: .now + Self.pulse) }
      // Transfers that have ended may already carry other requests.
      if !Task.isCancelled { for transfer in transfers { transfer.cancel() } }
    }
    for flight in flights { await flight.transfer.finished() }
    watch.cancel()
  }

  /// Sleeps until `due`, never shorter.
  private func wait(until due: Instant) async throws {
    repeat {
      guard !stop.isRequested else { throw ProbeInterruption() }
      let left = due - .now
      if left > Self.pulse { tick(.nanoseconds(Instant.now - start)) }
      // Sleeps even if it is already due: responses are processed while the loop runs.
      _ = await loop.sleep(until: .now + min(max(left, 0), Self.pulse))
    } while .now < due
  }

  private func launch(_ request: ProbeRequest, _ index: Int, due: Instant) throws -> Flight {
    if request.variant != nil { fresh += 1 }
    let outgoing = subject.outgoing(request, fresh: fresh)
    var http = outgoing.http
    if let credential, let place = credential.place(in: http.headers) {
      http.headers[place].value = try token(of: credential)
    }
    // A response after the end of the probe cannot be used.
    let (usual, left) = (http.timeout ?? transport.options.timeout, max(end - .now, Self.shortestTimeout))
    if left < usual.nanoseconds { http.timeout = .nanoseconds(left) }
    let transfer = try connection(from: outgoing.sourceAddress, line: request.line).start(http)
    return Flight(index: index, request: request, outgoing: outgoing, due: due, transfer: transfer)
  }

  /// - Throws: a `ProbeInterruption` if the limiter may count the new token separately.
  private func token(of credential: SharedCredential) throws -> String {
    let value = credential.standing.value
    if firstToken == nil || !responses.wasServed { firstToken = value }
    guard value != firstToken, tokenInKey != false else { return value }
    throw ProbeInterruption(.tokenRenewed(after: latest, isDeclared: tokenInKey == true))
  }

  private func connection(from address: String?, line: Int?) throws -> Connection {
    let name = (address ?? "") + (line.map { " \($0)" } ?? "")
    if let known = connections[name] { return known }
    let connection = try transport.connect(sourceAddress: address, keepsCookies: false)
    connections[name] = connection
    return connection
  }

  /// Requests of the base client with an exhausted quota, so that the next volley finds open connections.
  private func openConnections(_ count: Int) async throws {
    var flights: [Flight] = []
    for index in 0..<count { flights.append(try launch(.base, index, due: .now)) }
    await finish(flights)
    landUnseen(&flights)
  }

  /// Processes responses that the prober does not use.
  private func landUnseen(_ flights: inout [Flight]) {
    var observations: [ProbeObservation] = []
    _ = land(&flights, &observations)
    if observations.contains(where: { $0.decision != .refused }) { disturbed = .now }
  }

  /// Processes received responses; returns the number of rejections among them.
  private func land(_ flights: inout [Flight], _ observations: inout [ProbeObservation]) -> Int {
    var refusals = 0
    var left: [Flight] = []
    for flight in flights {
      if case .inFlight = flight.transfer.ending {
        left.append(flight)
        continue
      }
      let observation = observe(flight)
      if observation.decision == .refused { refusals += 1 }
      observations.append(observation)
      flight.transfer.release()
    }
    flights = left
    return refusals
  }

  private func observe(_ flight: Flight) -> ProbeObservation {
    let transfer = flight.transfer
    var decision = LimitDecision.unknown
    var retryAfter: Double?
    var status = 0
    switch transfer.ending {
    case .answered:
      status = transfer.status
      let headers = [HeaderField](lines: transfer.headerBlock)
      decision = subject.decision(on: flight.request, status: status, headers: headers, responses: responses)
      retryAfter = RetryAfter.wait(headers, now: WallClock.seconds)?.inSeconds
      responses.recordResponse(status, flight.request, decision)
    case .failed(let error): responses.recordFailure(error)
    case .inFlight, .cancelled, .abandoned: break
    }
    latest = max(latest, seconds(transfer.ended))
    recorded.record(
      flight.outgoing, transfer, variant: flight.request.dimension, refused: decision == .refused)
    return ProbeObservation(
      index: flight.index, due: seconds(flight.due), sent: seconds(transfer.sent), settled: seconds(transfer.ended),
      decision: decision,
      status: status, retryAfter: retryAfter)
  }

  private func seconds(_ instant: Instant) -> Double { Double(instant - start) * 1e-9 }
}

/// The reason why a probe ended early; nil for the user or the time limit.
package struct ProbeInterruption: Error {
  package var ending: ProbeFact.Ending?

  package init(_ ending: ProbeFact.Ending? = nil) { self.ending = ending }
}
