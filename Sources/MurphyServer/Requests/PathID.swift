import Foundation

/// The `id` of a path.
enum PathID {
  static let range = 1...1_000_000_000

  static func integer(_ text: String?) throws(APIError) -> Int {
    guard let text, let id = Int(text), range.contains(id), text.utf8.first != UInt8(ascii: "+") else {
      throw .invalid("id", "id must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
    return id
  }

  /// A UUID, in lower case.
  static func uuid(_ text: String?) throws(APIError) -> String {
    guard let text, let id = UUID(uuidString: text) else { throw .invalid("id", "id must be a UUID.") }
    return id.uuidString.lowercased()
  }
}
