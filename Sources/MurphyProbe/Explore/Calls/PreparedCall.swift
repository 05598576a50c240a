import MurphyHTTP
import MurphySchema

struct PreparedCall: Sendable {
  var call: ExploreCall
  var request: HTTPRequest
  /// The body's value as it is sent.
  var body: JSONValue?
  /// New values of the case up to this request, by name.
  var drawn: [String: JSONValue]

  /// Strings that were generated for this request, or their generated parts: a script generates them again.
  var newTexts: [String] {
    let names = drawn.sorted { $0.key < $1.key }.compactMap(\.value.string)
    let members = call.fresh.sorted { $0.key.description < $1.key.description }.compactMap { newPart($0.key, $0.value) }
    return names + members
  }

  /// Places of new values that a script cannot generate.
  var repeatedPlaces: [JSONPointer] {
    call.fresh.filter { body.flatMap($0.key.resolve) != nil && newPart($0.key, $0.value) == nil }.map(\.key)
  }

  private func newPart(_ place: JSONPointer, _ freshness: Freshness) -> String? {
    body.flatMap(place.resolve)?.string.flatMap(freshness.part)
  }
}

extension Freshness {
  /// The new part of a string: a UUID, or the letters after `murphy-`. Nil for values that a shell cannot generate.
  fileprivate func part(of text: String) -> String? {
    let local = text.prefix { $0 != "@" }
    let letters = String(local.suffix(8))
    let areLetters = letters.utf8.count >= 4 && letters.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    switch self {
    case .uuid: return text
    case .email, .word: return areLetters && ("murphy-" + letters).hasSuffix(local) ? letters : nil
    case .pattern, .number: return nil
    }
  }
}
