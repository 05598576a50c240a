import MurphyContract
import MurphyJSON
import MurphyModel
import MurphyScenario

extension StateReads {
  /// What things are counted before the load: the requests that `start:` of the invariants names.
  ///
  /// - Parameter context: of a load that has not begun; the log's times count from its zero.
  static func starts(_ context: RunContext) async -> StateReads? {
    var reads: [Read] = []
    var unwritten: [Int: Int] = [:]
    for (number, invariant) in context.state.invariants.enumerated() {
      for start in invariant.starts {
        guard let operation = start.operation.index ?? context.contract.index(of: start.operation.id) else { continue }
        for call in calls(start, operation, context) {
          guard var http = try? call.request(context.contract, credentials: context.credentials[operation]) else {
            unwritten[number, default: 0] += 1
            continue
          }
          http.add(clientHeaders: start.headers.map { HeaderField($0.name, $0.value) })
          reads.append(Read(invariant: number, operation: operation, http: http))
        }
      }
    }
    return await recorded(reads, context, unwritten: unwritten)
  }

  private static func calls(_ start: StateStart, _ operation: Int, _ context: RunContext) -> [OperationCall] {
    var call = OperationCall(operation: operation)
    call.query = start.query.map { ($0.name, $0.value) }
    guard let name = start.keyName, !start.keys.isEmpty else { return [call] }
    return start.keys.map { key in
      call.path[name] = .string(key)
      return call
    }
  }
}
