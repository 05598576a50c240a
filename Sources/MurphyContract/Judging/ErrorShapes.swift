import MurphySchema

/// The structure of the first error responses of one operation, by status.
final class ErrorShapes {
  struct Shape: Sendable, Hashable, Codable {
    let status: Int
    /// Names of the JSON object's members, ascending; empty for other values.
    let members: [String]
    /// A description of a body that is not a JSON object: `an HTML page`, `a JSON array`.
    let form: String
  }

  private(set) var shapes: [Shape] = []
  private var looked: [Int: Int] = [:]
  private static let answersOfAStatus = 8
  private static let shapesKept = 20

  func observe(_ response: ResponseView) {
    guard response.status >= 400, !response.bodyIncomplete, !response.body.isEmpty, shapes.count < Self.shapesKept,
      looked[response.status, default: 0] < Self.answersOfAStatus, let shape = Self.shape(of: response)
    else { return }
    looked[response.status, default: 0] += 1
    if !shapes.contains(shape) { shapes.append(shape) }
  }

  private static func shape(of response: ResponseView) -> Shape? {
    guard let first = response.body.first(where: { $0 > 0x20 }) else { return nil }
    if first == UInt8(ascii: "<") {
      return Shape(status: response.status, members: [], form: "an HTML or XML document")
    }
    guard response.body.count <= 65_536, let value = try? JSONValue.parse(Array(response.body)) else {
      return Shape(status: response.status, members: [], form: "plain text")
    }
    switch value {
    case .object(let object):
      return Shape(status: response.status, members: Set(object.members.map(\.key)).sorted(), form: "")
    case .array: return Shape(status: response.status, members: [], form: "a JSON array")
    default: return Shape(status: response.status, members: [], form: "a single JSON value")
    }
  }
}

/// A group of error responses with a common structure. A client needs a separate parser for each group.
struct ErrorFamily {
  var members: Set<String>
  var form: String
  /// `getLaw 404`, in the order of the contract.
  var places: [String]

  /// Groups the shapes: objects that share a member are one family, and so are shapes of the same form.
  static func families(_ seen: [(place: String, shape: ErrorShapes.Shape)]) -> [ErrorFamily] {
    var families: [ErrorFamily] = []
    for (place, shape) in seen {
      var merged = ErrorFamily(members: Set(shape.members), form: shape.form, places: [])
      families.removeAll { family in
        let isSame =
          family.form == merged.form && (!merged.form.isEmpty || !family.members.isDisjoint(with: merged.members))
        if isSame {
          merged.members.formUnion(family.members)
          merged.places += family.places
        }
        return isSame
      }
      if !merged.places.contains(place) { merged.places.append(place) }
      families.append(merged)
    }
    return families.sorted { $0.text < $1.text }
  }

  var text: String {
    form.isEmpty
      ? (members.isEmpty ? "an empty object" : "an object with " + members.sorted().joined(separator: ", ")) : form
  }
}
