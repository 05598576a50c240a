/// Compiles schemas into a program for the tape.
struct TapeCompiler {
  let nodes: [SchemaNode]
  let dynamicTables: [DynamicTable]
  var pools = TapePools()

  static func lower(_ nodes: [SchemaNode], _ dynamicTables: [DynamicTable]) -> TapeProgram {
    var compiler = TapeCompiler(nodes: nodes, dynamicTables: dynamicTables)
    compiler.dynamicScope()
    for node in nodes { compiler.lower(node) }
    return TapeProgram(compiler.pools)
  }

  /// The schema with the actual rules: a lone `$ref` is skipped, unless it affects a dynamic scope.
  func target(_ id: NodeID) -> NodeID {
    guard dynamicTables.isEmpty else { return id }
    var id = id
    // The compiler rejects loops; this bound is an additional safeguard.
    for _ in 0..<64 {
      guard nodes[Int(id)].rules.count == 1, case .reference(let next) = nodes[Int(id)].rules[0].assertion else {
        break
      }
      id = next
    }
    return id
  }

  func targets(_ ids: [NodeID]) -> [Int32] { ids.map(target) }

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
      case .enumeration(let listed) where lowered.enumeration < 0: lowered.enumeration = enumeration(listed.values)
      case let assertion where Self.isObjectKeyword(assertion): continue
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
    if lowered.isPlain, lowered.enumeration < 0 { bound(&lowered, string ?? StringCheck(), number ?? NumberCheck()) }
    lowered.steps = TapePools.append(steps, to: &pools.steps)
    pools.nodes.append(lowered)
  }

  /// Finds the strings and integers that need no other check. Each code point has one to four bytes.
  private func bound(_ node: inout TapeNode, _ string: StringCheck, _ number: NumberCheck) {
    let types = TypeSet(rawValue: node.types)
    if types.contains(.string), string.format == nil, string.pattern < 0, string.minimum < 1 << 29 {
      node.leastBytes = UInt32(max(0, string.minimum * 4 - 3))
      node.mostBytes = UInt32(clamping: string.maximum)
    }
    if !types.isDisjoint(with: [.number, .integer, .writtenInteger]), number.divisor < 0 {
      (node.least, node.most) = (number.low, number.high)
    }
  }

  mutating func pattern(_ pattern: ECMAPattern) -> Int32 {
    pools.patterns.append(pattern)
    return Int32(pools.patterns.count - 1)
  }

  mutating func lower(_ assertion: Assertion, into check: inout ArrayCheck?) {
    var array = check ?? ArrayCheck()
    switch assertion {
    case .minItems(let bound): array.minimum = bound
    case .maxItems(let bound): array.maximum = bound
    case .uniqueItems: array.isUnique = true
    case .items(let prefix, let rest):
      array.prefix = TapePools.append(targets(prefix), to: &pools.lists)
      array.rest = rest.map(target) ?? -1
      array.key = rest.map { key($0) } ?? -1
    case .contains(let contained):
      array.contains = target(contained.node)
      array.containsMinimum = contained.minimum
      array.containsMaximum = contained.maximum ?? Int.max
      array.containsEvaluates = contained.evaluates
    default: break
    }
    check = array
  }

  mutating func step(_ assertion: Assertion) -> TapeStep {
    switch assertion {
    case .enumeration(let listed): return TapeStep(kind: .enumeration, first: enumeration(listed.values))
    case .reference(let node): return TapeStep(kind: .reference, first: target(node))
    case .dynamicReference(let table, let initial):
      return TapeStep(kind: .dynamicReference, first: Int32(table), second: initial)
    case .all(let branches):
      return TapeStep(kind: .all, list: TapePools.append(targets(branches), to: &pools.lists))
    case .any(let branches): return choice(.any, branches)
    case .one(let branches): return choice(.one, branches)
    case .not(let node): return TapeStep(kind: .not, first: target(node))
    case .conditional(let condition, let then, let otherwise):
      return TapeStep(
        kind: .conditional, first: target(condition), second: then.map(target) ?? -1, third: otherwise.map(target) ?? -1
      )
    case .unevaluatedItems(let node): return TapeStep(kind: .unevaluatedItems, first: target(node))
    case .unevaluatedProperties(let node): return TapeStep(kind: .unevaluatedProperties, first: target(node))
    case .undocumentedProperties: return TapeStep(kind: .undocumented)
    case .content: return TapeStep(kind: .content)
    default: return TapeStep(kind: .unchecked)
    }
  }

  private mutating func choice(_ kind: TapeStep.Opcode, _ branches: [NodeID]) -> TapeStep {
    let list = TapePools.append(targets(branches), to: &pools.lists)
    guard let chosen = discriminator(branches) else { return TapeStep(kind: kind, list: list) }
    pools.switches.append(chosen)
    // Values that are not objects are checked against all branches in turn.
    return TapeStep(
      kind: .chosen, first: Int32(pools.switches.count - 1), second: kind == .one ? 1 : 0, list: list)
  }

  private mutating func enumeration(_ values: [JSONValue]) -> Int32 {
    var check = EnumerationCheck()
    var strings: [TapeName] = []
    var integers: [Int64] = []
    for value in values {
      switch value {
      case .null: check.allowsNull = true
      case .bool(true): check.allowsTrue = true
      case .bool(false): check.allowsFalse = true
      case .string(let text): strings.append(pools.name(text))
      case .number(let number):
        if let int = number.int { integers.append(Int64(int)) } else { check.hasDecimals = true }
      case .array: check.hasArrays = true
      case .object: check.hasObjects = true
      }
    }
    check.strings = TapePools.append(strings, to: &pools.names)
    if strings.count > 8 { check.table = table(strings) }
    check.integers = TapePools.append(integers.sorted(), to: &pools.integers)
    pools.enumerations.append(check)
    return Int32(pools.enumerations.count - 1)
  }

  /// The check of a node's object keywords; -1 if it has none.
  mutating func object(_ node: SchemaNode) -> Int32 {
    var object = ObjectCheck()
    var slots = SlotTable()
    var isEmpty = true
    var required: [Int] = []
    var dependencies: [(Int, [Int], Int32)] = []
    for rule in node.rules {
      isEmpty = isEmpty && !Self.isObjectKeyword(rule.assertion)
      switch rule.assertion {
      case .properties(let members):
        object.hasProperties = !members.properties.isEmpty
        for property in members.properties { slots.declare(property.name, target(property.node)) }
        let patterns = members.patterns.map { PatternSlot(pattern: pattern($0.pattern), node: target($0.node)) }
        object.patterns = TapePools.append(patterns, to: &pools.patternSlots)
        object.additional = members.additional.map(target) ?? -1
      case .required(let names): required = names.map { slots.mention($0) }
      case .minProperties(let bound): object.minimum = bound
      case .maxProperties(let bound): object.maximum = bound
      case .propertyNames(let names): object.names = target(names)
      case .dependentRequired(let listed):
        for (name, others) in listed {
          dependencies.append((slots.mention(name), others.map { slots.mention($0) }, -1))
        }
      case .dependentSchemas(let listed):
        for (name, schema) in listed { dependencies.append((slots.mention(name), [], target(schema))) }
      default: break
      }
    }
    if isEmpty { return -1 }
    object.words = (slots.names.count + 63) / 64
    object.slots = TapePools.append(
      slots.names.indices.map { index in
        PropertySlot(
          name: pools.name(slots.names[index]), node: slots.nodes[index] ?? -1, isDeclared: slots.nodes[index] != nil)
      }, to: &pools.slots)
    object.table = table(object.slots.range.map { pools.slots[$0].name })
    if !required.isEmpty { object.required = bits(required, words: object.words) }
    object.dependencies = TapePools.append(
      dependencies.map { slot, others, schema in
        Dependency(slot: Int32(slot), required: others.isEmpty ? -1 : bits(others, words: object.words), node: schema)
      }, to: &pools.dependencies)
    pools.objects.append(object)
    return Int32(pools.objects.count - 1)
  }

  private static func isObjectKeyword(_ assertion: Assertion) -> Bool {
    switch assertion {
    case .properties, .required, .minProperties, .maxProperties, .propertyNames, .dependentRequired, .dependentSchemas:
      true
    default: false
    }
  }

  private mutating func bits(_ numbers: [Int], words: Int) -> Int32 {
    let start = pools.bits.count
    pools.bits += [UInt64](repeating: 0, count: words)
    for number in numbers { pools.bits[start + number >> 6] |= 1 << UInt64(number & 63) }
    return Int32(start)
  }

  /// Uses open addressing with linear probing, at most half full.
  mutating func table(_ names: [TapeName]) -> Slice {
    var size = 4
    while size < names.count * 2 { size *= 2 }
    var table = [Int32](repeating: -1, count: size)
    for (index, name) in names.enumerated() {
      var place = Int(name.hash & UInt64(size - 1))
      while table[place] >= 0 { place = (place + 1) & (size - 1) }
      table[place] = Int32(index)
    }
    return TapePools.append(table, to: &pools.tables)
  }

  /// The names in one object's keywords, each with its schema if it has one.
  private struct SlotTable {
    var names: [String] = []
    var nodes: [Int32?] = []
    private var positions: [JSONKey: Int] = [:]

    mutating func mention(_ name: String) -> Int {
      if let position = positions[JSONKey(name)] { return position }
      positions[JSONKey(name)] = names.count
      names.append(name)
      nodes.append(nil)
      return names.count - 1
    }

    mutating func declare(_ name: String, _ node: Int32) {
      let position = mention(name)
      nodes[position] = node
    }
  }
}
