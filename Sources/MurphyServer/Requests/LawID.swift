/// The `id` of a path.
enum LawID {
  static let range = 1...1_000_000_000

  static func read(_ text: String?) throws(APIError) -> Int {
    guard let text, let id = Int(text), range.contains(id), text.utf8.first != UInt8(ascii: "+") else {
      throw .invalid("id", "id must be an integer from \(range.lowerBound) to \(range.upperBound).")
    }
    return id
  }
}
