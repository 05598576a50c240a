import MurphyModel
import MurphySchema

/// The property of a response that differs.
package enum BehaviourAspect: String, Sendable, Codable, Hashable, CaseIterable {
  case status, header, presence, type, value, order, items

  /// The kind of a finding about it.
  package var kind: FindingKind {
    guard let kind = FindingKind(rawValue: "behaviour.\(rawValue)") else {
      preconditionFailure("no kind of finding for \(rawValue)")
    }
    return kind
  }
}

/// A place in the responses of an operation: the status, a header, or a JSON pointer with `*` for every item.
package struct BehaviourPlace: Sendable, Hashable {
  /// The operationId.
  package var operation: String
  /// `status`, `header etag`, `/data/*/score`, or `body` for the whole body.
  package var path: String

  static func status(_ operation: String) -> BehaviourPlace { BehaviourPlace(operation: operation, path: "status") }

  static func header(_ operation: String, _ name: String) -> BehaviourPlace {
    BehaviourPlace(operation: operation, path: "header \(name)")
  }

  /// - Parameter tokens: with `*` for items and names that are ids.
  static func body(_ operation: String, _ tokens: [String]) -> BehaviourPlace {
    BehaviourPlace(operation: operation, path: tokens.isEmpty ? "body" : JSONPointer(tokens: tokens).description)
  }

  /// The token of a member in a pattern. A name that is an id, such as `17` or a UUID, is one of many.
  static func token(_ name: String) -> String { looksLikeID(name) ? "*" : name }

  /// True for whole numbers, UUIDs and long hexadecimal numbers.
  static func looksLikeID(_ text: String) -> Bool {
    let bytes = text.utf8
    if bytes.isEmpty { return false }
    if bytes.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
    let isHex = bytes.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || (0x41...0x46).contains($0) || $0 == 0x2D
    }
    return isHex && bytes.count >= 16 && bytes.contains { (0x30...0x39).contains($0) }
  }
}

/// One difference between two responses to the same request.
struct BehaviourDifference: Sendable {
  var place: BehaviourPlace
  var aspect: BehaviourAspect
  /// Distinguishes changes of one aspect at one place: `200 → 201`, `missing`.
  var change = ""
  /// The values, shortened; nil where there is none.
  var base: String?
  var candidate: String?
  /// True if the values are ids of the same item. Short values may be so by chance.
  var isImage = false
  /// The places in the two bodies; nil for the status and headers.
  var pointers: (base: JSONPointer?, candidate: JSONPointer?) = (nil, nil)
}
