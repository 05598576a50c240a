extension TapeCompiler {
  /// A branch's requirement for the discriminating property.
  private struct Demand {
    /// Nil: any string, or no string, depending on `types`.
    var strings: [String]?
    var types: TypeSet
  }

  /// Finds a property that every branch requires and whose values never match two branches. Its value determines the
  /// only branch that can match. Nil if there is none.
  mutating func discriminator(_ branches: [NodeID]) -> Switch? {
    guard branches.count > 1, branches.count <= 256, let first = members(branches[0]) else { return nil }
    for property in first.properties {
      var demands: [Demand] = []
      for branch in branches {
        guard let demand = demand(property.name, branch) else { break }
        demands.append(demand)
      }
      if demands.count == branches.count, Self.areDisjoint(demands) {
        return make(property.name, demands, targets(branches))
      }
    }
    return nil
  }

  /// The number of the name of the first member that items require as a string or number of free choice; -1 if there
  /// is none.
  mutating func key(_ items: NodeID) -> Int32 {
    let scalars: TypeSet = [.string, .number, .integer, .writtenInteger]
    for rule in nodes[Int(target(items))].rules {
      guard case .required(let names) = rule.assertion else { continue }
      let key = names.first { demand($0, items).map { $0.strings == nil && $0.types.isSubset(of: scalars) } ?? false }
      guard let key else { continue }
      pools.names.append(pools.name(key))
      return Int32(pools.names.count - 1)
    }
    return -1
  }

  private func members(_ branch: NodeID) -> ObjectMembers? {
    for rule in nodes[Int(target(branch))].rules {
      if case .properties(let members) = rule.assertion { return members }
    }
    return nil
  }

  private func demand(_ name: String, _ branch: NodeID) -> Demand? {
    let rules = nodes[Int(target(branch))].rules
    let isRequired = rules.contains {
      if case .required(let names) = $0.assertion { names.contains { JSONKey($0) == JSONKey(name) } } else { false }
    }
    guard isRequired, let property = members(branch)?.property(name) else { return nil }
    var demand = Demand(strings: nil, types: TypeSet(rawValue: 0xFF))
    var isRestricted = false
    for rule in nodes[Int(target(property.node))].rules {
      switch rule.assertion {
      case .types(let types):
        demand.types.formIntersection(types.union(types.isDisjoint(with: [.integer, .writtenInteger]) ? [] : .number))
        isRestricted = true
      case .enumeration(let listed):
        demand.strings = listed.values.compactMap(\.string)
        demand.types.formIntersection(TypeSet(listed.values.map(TypeSet.init(of:))))
        isRestricted = true
      default: break
      }
    }
    return isRestricted ? demand : nil
  }

  private static func areDisjoint(_ demands: [Demand]) -> Bool {
    var strings: Set<JSONKey> = []
    var types: TypeSet = []
    var takesAnyString = false
    for demand in demands {
      let others = demand.types.intersection([.null, .boolean, .number, .array, .object])
      if !types.isDisjoint(with: others) { return false }
      types.formUnion(others)
      guard demand.types.contains(.string) else { continue }
      guard let listed = demand.strings else {
        if takesAnyString || !strings.isEmpty { return false }
        takesAnyString = true
        continue
      }
      if takesAnyString { return false }
      for text in Set(listed.map(JSONKey.init)) where !strings.insert(text).inserted { return false }
    }
    return true
  }

  private mutating func make(_ name: String, _ demands: [Demand], _ branches: [Int32]) -> Switch {
    var cases: [SwitchCase] = []
    var anyString: Int32 = -1
    for (demand, branch) in zip(demands, branches) where demand.types.contains(.string) {
      if let listed = demand.strings {
        cases += listed.map { SwitchCase(value: pools.name($0), node: branch) }
      } else {
        anyString = branch
      }
    }
    func branch(_ type: TypeSet) -> Int32 {
      zip(demands, branches).first { $0.0.types.contains(type) }?.1 ?? -1
    }
    return Switch(
      name: pools.name(name), strings: TapePools.append(cases, to: &pools.cases), anyString: anyString,
      null: branch(.null), boolean: branch(.boolean), number: branch(.number), array: branch(.array),
      object: branch(.object))
  }
}

extension TypeSet {
  init(of value: JSONValue) {
    switch value {
    case .null: self = .null
    case .bool: self = .boolean
    case .number: self = .number
    case .string: self = .string
    case .array: self = .array
    case .object: self = .object
    }
  }
}
