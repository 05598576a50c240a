extension TapeLowering {
  mutating func lower(_ assertion: Assertion, into check: inout ArrayCheck?) {
    var array = check ?? ArrayCheck()
    switch assertion {
    case .minItems(let bound): array.minimum = bound
    case .maxItems(let bound): array.maximum = bound
    case .uniqueItems: array.isUnique = true
    case .items(let prefix, let rest):
      array.prefix = TapePools.append(targets(prefix), to: &pools.lists)
      array.rest = rest.map(target) ?? -1
    case .contains(let contained):
      array.contains = target(contained.node)
      array.containsMinimum = contained.minimum
      array.containsMaximum = contained.maximum ?? Int.max
      array.containsEvaluates = contained.evaluates
    default: break
    }
    check = array
  }
}
