import MurphyJSON

/// The runtime expressions of links and callbacks (OpenAPI 3.2 §4.22.1; the same in 3.0 and 3.1).
struct RuntimeExpression {
  /// What stands in `text` as an expression and is none: the whole text when it begins with `$`, else what stands in
  /// braces and begins so.
  static func wrong(in text: String) -> [String] {
    if text.hasPrefix("$") { return isExpression(text[...]) ? [] : [text] }
    return text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      guard part.hasPrefix("$"), let inner = part.split(separator: "}", omittingEmptySubsequences: false).first else {
        return nil
      }
      return isExpression(inner) ? nil : String(inner)
    }
  }

  private static func isExpression(_ text: Substring) -> Bool {
    if ["$url", "$method", "$statusCode"].contains(text) { return true }
    guard let prefix = ["$request.", "$response."].first(where: text.hasPrefix) else { return false }
    let source = text.dropFirst(prefix.count)
    if source.hasPrefix("header.") {
      let name = source.dropFirst("header.".count)
      return !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }
    if source.hasPrefix("query.") || source.hasPrefix("path.") { return true }
    guard source.hasPrefix("body") else { return false }
    let pointer = source.dropFirst("body".count)
    return pointer.isEmpty || pointer.hasPrefix("#") && JSONPointer(String(pointer.dropFirst())) != nil
  }
}
