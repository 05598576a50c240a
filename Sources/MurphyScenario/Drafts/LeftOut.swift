/// An operation without a step in a draft.
package struct LeftOut: Sendable {
  enum Reason: Sendable, Hashable {
    case always(String)
    /// `--operation` with its name includes the operation.
    case unlessNamed(String)

    func text(_ operation: String) -> String {
      switch self {
      case .always(let text): text
      case .unlessNamed(let text): "\(text); to include it, use --operation \(operation)"
      }
    }
  }

  /// The operationId.
  package let operation: String
  let cause: Reason

  /// The reason, as the end of a sentence.
  package var reason: String { cause.text(operation) }
}

extension [LeftOut] {
  /// The reasons, each once with all its operations. Further lines of a reason are indented.
  package var lines: [String] { grouped.flatMap(\.lines) }

  private var grouped: [Group] {
    var groups: [Group] = []
    var places: [LeftOut.Reason: Int] = [:]
    for left in self {
      if let place = places[left.cause] {
        groups[place].operations.append(left.operation)
      } else {
        places[left.cause] = groups.count
        groups.append(Group(cause: left.cause, operations: [left.operation]))
      }
    }
    return groups
  }

  private struct Group {
    let cause: LeftOut.Reason
    var operations: [String]

    private static let width = 100

    var lines: [String] {
      guard operations.count > 1 else { return operations.map { "\($0): \(cause.text($0))" } }
      var rows: [String] = []
      for operation in operations {
        if let row = rows.last, row.count + operation.count + 2 <= Self.width {
          rows[rows.count - 1] = "\(row), \(operation)"
        } else {
          rows.append("  " + operation)
        }
      }
      return ["\(operations.count) operations: \(cause.text("NAME")):"] + rows
    }
  }
}
