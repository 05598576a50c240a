import MurphyModel
import MurphySchema

/// A value of a document in which every part knows where it was written: what scenarios are read from and overlays
/// change.
package struct MarkedValue: Sendable {
  package indirect enum Content: Sendable {
    case scalar(Scalar)
    case array([MarkedValue])
    case object([Member])
  }

  /// A text, a number, a truth or nothing.
  package struct Scalar: Sendable, Hashable {
    package var value: JSONValue
    /// As written, without its quotes: `1.50`, `true`.
    package var text: String
    package var isQuoted: Bool

    init(_ value: JSONValue, _ spelling: SourceMarks.Spelling? = nil) {
      self.value = value
      text = spelling?.text ?? value.string ?? value.text
      isQuoted = spelling?.isQuoted ?? (value.string != nil)
    }
  }

  package struct Member: Sendable {
    package var key: String
    /// Whether the key is in quotes.
    package var isQuoted = false
    package var value: MarkedValue

    /// The key as a value of its own, which stands where the key does.
    package var name: MarkedValue {
      let spelling = SourceMarks.Spelling(text: key, isQuoted: isQuoted)
      return MarkedValue(.scalar(Scalar(.string(key), spelling)), value: value.name, name: value.name)
    }
  }

  package var content: Content
  /// Where the value stands.
  package var place: SourceMarks.Place
  /// Where the name before it stands; its own place for values without one.
  package var name: SourceMarks.Place

  package init(_ content: Content, value: SourceMarks.Place, name: SourceMarks.Place) {
    self.content = content
    place = value
    self.name = name
  }

  /// A value of which every part stands at one place.
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

  package var value: JSONValue {
    switch content {
    case .scalar(let scalar): scalar.value
    case .array(let items): .array(items.map(\.value))
    case .object(let members): .object(JSONObject(members.map { ($0.key, $0.value.value) }))
    }
  }

  /// The places in the order of the value's parts.
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

  /// The number of values inside, this one included.
  package var size: Int {
    switch content {
    case .scalar: 1
    case .array(let items): items.reduce(1) { $0 + $1.size }
    case .object(let members): members.reduce(1) { $0 + $1.value.size }
    }
  }

  package subscript(key: String) -> MarkedValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// For messages: `an object`.
  package var kind: String {
    switch content {
    case .array: "an array"
    case .object: "an object"
    case .scalar: "a value that is not an object or array"
    }
  }

  /// Changes the value at a place; nothing happens where there is none.
  package mutating func change(at tokens: ArraySlice<String>, _ body: (inout MarkedValue) -> Void) {
    guard let token = tokens.first else { return body(&self) }
    switch content {
    case .scalar: return
    case .array(var items):
      guard let index = Int(token), items.indices.contains(index) else { return }
      // Let go of, so that the items are changed in place and not copied.
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

  /// Takes a member or an item out; nothing happens where there is none.
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

/// A YAML or JSON text that was read: its value, where everything in it stands, and what is wrong with it.
///
/// Contracts and scenarios are read here, so that one text means the same in both.
package struct MarkedDocument: Sendable {
  package enum Format: Sendable { case yaml, json }

  package let source: SourceText
  /// Nil for a text that is not of its format at all.
  package let contents: (value: JSONValue, marks: SourceMarks)?
  /// In the order of the text.
  package let mistakes: [Diagnostic]

  /// - Parameter keepsSpelling: whether ``root`` says how scalars were written; for files that a person writes.
  package init(_ source: SourceText, as format: Format, keepsSpelling: Bool = false) {
    self.source = source
    (contents, mistakes) =
      switch format {
      case .json: JSONReader.read(source)
      case .yaml: YAMLReader.read(source, keepsSpelling: keepsSpelling)
      }
  }

  /// The value as a tree; nil where there is none.
  package var root: MarkedValue? { contents.map { $0.marks.marked($0.value) } }
}
