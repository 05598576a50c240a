import MurphySchema

/// Derives a collection's shape from an operation, by names and types only, without guesses.
struct CollectionRecogniser {
  var shape: CollectionShape
  let operation: Contract.Operation
  let navigator: SchemaNavigator
  private(set) var item: ObjectShape
  private(set) var parameters: [(name: String, key: String, shape: ScalarShape)] = []
  private var used: Set<String> = []

  /// Nil for an operation that does not return a list of objects.
  init?(_ operation: Contract.Operation, _ index: Int, _ navigator: SchemaNavigator) {
    guard operation.method == "GET", let answer = Contract.answer(of: operation) else { return nil }
    self.operation = operation
    self.navigator = navigator
    if let item = Self.item(of: answer, navigator) {
      shape = CollectionShape(operation: index, items: [])
      self.item = item
    } else {
      guard let envelope = ObjectShape([answer], navigator), !envelope.isOpen else { return nil }
      let arrays = envelope.members.filter { member in
        member.schemas.count == 1 && Self.isArray(member.schemas[0], navigator)
      }
      guard arrays.count == 1, let item = Self.item(of: arrays[0].schemas[0], navigator) else { return nil }
      shape = CollectionShape(operation: index, items: [arrays[0].name])
      self.item = item
    }
    readParameters()
    readItem()
    if !shape.items.isEmpty { readEnvelope(ObjectShape([answer], navigator)) }
    readFilters()
    readParent()
  }

  private static func isArray(_ schema: Located, _ navigator: SchemaNavigator) -> Bool {
    navigator.scope(of: schema).parts.contains { $0["items"] != nil || $0.types?.contains("array") == true }
  }

  /// The objects in an array; nil for anything else.
  private static func item(of schema: Located, _ navigator: SchemaNavigator) -> ObjectShape? {
    let scope = navigator.scope(of: schema)
    guard !scope.isOpaque, scope.choices.isEmpty else { return nil }
    let items = scope.parts.compactMap { $0["items"] }.filter { $0.value.object != nil }
    guard items.count == 1, !scope.parts.contains(where: { $0["prefixItems"] != nil }) else { return nil }
    return ObjectShape(items, navigator)
  }

  private mutating func readParameters() {
    parameters = operation.parameters.filter { $0.location == .query && $0.contentType == nil }.compactMap {
      parameter in
      parameter.schema.map {
        (parameter.name, RelationNames.norm(parameter.name), ScalarShape($0.located, navigator))
      }
    }
    for (name, key, scalar) in parameters {
      if RelationNames.limits.contains(key), scalar.isInteger, scalar.values.isEmpty, shape.limit == nil {
        shape.limit = bound(name, scalar)
        used.insert(name)
      } else if RelationNames.offsets.contains(key), scalar.isInteger, shape.offset == nil {
        shape.offset = bound(name, scalar)
        used.insert(name)
      } else if RelationNames.pages.contains(key), scalar.isInteger, shape.page == nil {
        shape.page = CollectionShape.Page(name: name, first: Self.first(scalar))
        used.insert(name)
      } else if RelationNames.cursors.contains(key) {
        shape.cursors.append(name)
        used.insert(name)
      } else if RelationNames.directions.contains(key), let direction = Self.direction(name, scalar) {
        shape.direction = direction
        used.insert(name)
      } else if RelationNames.searches.contains(key) {
        shape.searches.append(name)
        used.insert(name)
      } else if RelationNames.views.contains(key) {
        shape.views.append(name)
        used.insert(name)
      }
    }
  }

  private func bound(_ name: String, _ scalar: ScalarShape) -> CollectionShape.Bound {
    CollectionShape.Bound(
      name: name, standard: scalar.standard?.int, minimum: scalar.minimum, maximum: scalar.maximum)
  }

  /// The number of the first page, if minimum and default are consistent.
  private static func first(_ scalar: ScalarShape) -> Int? {
    guard let minimum = scalar.minimum else { return scalar.standard?.int }
    return scalar.standard?.int.map { $0 == minimum ? minimum : nil } ?? minimum
  }

  private static func direction(_ name: String, _ scalar: ScalarShape) -> CollectionShape.Direction? {
    var values: [String: Bool] = [:]
    for value in scalar.values {
      switch RelationNames.norm(value) {
      case "asc", "ascending": values[value] = false
      case "desc", "descending": values[value] = true
      default: return nil
      }
    }
    guard Set(values.values).count == 2 else { return nil }
    return CollectionShape.Direction(name: name, values: values, standard: scalar.standard?.string)
  }

  private mutating func readItem() {
    for member in item.members where member.schemas.count == 1 {
      let scalar = ScalarShape(member.schemas[0], navigator)
      guard scalar.isScalar else { continue }
      shape.fields.append(member.name)
      if member.name == "id", scalar.isInteger || scalar.types == ["string"] {
        shape.id = CollectionShape.Field(name: member.name, isInteger: scalar.isInteger)
      }
    }
    for (name, key, scalar) in parameters where RelationNames.sorts.contains(key) && shape.sort == nil {
      used.insert(name)
      guard scalar.isEnumeration else { continue }
      (shape.sortParameter, shape.sortStandard) = (name, scalar.standard?.string)
      let keys = sortKeys(scalar.values)
      if !keys.isEmpty {
        shape.sort = CollectionShape.Sort(name: name, keys: keys, standard: scalar.standard?.string)
      }
    }
  }

  /// The sort field of each value, if exactly one field has that name: `score`, `-created_at`, `name,asc`, `name:desc`.
  private func sortKeys(_ values: [String]) -> [String: CollectionShape.Sort.Key] {
    let hasSigns = values.contains { $0.hasPrefix("-") }
    var keys: [String: CollectionShape.Sort.Key] = [:]
    for value in values {
      var name = Substring(value)
      var isDescending: Bool?
      if name.hasPrefix("-") || name.hasPrefix("+") {
        isDescending = name.hasPrefix("-")
        name = name.dropFirst()
      } else if let separator = name.firstIndex(where: { $0 == "," || $0 == ":" || $0 == " " }) {
        switch name[separator...].dropFirst().lowercased() {
        case "asc", "ascending": isDescending = false
        case "desc", "descending": isDescending = true
        default: continue
        }
        name = name[..<separator]
      } else if hasSigns {
        isDescending = false
      }
      let wanted = RelationNames.norm(String(name))
      let fields = shape.fields.filter { RelationNames.norm($0) == wanted }
      // Ranks, such as low, medium and high, have an order of their own.
      guard fields.count == 1, item[fields[0]].map({ ScalarShape($0, navigator).values.isEmpty }) == true else {
        continue
      }
      keys[value] = CollectionShape.Sort.Key(field: fields[0], isDescending: isDescending)
    }
    return keys
  }

  private mutating func readFilters() {
    let keys = Set(parameters.map(\.key))
    guard keys.isDisjoint(with: RelationNames.operators) else { return }
    for (name, _, scalar) in parameters where !used.contains(name) && shape.fields.contains(name) {
      guard let field = item[name].map({ ScalarShape($0, navigator) }), field.types == scalar.types else { continue }
      if scalar.isInteger, field.isInteger {
        shape.filters.append(CollectionShape.Filter(name: name, form: .integer))
      } else if scalar.types == ["boolean"], !scalar.isOpen, scalar.standard == nil {
        // A boolean with a default may select the contents of the response.
        shape.filters.append(CollectionShape.Filter(name: name, form: .boolean))
      } else if scalar.isEnumeration, field.isEnumeration, !Set(scalar.values).isDisjoint(with: field.values) {
        shape.filters.append(CollectionShape.Filter(name: name, form: .text, values: Set(field.values)))
      } else if scalar.isUUID, field.isUUID {
        shape.filters.append(CollectionShape.Filter(name: name, form: .text))
      }
    }
  }
}
