import MurphyJSON

/// A JSON value in which every part knows where it was written: what overlays change.
struct MarkedValue {
  indirect enum Content {
    case scalar(JSONValue)
    case array([MarkedValue])
    case object([(key: String, value: MarkedValue)])
  }

  var content: Content
  /// Where the value stands.
  var place: SourceMarks.Place
  /// Where the name before it stands; its own place for values without one.
  var name: SourceMarks.Place

  init(_ content: Content, value: SourceMarks.Place, name: SourceMarks.Place) {
    self.content = content
    place = value
    self.name = name
  }

  /// A value of which every part stands at one place.
  init(_ value: JSONValue, at place: SourceMarks.Place) {
    self.place = place
    name = place
    switch value {
    case .object(let object):
      content = .object(object.members.map { ($0.key, MarkedValue($0.value, at: place)) })
    case .array(let items): content = .array(items.map { MarkedValue($0, at: place) })
    default: content = .scalar(value)
    }
  }

  var value: JSONValue {
    switch content {
    case .scalar(let value): value
    case .array(let items): .array(items.map(\.value))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.value) }))
    }
  }

  /// The places in the order of the value's parts.
  var marks: SourceMarks {
    var marks = SourceMarks()
    write(to: &marks, isNamed: false)
    return marks
  }

  private func write(to marks: inout SourceMarks, isNamed: Bool) {
    let index = marks.open(at: place, named: isNamed ? name : nil)
    switch content {
    case .scalar: break
    case .array(let items): for item in items { item.write(to: &marks, isNamed: false) }
    case .object(let members): for member in members { member.value.write(to: &marks, isNamed: true) }
    }
    marks.close(index)
  }

  subscript(key: String) -> MarkedValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// For messages: `an object`.
  var kind: String {
    switch content {
    case .array: "an array"
    case .object: "an object"
    case .scalar: "a value that is no object or array"
    }
  }

  /// Changes the value at a place; nothing happens where there is none.
  mutating func change(at tokens: ArraySlice<String>, _ body: (inout MarkedValue) -> Void) {
    guard let token = tokens.first else { return body(&self) }
    switch content {
    case .scalar: return
    case .array(var items):
      guard let index = Int(token), items.indices.contains(index) else { return }
      items[index].change(at: tokens.dropFirst(), body)
      content = .array(items)
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.key == token }) else { return }
      members[index].value.change(at: tokens.dropFirst(), body)
      content = .object(members)
    }
  }

  /// Takes a member or an item out; nothing happens where there is none.
  mutating func remove(at tokens: [String]) {
    guard let last = tokens.last else { return }
    change(at: tokens.dropLast()[...]) { parent in
      switch parent.content {
      case .scalar: return
      case .array(var items):
        guard let index = Int(last), items.indices.contains(index) else { return }
        items.remove(at: index)
        parent.content = .array(items)
      case .object(let members): parent.content = .object(members.filter { $0.key != last })
      }
    }
  }
}
