import MurphyModel

extension RunPart {
  /// Moves the header sets of all logs into one table, in which equal ones stand once.
  package mutating func poolHeaders() {
    var pool = headerPool ?? HeaderSets()
    for index in logs.indices where !logs[index].limits.headerSets.isEmpty {
      let numbers = logs[index].limits.headerSets.map { pool.number(of: $0) }
      for row in logs[index].limits.observations.indices {
        let old = logs[index].limits.observations[row].headers
        if old >= 0 { logs[index].limits.observations[row].headers = numbers[Int(old)] }
      }
      logs[index].limits.headerSets = HeaderSets()
    }
    headerPool = pool
  }

  /// Gives each log the header sets that it names.
  package mutating func unpoolHeaders() {
    guard let pool = headerPool else { return }
    headerPool = nil
    for index in logs.indices {
      var own = HeaderSets()
      var numbers: [Int32: Int32] = [:]
      for row in logs[index].limits.observations.indices {
        let old = logs[index].limits.observations[row].headers
        guard old >= 0 else { continue }
        if numbers[old] == nil {
          numbers[old] = Int32(own.count)
          own.append(pool[Int(old)])
        }
        logs[index].limits.observations[row].headers = numbers[old] ?? -1
      }
      logs[index].limits.headerSets = own
    }
  }
}
