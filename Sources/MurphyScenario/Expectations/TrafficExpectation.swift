import MurphyModel

/// The promises that every run makes without being asked: `expect:` changes them or switches them off.
package struct TrafficExpectation: Sendable, Hashable {
  /// Which of the names that the scenario holds a promise is made for.
  package enum Names: Sendable, Hashable {
    case all
    case off
    case only([String])

    /// `all`, or the names.
    package var text: String {
      switch self {
      case .all: "all"
      case .off: "off"
      case .only(let names): names.joined(separator: ", ")
      }
    }

    /// Those of `names` that are meant, in their order.
    package func chosen(of names: [String]) -> [String] {
      switch self {
      case .all: names
      case .off: []
      case .only(let only): names.filter(only.contains)
      }
    }
  }

  /// `errors:` the largest share of errors over all operations; nil when switched off.
  package var errors: Double? = 0.01
  /// `completed:` the smallest share of ended sessions that ended as scripted; nil when switched off.
  package var completed: Double? = 0.99
  /// `called:` the operations that must be called at least once, of those that the run's sessions name.
  package var called = Names.all
  /// `sessions:` the kinds of session of which at least one must complete.
  package var sessions = Names.all

  /// `connections:` the smallest share of requests that find the connection of an earlier answer open; nil for none.
  package var connections: Double?
}

extension Expectations {
  /// The scenario's budgets, and the one on errors over all operations that every run has unless it is switched off
  /// or the scenario has its own.
  package var allBudgets: [Budget] {
    guard let share = traffic.errors, !budgets.contains(where: { $0.operation == "*" && $0.metric == .errors }) else {
      return budgets
    }
    return budgets + [Budget(operation: "*", metric: .errors, limit: .share(share))]
  }
}
