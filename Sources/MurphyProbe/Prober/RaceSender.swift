import MurphyContract
import MurphyEngine
import MurphyHTTP
import MurphyJudge
import MurphyModel
import MurphyScenario

/// Sends concurrent requests of new clients after a load, to test each limit for a race between checking and counting.
///
/// A client uses up all but a few requests of its quota, and then sends more than the rest at once, each over a
/// connection of its own. The usual traffic of a scenario rarely does so: a user waits for a response before it goes on.
package struct RaceSender {
  private let scenario: Scenario
  private let contract: Contract
  private let environment: [String: String]
  private let url: String
  private let options: TransportOptions
  private let mask: SecretMask

  /// A larger quota would need too many requests.
  private static let mostAllowed = 2_000
  /// The quota that is left for the concurrent requests, at most, and the requests above it.
  private static let (edge, surplus) = (16, 16)
  /// The requests that use up the quota before, at the same time.
  private static let width = 8
  /// The maximum time for one limit, and for all of them.
  private static let (time, wholeTime) = (Duration.seconds(5), Duration.seconds(20))

  package init(
    _ scenario: Scenario, _ contract: Contract, at url: String, environment: [String: String],
    transport: TransportOptions
  ) {
    (self.scenario, self.url) = (scenario, url)
    self.contract = contract.adding(undocumentedOf: scenario)
    (self.environment, options) = (environment, transport)
    mask = SecretMask(scenario, contract, environment: environment)
  }

  /// One test for each limit that counts requests in a window.
  ///
  /// - Parameter record: of the load.
  package func test(_ policies: [LimitPolicy], after record: RunRecord, stop: StopSignal) async -> [RaceTest] {
    let end = Instant.now + Self.wholeTime.nanoseconds
    var tests: [RaceTest] = []
    for policy in policies where policy.countsRequests {
      guard tests.last?.bursts.first?.failures[0] == nil else {
        tests.append(RaceTest(limit: policy.name, gap: "the target did not respond after the load"))
        continue
      }
      let limited = StopSignal(within: stop, until: min(end, .now + Self.time.nanoseconds))
      var test = await test(policy, after: record, limited)
      if test.gap != nil, stop.isRequested { test.gap = "the run was interrupted" }
      tests.append(test)
    }
    return tests
  }

  private func test(_ policy: LimitPolicy, after record: RunRecord, _ stop: StopSignal) async -> RaceTest {
    guard policy.tested?.isEmpty != true else {
      return RaceTest(limit: policy.name, gap: "the scenario requires no test of this limit (`tested: []`)")
    }
    guard !policy.keyIsAssumed else {
      return RaceTest(limit: policy.name, gap: "no key is declared, so it is unknown which clients are new")
    }
    guard policy.allowance <= Self.mostAllowed else {
      return RaceTest(
        limit: policy.name,
        gap: "a quota of \(policy.allowance.text) needs too many requests (at most \(Self.mostAllowed.text) are sent)")
    }
    guard !stop.isRequested else {
      return RaceTest(limit: policy.name, gap: "the tests of other limits took \(Self.wholeTime.text)")
    }
    do throws(RaceGap) {
      return try await send(try subjects(of: policy, after: record), policy, record.limitLog.start, stop)
    } catch {
      return RaceTest(limit: policy.name, gap: error.reason)
    }
  }

  private struct RaceGap: Error { let reason: String }

  /// Requests of three clients that the limiter has not seen.
  private func subjects(of policy: LimitPolicy, after record: RunRecord) throws(RaceGap) -> [ProbeSubject] {
    let called = Set(record.operations.filter { $0.outcomes.ok > 0 }.map(\.operation))
    let known = contract.operations.indices.filter { index in
      policy.covers(contract.operations[index].id) && called.contains(contract.operations[index].id)
    }
    let operation = known.first { ["GET", "HEAD"].contains(contract.operations[$0].method) } ?? known.first
    guard let operation else { throw RaceGap(reason: "no request of the load to the limit's operations succeeded") }
    // The load's clients had other random values.
    let seed = UInt64.random(in: 1..<(1 << 53))
    var finder = CallFinder(scenario, contract, seed: seed)
    let credentials = contract.credentials(operation: operation, environment: environment)
    var seen = Set(record.limitLog.identities.compactMap(policy.key.value))
    var subjects: [ProbeSubject] = []
    for client in 0..<3 {
      var subject: ProbeSubject
      do {
        let call = try finder.call(operation, client: client)
        subject = ProbeSubject(
          operation: contract.operations[operation].id, base: try call.request(contract, credentials: credentials))
        subject.sourceAddress = call.sourceAddress
      } catch {
        throw RaceGap(reason: "murphy knows no request of the operation: \(error)")
      }
      subject.refusals = policy.refusals
      subject.keyHeaders.formUnion(policy.key.headerNames)
      if policy.key.parts.contains(.sourceAddress), Loopback.hasManyAddresses(url) {
        subject.sourceAddress = ProbeSubject.freshAddress(Int(seed % 60_000), client)
      }
      guard let value = policy.key.value(for: subject.identity), seen.insert(value).inserted else {
        throw RaceGap(reason: "the scenario creates no new client for the key \(policy.key.text)")
      }
      subjects.append(subject)
    }
    return subjects
  }

  private func send(
    _ clients: [ProbeSubject], _ policy: LimitPolicy, _ start: Instant, _ stop: StopSignal
  ) async throws(RaceGap) -> RaceTest {
    guard let origin = try? Origin(url), let resolved = try? ResolvedHost(origin, options),
      let loop = try? EventLoop(number: 0)
    else { throw RaceGap(reason: "the target cannot be reached any more") }
    defer { loop.shutdown() }
    let (options, credential) = (options, scenario.credential)
    let (test, requests) = await loop.submit {
      let transport = Transport(loop: loop, origin: origin, options: options, resolved: resolved)
      defer { transport.close() }
      var sender = Sender(clients, policy, transport, credential, start, stop)
      await sender.run()
      return (sender.test, sender.log.requests)
    }.value
    var masked = test
    masked.log?.requests = requests.map { http in
      let secrets = contract.secretMembers(operation: contract.index(of: clients[0].operation) ?? 0)
      return CurlRequest(http, mask.adding(contentOf: http, secrets), options)
    }
    return masked
  }

  /// The requests for one limit, on the loop.
  private struct Sender {
    private let clients: [ProbeSubject]
    private let policy: LimitPolicy
    private let transport: Transport
    private let credential: SharedCredential?
    private let stop: StopSignal
    private(set) var test: RaceTest
    private(set) var log: ProbeLog

    init(
      _ clients: [ProbeSubject], _ policy: LimitPolicy, _ transport: Transport, _ credential: SharedCredential?,
      _ start: Instant, _ stop: StopSignal
    ) {
      (self.clients, self.policy, self.transport) = (clients, policy, transport)
      (self.credential, self.stop) = (credential, stop)
      test = RaceTest(limit: policy.name)
      test.operation = clients[0].operation
      log = ProbeLog(subject: clients[0], start: start)
    }

    nonisolated(nonsending) mutating func run() async {
      defer { test.log = log.log }
      let rest = min(max(policy.allowance - 1, 1), RaceSender.edge)
      guard let first = await burst(of: clients[0], leaving: rest) else { return }
      guard first.admitted > policy.most(within: .nanoseconds(first.ended - first.began)) else { return }
      guard await burst(of: clients[1], leaving: rest) != nil else { return }
      // Every connection of the burst may have its own counter.
      let sequence = Wave(
        count: policy.allowance + RaceSender.surplus / 2, concurrent: 1, width: rest + RaceSender.surplus)
      test.sequence = await round(of: clients[2], [sequence])
    }

    /// Requests of one client: so many at the same time, over so many connections in turn.
    private struct Wave {
      var count: Int
      var concurrent: Int
      var width: Int
    }

    /// Returns nil if some requests were not decided or the time is over.
    private nonisolated(nonsending) mutating func burst(of client: ProbeSubject, leaving rest: Int) async
      -> RaceTest.Round?
    {
      let burst = rest + RaceSender.surplus
      let waves = [
        Wave(count: policy.allowance - rest, concurrent: RaceSender.width, width: RaceSender.width),
        Wave(count: burst, concurrent: burst, width: 1),
      ]
      let round = await round(of: client, waves)
      guard let round else { return nil }
      test.bursts.append(round)
      return round.isDecided && test.gap == nil ? round : nil
    }

    private nonisolated(nonsending) mutating func round(
      of client: ProbeSubject, _ waves: [Wave]
    ) async -> RaceTest.Round? {
      guard let connection = try? transport.connect(sourceAddress: client.sourceAddress, keepsCookies: false) else {
        test.gap = "no connection to the target could be opened"
        return nil
      }
      defer { connection.close() }
      var outgoing = client.outgoing(.base, fresh: 0)
      if let credential, let place = credential.place(in: outgoing.http.headers) {
        outgoing.http.headers[place].value = credential.standing.value
      }
      outgoing.http.timeout = RaceSender.time
      var round = RaceTest.Round(began: .now)
      for wave in waves {
        var left = wave.count
        while left > 0, round.isDecided {
          guard !stop.isRequested else {
            test.gap = "the requests took longer than \(RaceSender.time.text)"
            return round
          }
          let count = min(left, wave.concurrent)
          let transfers = (0..<count).map { _ in connection.start(outgoing.http, over: wave.width) }
          left -= count
          round.concurrent = max(round.concurrent, count)
          for transfer in transfers {
            await transfer.finished()
            record(transfer, outgoing, &round)
            transfer.release()
          }
        }
      }
      return round
    }

    private mutating func record(
      _ transfer: Transfer, _ outgoing: ProbeSubject.Outgoing, _ round: inout RaceTest.Round
    ) {
      var status = 0
      var isRefused = false
      if case .answered = transfer.ending {
        status = transfer.status
        let headers = [HeaderField](lines: transfer.headerBlock)
        isRefused =
          status == 429 || policy.refusals.contains { $0.matches(status: status, headers: headers) }
      }
      switch status {
      case _ where isRefused: round.rejected += 1
      case 200..<300: round.admitted += 1
      default: round.failures[status, default: 0] += 1
      }
      round.ended = max(round.ended, transfer.ended)
      log.record(outgoing, transfer, variant: nil, refused: isRefused)
    }
  }
}

extension ProbeSubject {
  /// The client as the log of its requests names it.
  var identity: ClientIdentity {
    let named = base.headers.map { HeaderField($0.name.lowercased(), $0.value) }
    return ClientIdentity(sourceAddress: sourceAddress ?? "", headers: named.filter { keyHeaders.contains($0.name) })
  }
}
