import MurphySchema

/// The positions of all values and member names of one document.
///
/// Entries are in document order, each with the size of its subtree, so that a pointer is found by skipping. They use
/// 28 bytes for each value of the document and no strings. Wide values have an index of their members.
package struct SourceMarks: Sendable {
  /// A position; lines and columns count from one.
  package struct Place: Sendable, Hashable, Comparable {
    /// From 1.
    package var line: UInt32
    /// From 1.
    package var column: UInt32
    /// The number of the file: 0 is the document's own, the others are overlays.
    package var file: UInt32

    package init(line: Int, column: Int, file: Int = 0) {
      self.line = UInt32(clamping: line)
      self.column = UInt32(clamping: column)
      self.file = UInt32(clamping: file)
    }

    package static func < (one: Place, other: Place) -> Bool {
      (one.file, one.line, one.column) < (other.file, other.line, other.column)
    }
  }

  /// One value: its position, its member name's position (or its own if it has no name), its subtree's size.
  fileprivate struct Entry {
    var value: Place
    var name: Place
    var size: UInt32
  }

  /// The spelling of a scalar.
  package struct Spelling: Sendable, Hashable {
    /// Nil for objects and arrays.
    var text: String?
    var isQuoted = false
    /// True if its name is in quotes.
    var isNameQuoted = false
  }

  fileprivate var entries: [Entry] = []
  /// One for each entry, or empty: most readers need only the values.
  fileprivate var spellings: [Spelling] = []
  /// By the index of a value with many members: the indices of its members.
  private var wide: [Int: [UInt32]] = [:]
  /// Values with fewer members are searched linearly.
  private static let fewMembers = 16
  private let keepsSpellings: Bool

  /// No positions yet; `keepsSpellings` is true for a document whose scalars keep their spelling.
  package init(keepsSpellings: Bool = false) { self.keepsSpellings = keepsSpellings }

  /// The number of values and member names.
  package var count: Int { entries.count }

  /// Starts a value. Its children follow, up to ``close(_:)`` with the returned index.
  package mutating func open(at value: Place, named name: Place? = nil, _ spelling: Spelling? = nil) -> Int {
    if keepsSpellings { spellings.append(spelling ?? Spelling()) }
    entries.append(Entry(value: value, name: name ?? value, size: 1))
    return entries.count - 1
  }

  /// Ends the subtree of an entry: all entries after it belong to it.
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

  /// The position of the value at `pointer` in `root`, or of its nearest existing ancestor.
  ///
  /// - Parameter ofName: true for the position of the member name.
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
  /// The pointer to the outermost value at a position; nil if there is none.
  func pointer(to place: Place, in root: JSONValue) -> JSONPointer? {
    // Entries are in the order of the text, except the values of YAML aliases.
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].value < place { low = middle + 1 } else { high = middle }
    }
    let isFound = entries.indices.contains(low) && entries[low].value == place
    guard let wanted = isFound ? low : entries.firstIndex(where: { $0.value == place }) else { return nil }
    var (index, value, pointer) = (0, root, JSONPointer.root)
    while index < wanted {
      var position = 0
      if let members = wide[index] {
        position = (members.firstIndex { $0 > wanted } ?? members.count) - 1
        index = Int(members[position])
      } else {
        index += 1
        while index + Int(entries[index].size) <= wanted {
          index += Int(entries[index].size)
          position += 1
        }
      }
      switch value {
      case .object(let object):
        pointer.tokens.append(object.members[position].key)
        value = object.members[position].value
      case .array(let items):
        pointer.tokens.append(String(position))
        value = items[position]
      default: return nil
      }
    }
    return pointer
  }

  /// The value with the positions of all its parts.
  ///
  /// - Parameter file: the file number for all positions; nil keeps their own.
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
          // The position and quotes of its name are stored with the value.
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
