import Foundation

/// An item's shape, prepared for reading its responses.
final class ItemPlan {
  let shape: ItemShape
  let path: [TapeMember]
  let field: TapeMember
  var answers = 0
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
  func asked(_ target: String) -> Int64? {
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
