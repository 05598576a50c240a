import MurphyModel

extension [SkippedOperation] {
  /// The reasons, each once with all its operations. Further lines of a reason are indented.
  package var lines: [String] { grouped.flatMap(\.lines) }

  private var grouped: [Group] {
    var groups: [Group] = []
    var places: [String: Int] = [:]
    for skipped in self {
      let reason = skipped.reason.replacingScalars("--operation \(skipped.operation) ", with: "--operation NAME ")
      if let place = places[reason] {
        groups[place].operations.append(skipped.operation)
      } else {
        places[reason] = groups.count
        groups.append(Group(first: skipped, reason: reason))
      }
    }
    return groups
  }

  private struct Group {
    let first: SkippedOperation
    let reason: String
    var operations: [String]

    private static let width = 100

    init(first: SkippedOperation, reason: String) {
      (self.first, self.reason, operations) = (first, reason, [first.operation])
    }

    var lines: [String] {
      guard operations.count > 1 else { return ["\(first.operation): \(first.reason)"] }
      var rows: [String] = []
      for operation in operations {
        if let row = rows.last, row.count + operation.count + 2 <= Self.width {
          rows[rows.count - 1] = "\(row), \(operation)"
        } else {
          rows.append("  " + operation)
        }
      }
      return ["\(operations.count) operations: \(reason):"] + rows
    }
  }
}
