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
