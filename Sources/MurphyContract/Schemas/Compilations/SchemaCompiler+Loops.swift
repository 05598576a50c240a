extension SchemaCompiler {
  /// A schema that leads to itself through `$ref` and `allOf` alone would never come to an end.
  /// Loops through other keywords depend on the instance and are caught when they happen.
  func refuseLoops(from first: Int) throws(SchemaError) {
    /// 1 while below the node, 2 once it is known to end.
    var state = [UInt8](repeating: 0, count: nodes.count)
    for root in first..<nodes.count where state[root] == 0 {
      var stack = [(node: root, next: 0)]
      state[root] = 1
      while let (node, next) = stack.last {
        let targets = unconditional(nodes[node])
        guard next < targets.count else {
          state[node] = 2
          stack.removeLast()
          continue
        }
        stack[stack.count - 1].next += 1
        let target = Int(targets[next])
        if state[target] == 1 { throw loop(at: nodes[target]) }
        if state[target] == 0, target >= first {
          state[target] = 1
          stack.append((target, 0))
        }
      }
    }
  }

  private func unconditional(_ node: SchemaNode) -> [NodeID] {
    node.rules.flatMap { rule -> [NodeID] in
      switch rule.assertion {
      case .reference(let target): [target]
      case .all(let targets): targets
      default: []
      }
    }
  }

  private func loop(at node: SchemaNode) -> SchemaError {
    SchemaError(
      kind: .infiniteLoop, location: node.location,
      message: "the schema refers to itself without end; no value can be checked against it")
  }
}
