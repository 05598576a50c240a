import MurphySchema

/// Where every value and every member name of one document stands.
///
/// Entries lie in document order, each with the size of its subtree, so that a pointer is found by skipping:
/// 28 bytes for each value of the document and no text. The members of wide values are found by a list of theirs.
package struct SourceMarks: Sendable {
  /// A place; lines and columns count from one.
  package struct Place: Sendable, Hashable {
    package var line: UInt32
    package var column: UInt32
    /// Which of a document's files: 0 is its own, the others are overlays.
    package var file: UInt32

    package init(line: Int, column: Int, file: Int = 0) {
      self.line = UInt32(clamping: line)
      self.column = UInt32(clamping: column)
      self.file = UInt32(clamping: file)
    }
  }

  /// One value: its place, its member name's place (its own for values without a name), its subtree's size.
  fileprivate struct Entry {
    var value: Place
    var name: Place
    var size: UInt32
  }

  /// How a scalar was written.
  package struct Spelling: Sendable, Hashable {
    /// Nil for what is not a scalar.
    var text: String?
    var isQuoted = false
    /// Whether the name before it is in quotes.
    var isNameQuoted = false
  }

  fileprivate var entries: [Entry] = []
  /// One for each entry, or none at all: most readers need the values alone.
  fileprivate var spellings: [Spelling] = []
  /// By the index of a value with many members: the indices of these.
  private var wide: [Int: [UInt32]] = [:]
  /// Values with fewer members are searched one after the other.
  private static let fewMembers = 16
  private let keepsSpellings: Bool

  package init(keepsSpellings: Bool = false) { self.keepsSpellings = keepsSpellings }

  package var count: Int { entries.count }

  /// Begins a value; its children follow until ``close(_:)`` with the returned index.
  package mutating func open(at value: Place, named name: Place? = nil, _ spelling: Spelling? = nil) -> Int {
    if keepsSpellings { spellings.append(spelling ?? Spelling()) }
    entries.append(Entry(value: value, name: name ?? value, size: 1))
    return entries.count - 1
  }

  package mutating func close(_ index: Int) {
    entries[index].size = UInt32(clamping: entries.count - index)
    guard entries.count - index > Self.fewMembers else { return }
    var members: [UInt32] = []
    var next = index + 1
    while next < entries.count {
      members.append(UInt32(clamping: next))
      next += Int(entries[next].size)
    }
    if members.count > Self.fewMembers { wide[index] = members }
  }

  /// The place of the value at `pointer` in `root`, or of its nearest ancestor that exists.
  ///
  /// - Parameter ofName: the member name's place rather than the value's.
  package func place(of pointer: JSONPointer, in root: JSONValue, ofName: Bool) -> Place? {
    guard !entries.isEmpty else { return nil }
    var index = 0
    var value = root
    for token in pointer.tokens {
      guard let (position, member) = step(token, in: value), let next = child(of: index, at: position) else { break }
      index = next
      value = member
    }
    return ofName ? entries[index].name : entries[index].value
  }

  private func step(_ token: String, in value: JSONValue) -> (Int, JSONValue)? {
    switch value {
    case .object(let members):
      guard let position = members.position(of: token) else { return nil }
      return (position, members.members[position].value)
    case .array(let items):
      guard let position = Int(token), items.indices.contains(position) else { return nil }
      return (position, items[position])
    default:
      return nil
    }
  }

  private func child(of parent: Int, at position: Int) -> Int? {
    if let members = wide[parent] { return members.indices.contains(position) ? Int(members[position]) : nil }
    let end = parent + Int(entries[parent].size)
    var index = parent + 1
    for _ in 0..<position {
      guard index < end else { return nil }
      index += Int(entries[index].size)
    }
    return index < end ? index : nil
  }
}

extension SourceMarks {
  /// The value with the place of everything in it.
  ///
  /// - Parameter file: what the places say of their file; nil for what they said.
  package func marked(_ value: JSONValue, file: Int? = nil) -> MarkedValue {
    var index = 0
    return marked(value, file, &index)
  }

  private func marked(_ value: JSONValue, _ file: Int?, _ index: inout Int) -> MarkedValue {
    guard entries.indices.contains(index) else {
      return MarkedValue(value, at: Place(line: 1, column: 1, file: file ?? 0))
    }
    let (own, entry) = (index, entries[index])
    let end = index + Int(entry.size)
    index += 1
    let content: MarkedValue.Content
    switch value {
    case .object(let object):
      content = .object(
        object.members.map { member in
          // Its name's place and quotes are kept with the value.
          let next = index
          let value = marked(member.value, file, &index)
          let isQuoted = spellings.indices.contains(next) && spellings[next].isNameQuoted
          return MarkedValue.Member(key: member.key, isQuoted: isQuoted, value: value)
        })
    case .array(let items): content = .array(items.map { marked($0, file, &index) })
    default:
      content = .scalar(
        MarkedValue.Scalar(value, spellings.indices.contains(own) ? spellings[own] : nil))
    }
    index = end
    func place(_ place: Place) -> Place {
      Place(line: Int(place.line), column: Int(place.column), file: file ?? Int(place.file))
    }
    return MarkedValue(content, value: place(entry.value), name: place(entry.name))
  }
}
