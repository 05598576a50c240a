import MurphyModel
import MurphySchema

/// A value of a document in which every part has its source position. Scenarios are read from it, and overlays change
/// it.
package struct MarkedValue: Sendable {
  /// The value at this level.
  package indirect enum Content: Sendable {
    case scalar(Scalar)
    case array([MarkedValue])
    case object([Member])
  }

  /// A string, a number, a boolean or null.
  package struct Scalar: Sendable, Hashable {
    package var value: JSONValue
    /// The original spelling without quotes: `1.50`, `true`.
    package var text: String
    /// True if the text has quotes, so that it is a string in any case.
    package var isQuoted: Bool

    init(_ value: JSONValue, _ spelling: SourceMarks.Spelling? = nil) {
      self.value = value
      text = spelling?.text ?? value.string ?? value.text
      isQuoted = spelling?.isQuoted ?? (value.string != nil)
    }
  }

  /// A name with its value and their positions.
  package struct Member: Sendable {
    package var key: String
    /// True if the key is in quotes.
    package var isQuoted = false
    package var value: MarkedValue

    /// The key as a value of its own, at the key's position.
    package var name: MarkedValue {
      let spelling = SourceMarks.Spelling(text: key, isQuoted: isQuoted)
      return MarkedValue(.scalar(Scalar(.string(key), spelling)), value: value.name, name: value.name)
    }
  }

  package var content: Content
  /// The position of the value.
  package var place: SourceMarks.Place
  /// The position of its name; the value's own position if it has no name.
  package var name: SourceMarks.Place

  package init(_ content: Content, value: SourceMarks.Place, name: SourceMarks.Place) {
    self.content = content
    place = value
    self.name = name
  }

  /// A value all of whose parts have the same position.
  package init(_ value: JSONValue, at place: SourceMarks.Place) {
    self.place = place
    name = place
    switch value {
    case .object(let object):
      content = .object(object.members.map { Member(key: $0.key, value: MarkedValue($0.value, at: place)) })
    case .array(let items): content = .array(items.map { MarkedValue($0, at: place) })
    default: content = .scalar(Scalar(value))
    }
  }

  /// The value without positions.
  package var value: JSONValue {
    switch content {
    case .scalar(let scalar): scalar.value
    case .array(let items): .array(items.map(\.value))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.value) }))
    }
  }

  /// The positions in the order of the value's parts.
  package var marks: SourceMarks {
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

  /// The number of values inside, including this one.
  package var size: Int {
    switch content {
    case .scalar: 1
    case .array(let items): items.reduce(1) { $0 + $1.size }
    case .object(let members): members.reduce(1) { $0 + $1.value.size }
    }
  }

  /// The first member of that name; nil for values that are not objects.
  package subscript(key: String) -> MarkedValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The members of an object; empty for other values.
  var members: [Member] {
    guard case .object(let members) = content else { return [] }
    return members
  }

  /// The items of an array; empty for other values.
  var items: [MarkedValue] {
    guard case .array(let items) = content else { return [] }
    return items
  }

  /// Nil for other values than strings.
  var string: String? {
    guard case .scalar(let scalar) = content else { return nil }
    return scalar.value.string
  }

  /// For messages: `an object`.
  package var kind: String {
    switch content {
    case .array: "an array"
    case .object: "an object"
    case .scalar: "a value that is not an object or array"
    }
  }

  /// Changes the value at a path; does nothing if there is none.
  package mutating func change(at tokens: ArraySlice<String>, _ body: (inout MarkedValue) -> Void) {
    guard let token = tokens.first else { return body(&self) }
    switch content {
    case .scalar: return
    case .array(var items):
      guard let index = Int(token), items.indices.contains(index) else { return }
      // Released, so that the items are changed in place and not copied.
      content = .array([])
      items[index].change(at: tokens.dropFirst(), body)
      content = .array(items)
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.key == token }) else { return }
      content = .object([])
      members[index].value.change(at: tokens.dropFirst(), body)
      content = .object(members)
    }
  }

  /// Removes a member or an item; does nothing if there is none.
  package mutating func remove(at tokens: [String]) {
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

/// Parts that are made from others, at their positions.
extension MarkedValue {
  /// An object with these members, at this value's position.
  func with(_ members: [Member]) -> MarkedValue { MarkedValue(.object(members), value: place, name: name) }

  /// A string at this value's position.
  func text(_ text: String) -> MarkedValue {
    MarkedValue(.scalar(Scalar(.string(text))), value: place, name: name)
  }

  /// Adds a member to an object.
  mutating func put(_ key: String, _ value: MarkedValue) {
    content = .object(members + [Member(key: key, value: value)])
  }

  /// Replaces the value of an object's member.
  mutating func replace(_ key: String, _ value: MarkedValue) {
    content = .object(members.map { $0.key == key ? Member(key: key, isQuoted: $0.isQuoted, value: value) : $0 })
  }

  /// Replaces the items of an array; does nothing for other values.
  mutating func replaceItems(_ items: [MarkedValue]) {
    if case .array = content { content = .array(items) }
  }

  /// Replaces each member's value; does nothing for other values than objects.
  mutating func mapMembers(_ change: (_ key: String, _ value: MarkedValue) -> MarkedValue) {
    guard case .object(let members) = content else { return }
    content = .object(
      members.map { member in
        var member = member
        member.value = change(member.key, member.value)
        return member
      })
  }

  /// The part at a pointer; nil if there is none.
  func part(at pointer: JSONPointer) -> MarkedValue? {
    var part: MarkedValue? = self
    for token in pointer.tokens {
      if case .array(let items) = part?.content {
        part = Int(token).flatMap { items.indices.contains($0) ? items[$0] : nil }
      } else {
        part = part?[token]
      }
    }
    return part
  }
}

/// A YAML or JSON text that was read: its value, all positions, and the mistakes.
///
/// Contracts and scenarios are both read here, so that the same text has the same meaning in both.
package struct MarkedDocument: Sendable {
  /// The notation of the text.
  package enum Format: Sendable { case yaml, json }

  package let source: SourceText
  /// Nil for a text that cannot be parsed in its format at all.
  package let contents: (value: JSONValue, marks: SourceMarks)?
  /// In the order of the text.
  package let mistakes: [Diagnostic]

  /// - Parameter keepsSpelling: true if ``root`` records the spelling of scalars; for files that people write.
  package init(_ source: SourceText, as format: Format, keepsSpelling: Bool = false) {
    self.source = source
    (contents, mistakes) =
      switch format {
      case .json: JSONReader.read(source)
      case .yaml: YAMLReader.read(source, keepsSpelling: keepsSpelling)
      }
  }

  /// The value as a tree; nil if there is none.
  package var root: MarkedValue? { contents.map { $0.marks.marked($0.value) } }
}
