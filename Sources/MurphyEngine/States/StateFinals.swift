import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyScenario
import MurphyTransport

/// Reads every key that the load changed once more when it is over: what was lost last is seen nowhere else.
struct StateFinals {
  private let context: RunContext
  private let records: [ShardRecord]

  /// Keys of one invariant that are read; of more, those with the most writes.
  private static let mostKeys = 2_000
  /// Nanoseconds for all reads together, and at most for what answers may be old.
  private static let longest: Int64 = 10_000_000_000
  private static let longestLag = Duration.seconds(5)

  private struct Read {
    var invariant: Int
    var operation: Int
    var http: HTTPRequest
  }

  init(_ context: RunContext, _ records: [ShardRecord]) {
    self.context = context
    self.records = records
  }

  /// The reads' log; nil where there is nothing to read. On a loop of its own, for no other has a task left.
  func recorded() async -> StateRecorder? {
    guard !context.cutting.isRequested, !context.state.isEmpty else { return nil }
    let reads = reads()
    guard !reads.isEmpty, let loop = try? EventLoop(number: context.loops) else { return nil }
    let lag = context.state.invariants.flatMap(\.stale.values).max() ?? .zero
    let recorder = await loop.submit { await send(reads, on: loop, after: min(lag, Self.longestLag)) }.value
    loop.shutdown()
    return recorder
  }

  private func send(_ reads: [Read], on loop: EventLoop, after lag: Duration) async -> StateRecorder {
    var recorder = StateRecorder(context: context)
    let transport = Transport(
      loop: loop, origin: context.origin, options: context.transport, resolved: context.resolved)
    guard let connection = try? transport.connect(sourceAddress: nil, keepsCookies: false) else {
      for read in reads { recorder.log.gaps[read.invariant].failedFinals += 1 }
      transport.close()
      return recorder
    }
    let parser = TapeParser()
    let begun = Instant.now + lag.nanoseconds
    if lag > .zero { _ = await loop.sleep(until: begun) }
    for read in reads {
      guard .now - begun < Self.longest else {
        recorder.log.gaps[read.invariant].failedFinals += 1
        continue
      }
      let transfer = connection.start(read.http)
      await transfer.finished()
      let before = recorder.log.exchanges.count
      recorder.record(
        transfer, read.http, operation: read.operation, session: -1, unique: UniqueValues(),
        body: AnswerBody(transfer, parser: parser), isOwn: true)
      if recorder.log.exchanges.count == before { recorder.log.gaps[read.invariant].failedFinals += 1 }
      transfer.release()
    }
    connection.close()
    transport.close()
    return recorder
  }

  private func reads() -> [Read] {
    context.state.invariants.indices.filter { context.state.invariants[$0].readsAtEnd }.flatMap { reads(of: $0) }
  }

  private func reads(of invariant: Int) -> [Read] {
    for (operation, taps) in context.state.taps.enumerated() {
      for tap in taps where tap.invariant == invariant {
        switch tap.action {
        case .show(.request(.path(let name)), _), .entries(.request(.path(let name)), _), .get(.path(let name), _):
          return keys(of: invariant).compactMap { key in
            request(operation, name, key).map { Read(invariant: invariant, operation: operation, http: $0) }
          }
        case .list(_, isWhole: true):
          guard let sample = sample(of: operation) else { continue }
          return [Read(invariant: invariant, operation: operation, http: sample)]
        default: continue
        }
      }
    }
    return []
  }

  /// Keys that the load changed, or may have changed; those with the most writes first.
  private func keys(of invariant: Int) -> [String] {
    var writes: [String: Int] = [:]
    for log in records.map(\.state.log) {
      for exchange in log.exchanges where Int(exchange.invariant) == invariant {
        guard exchange.role == .write || exchange.role == .delete || exchange.role == .create else { continue }
        writes[log.names[exchange.key], default: 0] += 1
      }
    }
    let ordered = writes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return ordered.prefix(Self.mostKeys).map(\.key)
  }

  private func sample(of operation: Int) -> HTTPRequest? {
    records.lazy.compactMap { $0.state.samples[operation] }.first
  }

  /// As the load sent it, with another key; else as the contract writes it, with the headers of another request.
  private func request(_ operation: Int, _ name: String, _ key: String) -> HTTPRequest? {
    if let sample = sample(of: operation),
      let target = context.state.paths[operation].replacing(name, with: key, in: sample.target)
    {
      return HTTPRequest(method: sample.method, target: target, headers: sample.headers, body: sample.body)
    }
    var call = OperationCall(operation: operation)
    call.path[name] = .string(key)
    guard var http = try? call.request(context.contract, credentials: context.credentials[operation]) else {
      return nil
    }
    let others = records.lazy.compactMap { $0.state.samples.values.first }.first?.headers ?? []
    http.add(clientHeaders: others.filter { !$0.name.lowercased().hasPrefix("content-") })
    return http
  }
}
