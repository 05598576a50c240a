import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphyScenario
import MurphySchema

/// Reads every key that the load changed once more after the load. A loss at the end is visible only in this way.
struct StateFinals {
  private let context: RunContext
  private let recorders: [StateRecorder]

  /// The maximum of keys of one invariant that are read. If there are more, those with the most writes are read.
  private static let mostKeys = 2_000
  /// The maximum time to wait where responses may be old.
  private static let longestLag = Duration.seconds(5)

  private typealias Read = StateReads.Read

  init(_ context: RunContext, _ recorders: [StateRecorder]) {
    self.context = context
    self.recorders = recorders
  }

  /// The log of the reads; nil where there is nothing to read.
  func recorded() async -> EventLog? {
    guard !context.cutting.isRequested, !context.state.isEmpty else { return nil }
    let lag = context.state.invariants.flatMap(\.stale.values).max() ?? .zero
    var log = await StateReads.recorded(reads(), context, after: min(lag, Self.longestLag))?.log(countingFrom: context)
    // These reads are sent after the load, and limits are judged by the load only.
    log?.limits = LimitLog(start: context.start)
    return log
  }

  private func reads() -> [Read] {
    context.state.invariants.indices.filter { context.state.invariants[$0].readsAtEnd }.flatMap { reads(of: $0) }
  }

  private func reads(of invariant: Int) -> [Read] {
    for (operation, taps) in context.state.taps.enumerated() {
      for tap in taps where tap.invariant == invariant {
        switch tap.action {
        case .show(.request(.path(let name)), _), .entries(.request(.path(let name)), _), .get(.path(let name), _):
          return changes(of: invariant).compactMap { change in
            request(operation, name, change).map {
              Read(invariant: invariant, operation: operation, http: $0, mayBeAbsent: !change.isAccepted)
            }
          }
        case .list(_, isWhole: true) where tap.owner != nil: return lists(of: invariant)
        case .list(_, isWhole: true):
          guard let sample = sample(of: operation) else { continue }
          return [Read(invariant: invariant, operation: operation, http: sample)]
        default: continue
        }
      }
    }
    return []
  }

  /// The list of each owner, as the owner requested it.
  private func lists(of invariant: Int) -> [Read] {
    let all = recorders.reduce(into: [:]) { $0.merge($1.lists[invariant]) { first, _ in first } }
    return all.sorted { $0.key < $1.key }.prefix(Self.mostKeys).map {
      Read(invariant: invariant, operation: $0.value.operation, http: $0.value.request)
    }
  }

  /// A key that the load changed, or may have changed.
  private struct Change {
    var key: String
    var writes = 0
    /// The headers of the last accepted write, otherwise of the last write: they identify a user that may read the
    /// changed value. Nil where they were not kept.
    var headers: [HeaderField]?
    var isAccepted = false
  }

  /// Those with the most writes first.
  private func changes(of invariant: Int) -> [Change] {
    var changes: [String: Change] = [:]
    for state in recorders {
      for exchange in state.log.exchanges where Int(exchange.invariant) == invariant {
        guard exchange.role == .write || exchange.role == .delete || exchange.role == .create else { continue }
        let key = state.log.names[exchange.key]
        var change = changes[key] ?? Change(key: key)
        change.writes += 1
        let isAccepted = exchange.outcome == .accepted
        if isAccepted || !change.isAccepted {
          change.isAccepted = isAccepted
          change.headers = exchange.headers < 0 ? nil : state.headers[Int(exchange.headers)]
        }
        changes[key] = change
      }
    }
    let ordered = changes.values.sorted { ($1.writes, $0.key) < ($0.writes, $1.key) }
    return Array(ordered.prefix(Self.mostKeys))
  }

  private func sample(of operation: Int) -> HTTPRequest? {
    recorders.lazy.compactMap { $0.samples[operation] }.first
  }

  /// The request as the load sent it, with another key and the headers of the user that changed it; otherwise as the
  /// contract writes it. The headers matter because another user may not be allowed to read it.
  private func request(_ operation: Int, _ name: String, _ change: Change) -> HTTPRequest? {
    guard let headers = change.headers else { return nil }
    if let sample = sample(of: operation),
      let target = context.state.paths[operation].replacing(name, with: change.key, in: sample.target)
    {
      let fields = sample.headers.map { field in headers.first(named: field.name) ?? field }
      return HTTPRequest(method: sample.method, target: target, headers: fields, body: sample.body)
    }
    var call = OperationCall(operation: operation)
    call.path[name] = .string(change.key)
    guard var http = try? call.request(context.contract, credentials: context.credentials[operation]) else {
      return nil
    }
    http.add(clientHeaders: headers.filter { !$0.name.lowercased().hasPrefix("content-") })
    return http
  }
}
