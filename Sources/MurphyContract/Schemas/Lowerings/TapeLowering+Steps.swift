import MurphyJSON

extension TapeLowering {
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

  private mutating func choice(_ kind: TapeStep.Kind, _ branches: [NodeID]) -> TapeStep {
    let list = TapePools.append(targets(branches), to: &pools.lists)
    guard let chosen = discriminator(branches) else { return TapeStep(kind: kind, list: list) }
    pools.switches.append(chosen)
    // Values that are no objects go through the branches one by one.
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
}
