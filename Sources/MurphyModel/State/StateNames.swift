/// Texts, each once and with a number.
package struct StateNames: Sendable {
  package private(set) var texts: [String] = []
  private var numbers: [String: Int32] = [:]
  /// Bytes of all texts together, with what each costs to be found again.
  package private(set) var byteCount = 0

  package init() {}

  /// The number of a text, which is kept from now on.
  package mutating func number(of text: String) -> Int32 {
    if let known = numbers[text] { return known }
    let number = Int32(texts.count)
    texts.append(text)
    numbers[text] = number
    byteCount += text.utf8.count + Self.cost
    return number
  }

  /// The number of a text that is kept; nil for others.
  package func known(_ text: String) -> Int32? { numbers[text] }

  package subscript(number: Int32) -> String {
    texts.indices.contains(Int(number)) ? texts[Int(number)] : "?"
  }

  /// Bytes, besides its own, that a text takes in an array and in a dictionary.
  private static let cost = 60
}
