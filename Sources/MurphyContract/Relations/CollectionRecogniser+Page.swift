import MurphySchema

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
              [member.name, deeper.name], RelationNames.norm(deeper.name), ScalarShape(deeper.schemas[0], navigator)
            ))
        }
      } else {
        places.append(([member.name], key, ScalarShape(member.schemas[0], navigator)))
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
      let asked = parameter.schema.map({ ScalarShape($0.located, navigator) }), asked.isInteger || asked.isUUID
    else { return }
    let found = item.members.compactMap { member -> [String]? in
      let key = RelationNames.norm(member.name)
      guard let schema = item[member.name] else { return nil }
      if key.hasSuffix("id"), RelationNames.isPlural(many, of: String(key.dropLast(2))) {
        return ScalarShape(schema, navigator).isSame(as: asked) ? [member.name] : nil
      }
      guard RelationNames.isPlural(many, of: key), let id = ObjectShape([schema], navigator)?["id"] else { return nil }
      return ScalarShape(id, navigator).isSame(as: asked) ? [member.name, "id"] : nil
    }
    guard found.count == 1 else { return }
    shape.parent = CollectionShape.Parent(
      parameter: name, segment: segment, path: found[0], isInteger: asked.isInteger)
  }
}

extension ScalarShape {
  /// True if the values of both are comparable.
  fileprivate func isSame(as other: ScalarShape) -> Bool { isInteger && other.isInteger || isUUID && other.isUUID }
}
