import MurphyJSON

extension TapeCompiler {
  /// The check of a node's object keywords, -1 where it has none.
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

  /// Open addressing with linear probing, at most half full.
  mutating func table(_ names: [TapeName]) -> Slice {
    var size = 4
    while size < names.count * 2 { size *= 2 }
    var table = [Int32](repeating: -1, count: size)
    for (index, name) in names.enumerated() {
      var place = Int(TapeName.hash(name.length, name.head, name.tail) & UInt64(size - 1))
      while table[place] >= 0 { place = (place + 1) & (size - 1) }
      table[place] = Int32(index)
    }
    return TapePools.append(table, to: &pools.tables)
  }

  /// The names that one object's keywords mention, each with its schema where it has one.
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
