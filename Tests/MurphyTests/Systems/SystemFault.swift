/// One fault of a reference API, and what finds it in a run of the system's release gate or of another scenario of it.
struct SystemFault: CustomStringConvertible {
  /// Who finds it: findings of a kind that begins with this.
  enum Finder: String, CaseIterable {
    /// Visible in one response.
    case contract = "contract."
    case budget = "budget."
    case limit = "limit."
    case traffic = "traffic."
    /// Visible in what several responses say of one thing.
    case state = "state."
    /// Visible in a request and its response, or in two of them.
    case relation = "relation."

    /// The judges that there are. A fault that waits for another one is in the table, and not asserted.
    static let today: Set<Finder> = [.contract, .budget, .limit, .traffic, .state, .relation]
  }

  let name: String
  let finder: Finder
  /// What the finding is about; nil for any operation.
  let operation: String?
  /// The rest of the finding's kind, of a judge that is not asserted yet: `repeats` of `relation.repeats`.
  var invariant: String?
  /// The sessions that show it; all if it is empty.
  var only: [String] = []
  /// The scenario of the system that shows it.
  var scenario = "release-gate"
  /// The load that shows it: sessions a second.
  var rate = 10
  /// Needs requests that meet: no single exchange nor any sequence of one user shows it.
  var isConcurrent = false

  init(
    _ name: String, _ finder: Finder, _ operation: String?, _ invariant: String? = nil, only: [String] = [],
    in scenario: String = "release-gate", rate: Int = 10, isConcurrent: Bool = false
  ) {
    self.name = name
    self.finder = finder
    self.operation = operation
    self.invariant = invariant
    self.only = only
    self.scenario = scenario
    self.rate = rate
    self.isConcurrent = isConcurrent
  }

  var description: String { name }
}
