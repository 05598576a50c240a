import MurphyJSON

/// JSON Pointers with `*` for any one token and `**` at the end for anything below: `/data/*/debug`, `/meta/**`.
package struct PointerPattern: Sendable {
  private let tokens: [String]

  package init(_ text: String) {
    let text = text.hasPrefix("/") ? text : "/" + text
    tokens = JSONPointer(text)?.tokens ?? [text]
  }

  package func matches(_ pointer: JSONPointer) -> Bool {
    for (index, token) in tokens.enumerated() {
      if token == "**", index == tokens.count - 1 { return pointer.tokens.count > index }
      guard index < pointer.tokens.count, token == "*" || token == pointer.tokens[index] else { return false }
    }
    return pointer.tokens.count == tokens.count
  }
}
