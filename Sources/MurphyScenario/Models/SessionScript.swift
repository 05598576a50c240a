import MurphyModel

/// What one kind of user does, from arrival to leaving.
package struct SessionScript: Sendable {
  package var name: String
  /// Its weight among the sessions' shares; positive.
  package var share: Double
  package var steps: [Step]
  /// Who its users are: the scenario's `client:` with the session's own on top.
  package var client: ClientProfile
  /// Indices into `Scenario.feeds`: the session takes one row of each when it begins.
  package var feeds: [Int] = []
  /// Whether its expressions read the last answer beyond its status, so that each answer is kept until the next.
  package var readsAnswers = false
  package var mark: SourceMark

  package init(
    name: String, share: Double = 1, steps: [Step], client: ClientProfile = ClientProfile(), feeds: [Int] = [],
    mark: SourceMark
  ) {
    self.name = name
    self.share = share
    self.steps = steps
    self.client = client
    self.feeds = feeds
    self.mark = mark
  }
}

extension SessionScript {
  /// The operations that its steps name, in the order of the steps, each once; branches count whether taken or not.
  package var operations: [String] {
    var seen: Set<String> = []
    return steps.flatMap(\.operations).filter { seen.insert($0).inserted }
  }
}

extension Step {
  fileprivate var operations: [String] {
    switch self {
    case .call(let call): [call.step.operation.id]
    case .type(let typing): [typing.call.step.operation.id]
    case .loop(let loop): loop.steps.flatMap(\.operations)
    case .burst(let burst): burst.steps.flatMap(\.operations)
    case .branch(let branch): (branch.steps + branch.otherwise).flatMap(\.operations)
    case .choice(let choice): choice.ways.flatMap(\.steps).flatMap(\.operations)
    case .group(let group): group.steps.flatMap(\.operations)
    case .think, .set, .end: []
    }
  }
}
