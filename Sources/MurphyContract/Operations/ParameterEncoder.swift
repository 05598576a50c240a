import MurphyModel
import MurphySchema

/// Encodes a value by `style` and `explode` (OpenAPI 3.1 §4.8.12.6, which follows RFC 6570).
///
/// ```
/// style           value      explode: false        explode: true
/// matrix          [3,4]      ;id=3,4               ;id=3;id=4
/// label           [3,4]      .3,4                  .3.4
/// simple          {a:3}      a,3                   a=3
/// form            [3,4]      id=3,4                id=3&id=4
/// spaceDelimited  [3,4]      id=3%204              id=3&id=4
/// pipeDelimited   [3,4]      id=3%7C4              id=3&id=4
/// deepObject      {a:3}      id%5Ba%5D=3           id%5Ba%5D=3
/// ```
/// As in RFC 6570, `null`, an empty array and an empty object are undefined: nothing is written.
package struct ParameterEncoder {
  private let name: String
  private let style: ParameterStyle
  private let explode: Bool
  /// The media type of a `content` parameter. Its value is one string, encoded as JSON if the type is JSON.
  private let content: String?
  private let allowReserved: Bool
  private let isPlain: Bool

  /// - Parameter isPlain: true if not percent-encoded, such as the values of headers and of 3.2's cookie style.
  package init(
    name: String, style: ParameterStyle, explode: Bool, content: String? = nil, allowReserved: Bool = false,
    isPlain: Bool = false
  ) {
    (self.name, self.style, self.explode) = (name, style, explode)
    (self.content, self.allowReserved, self.isPlain) = (content, allowReserved, isPlain)
  }

  private func escape(_ text: String) -> String {
    isPlain ? text : PercentEncoding.encode(text, keepingReserved: allowReserved)
  }

  /// The text that replaces `{name}`, follows `?` or is the header value; nil for an undefined value.
  package func encode(_ value: JSONValue) -> String? {
    if let content, !value.isNull {
      return single(value.string.flatMap { isJSON(content) ? nil : $0 } ?? value.text)
    }
    return switch value {
    case .null: nil
    case .array(let items): array(items.compactMap(scalar))
    case .object(let members):
      style == .deepObject
        ? deep(members) : object(members.members.compactMap { member in scalar(member.value).map { (member.key, $0) } })
    default: scalar(value).map(single)
    }
  }

  private func isJSON(_ content: String) -> Bool { MediaRange(content)?.isJSON ?? false }

  private func single(_ text: String) -> String {
    switch style {
    case .matrix: ";" + escape(name) + (text.isEmpty ? "" : "=" + escape(text))
    case .label: "." + escape(text)
    case .simple: escape(text)
    default: escape(name) + "=" + escape(text)
    }
  }

  private func array(_ items: [String]) -> String? {
    guard !items.isEmpty else { return nil }
    let texts = items.map(escape)
    let key = escape(name)
    switch style {
    case .matrix:
      return explode ? texts.map { ";\(key)=\($0)" }.joined() : ";\(key)=" + texts.joined(separator: ",")
    case .label: return "." + texts.joined(separator: explode ? "." : ",")
    case .simple: return texts.joined(separator: ",")
    default:
      return explode
        ? texts.map { "\(key)=\($0)" }.joined(separator: pairSeparator)
        : "\(key)=" + texts.joined(separator: itemSeparator)
    }
  }

  private func object(_ members: [(String, String)]) -> String? {
    guard !members.isEmpty else { return nil }
    let key = escape(name)
    let pairs = members.map { "\(escape($0))=\(escape($1))" }
    let flat = members.flatMap { [escape($0), escape($1)] }
    switch style {
    case .matrix:
      return explode ? pairs.map { ";" + $0 }.joined() : ";\(key)=" + flat.joined(separator: ",")
    case .label: return "." + (explode ? pairs.joined(separator: ".") : flat.joined(separator: ","))
    case .simple: return (explode ? pairs : flat).joined(separator: ",")
    default:
      return explode ? pairs.joined(separator: pairSeparator) : "\(key)=" + flat.joined(separator: itemSeparator)
    }
  }

  /// `name[a][b]=1`: the specification defines one level; deeper levels follow the same convention.
  private func deep(_ members: JSONObject) -> String? {
    var pairs: [String] = []
    func visit(_ path: String, _ value: JSONValue) {
      switch value {
      case .object(let members): for (key, value) in members { visit("\(path)%5B\(escape(key))%5D", value) }
      case .array(let items): for item in items { visit(path, item) }
      default: if let text = scalar(value) { pairs.append("\(path)=\(escape(text))") }
      }
    }
    visit(escape(name), .object(members))
    return pairs.isEmpty ? nil : pairs.joined(separator: "&")
  }

  private var pairSeparator: String { style == .cookie ? "; " : "&" }

  private var itemSeparator: String {
    switch style {
    case .spaceDelimited: "%20"
    case .pipeDelimited: "%7C"
    default: ","
    }
  }

  /// Strings are unchanged, other values are JSON; nil for `null`.
  private func scalar(_ value: JSONValue) -> String? {
    switch value {
    case .null: nil
    case .string(let text): text
    default: value.text
    }
  }
}

/// The encoding of a parameter's value (OpenAPI 3.1 §4.8.12.2; `cookie` was added in 3.2).
package enum ParameterStyle: String, Sendable, Hashable, CaseIterable {
  case matrix, label, simple, form, spaceDelimited, pipeDelimited, deepObject, cookie
}
