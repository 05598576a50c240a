import Foundation
import Glibc
import MurphySchema

/// A collection's shape, prepared for reading its responses from the tape.
final class CollectionPlan {
  let shape: CollectionShape
  /// The item's compared fields, the id first; at most 64.
  let fields: [TapeMember]
  let fieldSlots: [String: Int]
  let filterSlots: [String: Int]
  /// The slot of the member that names the parent of all items, and the member inside it; nil without one.
  let parentSlot: Int?
  let parentID: TapeMember?
  /// Members of the response, and their nested members.
  let envelope: [Member]
  /// By the position of a member in the item: the slot that was found there last, or -1. Items have the same layout.
  var expected = Array(repeating: Int8(-1), count: 64)
  var queries: [String: CollectionQuery] = [:]
  /// Slots of all fields that requests can filter by, one bit each.
  let filterMask: UInt64
  /// By slot: the different values of a filter's field.
  var values = Array(repeating: TwoValues(), count: 64)
  /// The different parents whose lists had items that all have a parent field.
  var parents = TwoValues()
  /// The number of items in all responses.
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

  private static let queriesKept = 4_096

  func query(_ target: String) -> CollectionQuery {
    if let known = queries[target] { return known }
    let query = CollectionQuery(target, self)
    if queries.count < Self.queriesKept { queries[target] = query }
    return query
  }
}

/// Detects whether values differ: stores the first value, and the first different one.
struct TwoValues {
  private var first: UInt64 = 0
  private var second: UInt64 = 0

  /// - Parameter hash: 0 for none.
  mutating func add(_ hash: UInt64) {
    if first == 0 { first = hash } else if second == 0, hash != first { second = hash }
  }

  var all: Set<UInt64> { Set([first, second].filter { $0 != 0 }) }
}

/// The name of a member, compared with names on the tape without a copy.
struct TapeMember {
  private let bytes: [UInt8]

  init(_ name: String) { bytes = Array(name.utf8) }

  @inline(__always)
  func isName(at position: Int, of tape: Tape) -> Bool {
    let name = tape.utf8(at: position)
    return name.count == bytes.count && memcmp(name.baseAddress!, bytes, bytes.count) == 0
  }
}

/// Items of one response that belong to a different parent than the requested one.
///
/// An item may have several parents and name only one of them, such as a call between two people. So a response is
/// evidence only if all its items name the same other parent.
struct OtherOwners {
  private(set) var count = 0
  /// Items with a parent field.
  private(set) var named = 0
  private(set) var other: Int64?
  private var isMixed = false

  /// - Parameter named: the parent of an item; nil if it has no parent field.
  mutating func count(_ named: Int64?, requested: Int64) {
    if named != nil { self.named += 1 }
    guard let named, named != requested, other == nil || other == named else {
      isMixed = true
      return
    }
    other = named
    count += 1
  }

  /// True if all items of a response with `rows` of them name the same other parent.
  func isOfOneOther(_ rows: Int) -> Bool { count > 0 && count == rows && !isMixed }
}

/// An item's shape, prepared for reading its responses.
final class ItemPlan {
  let shape: ItemShape
  let path: [TapeMember]
  let field: TapeMember
  var responses = 0
  /// Responses during which this loop received a response for another item.
  private(set) var meetings = 0
  private var latest = (id: Int64(0), answered: Int64.min)
  private var other = (id: Int64(0), answered: Int64.min)
  /// Ids that responses returned as requested, up to a limit.
  private(set) var right: Set<Int64> = []
  private static let mostKept = 16_384

  init(_ shape: ItemShape) {
    self.shape = shape
    path = shape.path.map { TapeMember($0) }
    field = TapeMember(shape.field)
  }

  /// The number of the item that a target's last segment names; nil if it names none.
  func requestedID(_ target: String) -> Int64? {
    var target = target
    return target.withUTF8 { bytes -> Int64? in
      var end = 0
      while end < bytes.count, bytes[end] != UInt8(ascii: "?") { end += 1 }
      var start = end
      while start > 0, bytes[start - 1] != UInt8(ascii: "/") { start -= 1 }
      guard start < end else { return nil }
      let segment = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start..<end])
      if shape.isInteger { return Self.integer(segment) }
      if !segment.contains(UInt8(ascii: "%")) { return Int64(bitPattern: RelationHash.of(segment)) }
      return String(decoding: segment, as: UTF8.self).removingPercentEncoding.map {
        Int64(bitPattern: RelationHash.of($0))
      }
    }
  }

  private static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
    guard digits.count <= 18 else { return nil }
    var number: Int64 = 0
    for digit in digits {
      guard digit &- 0x30 < 10 else { return nil }
      number = number * 10 + Int64(digit &- 0x30)
    }
    return number
  }

  /// Records a response about an item, in the order of completion.
  func recordResponse(_ id: Int64, sent: Int64, answered: Int64) {
    if (latest.id == id ? other : latest).answered >= sent { meetings += 1 }
    if latest.id != id { other = latest }
    latest = (id, answered)
  }

  func addMatch(_ id: Int64) { if right.count < Self.mostKept { right.insert(id) } }
}
