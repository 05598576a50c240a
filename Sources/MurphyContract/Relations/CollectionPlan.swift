import Glibc
import MurphySchema

/// A collection's shape, laid out for reading its answers off the tape.
final class CollectionPlan {
  let shape: CollectionShape
  /// The item's fields that are compared, the id first; at most 64.
  let fields: [TapeMember]
  let fieldSlots: [String: Int]
  let filterSlots: [String: Int]
  /// The slot of the member that names what all items belong to, and the member within it; nil without one.
  let parentSlot: Int?
  let parentID: TapeMember?
  /// Members of the answer, and of those the ones within.
  let envelope: [Member]
  /// By the place of a member in the item: the slot that was found there last, or -1. Items are written alike.
  var expected = Array(repeating: Int8(-1), count: 64)
  var asks: [String: CollectionQuery] = [:]
  /// Slots of all fields that requests can filter by, a bit each.
  let filterMask: UInt64
  /// By slot: different values of a filter's field.
  var values = Array(repeating: TwoValues(), count: 64)
  /// Different things whose lists had items that all name what they belong to.
  var parents = TwoValues()
  /// Items of all answers.
  var rows = 0

  enum Meaning {
    case items, total, lastPage, hasMore
    case echo(Int)
    case group([Member])
  }

  struct Member {
    let name: TapeMember
    let meaning: Meaning
  }

  init(_ shape: CollectionShape) {
    self.shape = shape
    var names = [shape.id?.name ?? ""]
    let others = [shape.parent?.path[0]].compactMap(\.self) + shape.filters.map(\.name)
    for name in others + (shape.sort?.keys.values.flatMap(\.fields).sorted() ?? [])
      + (shape.standingOrder?.fields ?? [])
    where !names.contains(name) && names.count < 64 {
      names.append(name)
    }
    fields = names.map { TapeMember($0) }
    var slots: [String: Int] = [:]
    for (slot, name) in names.enumerated() where !name.isEmpty { slots[name] = slot }
    fieldSlots = slots
    parentSlot = shape.parent.flatMap { slots[$0.path[0]] }
    parentID = shape.parent.flatMap { $0.path.count > 1 ? TapeMember($0.path[1]) : nil }
    filterSlots = slots.filter { name, _ in shape.filters.contains { $0.name == name } }
    filterMask = filterSlots.values.reduce(0) { $0 | 1 << UInt64($1) }
    var meanings: [(path: [String], meaning: Meaning)] = shape.items.isEmpty ? [] : [(shape.items, .items)]
    if let path = shape.total { meanings.append((path, .total)) }
    if let path = shape.lastPage { meanings.append((path, .lastPage)) }
    if let path = shape.hasMore { meanings.append((path, .hasMore)) }
    for (index, echo) in shape.echoes.enumerated() { meanings.append((echo.path, .echo(index))) }
    let groups = Dictionary(grouping: meanings.filter { $0.path.count == 2 }) { $0.path[0] }
    envelope =
      meanings.filter { $0.path.count == 1 }.map { Member(name: TapeMember($0.path[0]), meaning: $0.meaning) }
      + groups.sorted { $0.key < $1.key }.map { name, inner in
        Member(
          name: TapeMember(name),
          meaning: .group(inner.map { Member(name: TapeMember($0.path[1]), meaning: $0.meaning) }))
      }
  }

  private static let asksKept = 4_096

  func ask(_ target: String) -> CollectionQuery {
    if let known = asks[target] { return known }
    let ask = CollectionQuery(target, self)
    if asks.count < Self.asksKept { asks[target] = ask }
    return ask
  }
}

/// Whether values differ: the first one, and the first other one.
struct TwoValues {
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  /// - Parameter hash: 0 for none.
  mutating func note(_ hash: UInt64) {
    if first == 0 { first = hash } else if second == 0, hash != first { second = hash }
  }

  var all: Set<UInt64> { Set([first, second].filter { $0 != 0 }) }
}

/// The name of a member, to be compared with names on the tape without a copy.
struct TapeMember {
  private let bytes: [UInt8]

  init(_ name: String) { bytes = Array(name.utf8) }

  @inline(__always)
  func isName(at position: Int, of tape: Tape) -> Bool {
    let name = tape.utf8(at: position)
    return name.count == bytes.count && memcmp(name.baseAddress!, bytes, bytes.count) == 0
  }
}

/// Items of one answer that belong to another thing than the one that was asked for.
///
/// An item may belong to several things and name only one of them, as a call between two people; so only an answer all of
/// whose items name the same other thing says something.
struct OtherOwners {
  private(set) var count = 0
  /// Items that name what they belong to.
  private(set) var named = 0
  private(set) var other: Int64?
  private var isMixed = false

  /// - Parameter named: what an item belongs to; nil where it does not tell.
  mutating func note(_ named: Int64?, asked: Int64) {
    if named != nil { self.named += 1 }
    guard let named, named != asked, other == nil || other == named else {
      isMixed = true
      return
    }
    other = named
    count += 1
  }

  /// Whether all items of an answer with `rows` of them name one other thing.
  func isOfOneOther(_ rows: Int) -> Bool { count > 0 && count == rows && !isMixed }
}
