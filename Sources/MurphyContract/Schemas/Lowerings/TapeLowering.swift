import MurphyJSON
import MurphyRegex

/// Turns compiled schemas into a program for the tape.
struct TapeLowering {
  let nodes: [SchemaNode]
  let dynamicTables: [DynamicTable]
  var pools = TapePools()

  static func lower(_ nodes: [SchemaNode], _ dynamicTables: [DynamicTable]) -> TapeProgram {
    var lowering = TapeLowering(nodes: nodes, dynamicTables: dynamicTables)
    lowering.dynamicScope()
    for node in nodes { lowering.lower(node) }
    return TapeProgram(lowering.pools)
  }

  /// The schema that really has something to say: a lone `$ref` is skipped where no dynamic scope is kept.
  func target(_ id: NodeID) -> NodeID {
    guard dynamicTables.isEmpty else { return id }
    var id = id
    // The compiler has refused loops; the bound is for its sake.
    for _ in 0..<64 {
      guard nodes[Int(id)].rules.count == 1, case .reference(let next) = nodes[Int(id)].rules[0].assertion else {
        break
      }
      id = next
    }
    return id
  }

  func targets(_ ids: [NodeID]) -> [Int32] { ids.map(target) }

  func isNever(_ id: NodeID) -> Bool { nodes[Int(target(id))].isNever }

  private mutating func dynamicScope() {
    pools.hasDynamicScope = !dynamicTables.isEmpty
    pools.resourceCount = Int(nodes.map(\.resource).max() ?? 0) + 1
    guard pools.hasDynamicScope else { return }
    for table in dynamicTables {
      for resource in 0..<pools.resourceCount { pools.dynamicTargets.append(table.nodes[Int32(resource)] ?? -1) }
    }
  }

  private mutating func lower(_ node: SchemaNode) {
    var lowered = TapeNode()
    lowered.resource = node.resource
    lowered.isTrivial = node.rules.isEmpty
    var number: NumberCheck?
    var string: StringCheck?
    var array: ArrayCheck?
    var steps: [TapeStep] = []
    for rule in node.rules {
      switch rule.assertion {
      case .never: lowered.types = 0
      case .types(let types): lowered.types = types.rawValue
      case .minimum, .maximum, .multiple: lower(rule.assertion, into: &number)
      case .minLength, .maxLength, .pattern, .format: lower(rule.assertion, into: &string, &number)
      case .minItems, .maxItems, .uniqueItems, .items, .contains: lower(rule.assertion, into: &array)
      case .properties, .required, .minProperties, .maxProperties, .propertyNames, .dependentRequired,
        .dependentSchemas:
        continue
      default: steps.append(step(rule.assertion))
      }
    }
    if let number {
      lowered.number = Int32(pools.numbers.count)
      pools.numbers.append(number)
    }
    if let string {
      lowered.string = Int32(pools.strings.count)
      pools.strings.append(string)
    }
    if let array {
      lowered.array = Int32(pools.arrays.count)
      pools.arrays.append(array)
    }
    lowered.object = object(node)
    lowered.hasUnevaluated = steps.contains {
      $0.kind == .unevaluatedItems || $0.kind == .unevaluatedProperties || $0.kind == .undocumented
    }
    lowered.isPlain = steps.isEmpty && dynamicTables.isEmpty
    lowered.steps = TapePools.append(steps, to: &pools.steps)
    pools.nodes.append(lowered)
  }

  mutating func pattern(_ pattern: ECMAPattern) -> Int32 {
    pools.patterns.append(pattern)
    return Int32(pools.patterns.count - 1)
  }
}
