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
    guard let response = Contract.response(of: operation) else { return nil }
    self.operation = operation
    self.navigator = navigator
    if let item = Self.item(of: response, navigator) {
      shape = CollectionShape(operation: index, items: [])
      self.item = item
    } else {
      guard let envelope = navigator.object(response), !envelope.isOpen else { return nil }
      let arrays = envelope.members.filter { member in
        member.schemas.count == 1 && Self.isArray(member.schemas[0], navigator)
      }
      guard arrays.count == 1, let item = Self.item(of: arrays[0].schemas[0], navigator) else { return nil }
      shape = CollectionShape(operation: index, items: [arrays[0].name])
      self.item = item
    }
    readParameters()
    readItem()
    if !shape.items.isEmpty { readEnvelope(navigator.object(response)) }
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
        (parameter.name, RelationNames.norm(parameter.name), navigator.scalar($0.located))
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
      let scalar = navigator.scalar(member.schemas[0])
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
      guard fields.count == 1, item[fields[0]].map({ navigator.scalar($0).values.isEmpty }) == true else {
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
      guard let field = item[name].map({ navigator.scalar($0) }), field.types == scalar.types else { continue }
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

/// The metadata of a page and of its path.
extension CollectionRecogniser {
  /// Reads the metadata next to the items and one level inside `meta` and similar members.
  mutating func readEnvelope(_ envelope: ObjectShape?) {
    guard let envelope else { return }
    var places: [(path: [String], key: String, scalar: ScalarShape)] = []
    for member in envelope.members where member.schemas.count == 1 && [member.name] != shape.items {
      let key = RelationNames.norm(member.name)
      if RelationNames.envelopes.contains(key), let inner = ObjectShape(member.schemas, navigator), !inner.isOpen {
        for deeper in inner.members where deeper.schemas.count == 1 {
          places.append(
            (
              [member.name, deeper.name], RelationNames.norm(deeper.name), navigator.scalar(deeper.schemas[0])
            ))
        }
      } else {
        places.append(([member.name], key, navigator.scalar(member.schemas[0])))
      }
    }
    let totals = places.filter { RelationNames.totals.contains($0.key) && $0.scalar.isInteger }
    // Two candidates, such as a total and the number of rows on the page, are ambiguous.
    if totals.count == 1, shape.isPaged || totals[0].key != "count" { shape.total = totals[0].path }
    readCursor(places)
    for (path, key, scalar) in places {
      if RelationNames.lastPages.contains(key), scalar.isInteger { shape.lastPage = path }
      if RelationNames.more.contains(key), scalar.types == ["boolean"] { shape.hasMore = path }
      if RelationNames.next.contains(key), scalar.types == ["string"], shape.cursor?.path != path { shape.next = path }
      guard scalar.isInteger else { continue }
      if let limit = shape.limit, path.last == limit.name || RelationNames.limitEchoes.contains(key) {
        echo(.limit, path, named: limit.name)
      } else if let offset = shape.offset, path.last == offset.name {
        echo(.offset, path, named: offset.name)
      } else if let page = shape.page, path.last == page.name || RelationNames.pageEchoes.contains(key) {
        echo(.page, path, named: page.name)
      }
    }
  }

  private mutating func echo(_ role: CollectionShape.Echo.Role, _ path: [String], named name: String) {
    let isSynonym = path.last != name
    if let known = shape.echoes.firstIndex(where: { $0.role == role }) {
      if shape.echoes[known].isSynonym, !isSynonym {
        shape.echoes[known] = CollectionShape.Echo(role: role, path: path, isSynonym: false)
      }
    } else {
      shape.echoes.append(CollectionShape.Echo(role: role, path: path, isSynonym: isSynonym))
    }
  }

  /// Finds the single member that holds the next cursor, for the single parameter that takes it.
  private mutating func readCursor(_ places: [(path: [String], key: String, scalar: ScalarShape)]) {
    guard shape.cursors.count == 1,
      let parameter = parameters.first(where: { $0.name == shape.cursors[0] })?.shape, parameter.types == ["string"]
    else { return }
    let members = places.filter { _, key, scalar in
      guard scalar.types == ["string"] else { return false }
      // A `next` with exactly the parameter's format is not a link.
      let isAlike = scalar.pattern != nil && scalar.pattern == parameter.pattern
      return RelationNames.nextCursors.contains(key) || RelationNames.next.contains(key) && isAlike
    }
    guard members.count == 1 else { return }
    let isMoment = members[0].scalar.format == "date-time"
    guard isMoment == (parameter.format == "date-time") else { return }
    shape.cursor = CollectionShape.Cursor(name: shape.cursors[0], path: members[0].path, isMoment: isMoment)
  }

  /// Finds the parent: `/contacts/{id}/notes` with items that have a `contact_id`, or a `contact` with an `id`.
  mutating func readParent() {
    let segments = operation.path.split(separator: "/").map(String.init)
    guard segments.count >= 3, let segment = segments.indices.dropLast().last, segments[segment].hasPrefix("{"),
      segments[segment].hasSuffix("}")
    else { return }
    let name = String(segments[segment].dropFirst().dropLast())
    let many = RelationNames.norm(segments[segment - 1])
    guard let parameter = operation.parameters.first(where: { $0.location == .path && $0.name == name }),
      let requested = parameter.schema.map({ navigator.scalar($0.located) }),
      requested.isInteger || requested.isUUID
    else { return }
    let found = item.members.compactMap { member -> [String]? in
      let key = RelationNames.norm(member.name)
      guard let schema = item[member.name] else { return nil }
      if key.hasSuffix("id"), RelationNames.isPlural(many, of: String(key.dropLast(2))) {
        return navigator.scalar(schema).isSame(as: requested) ? [member.name] : nil
      }
      guard RelationNames.isPlural(many, of: key), let id = navigator.object(schema)?["id"] else { return nil }
      return navigator.scalar(id).isSame(as: requested) ? [member.name, "id"] : nil
    }
    guard found.count == 1 else { return }
    shape.parent = CollectionShape.Parent(
      parameter: name, segment: segment, path: found[0], isInteger: requested.isInteger)
  }
}

extension ScalarShape {
  /// True if the values of both are comparable.
  fileprivate func isSame(as other: ScalarShape) -> Bool { isInteger && other.isInteger || isUUID && other.isUUID }
}
