import Foundation
import MurphyDraft
import MurphyJSON
import MurphyModel

/// Takes the secrets out of exchanges. Each is masked twice: what the first pass has learned of all of them, the second
/// replaces in each.
struct ExchangeMask {
  private var secrets = SecretPlaceholders()

  /// The exchanges with placeholders in the place of secrets.
  static func masked(_ exchanges: [RecordedExchange]) -> [RecordedExchange] {
    var mask = ExchangeMask()
    for exchange in exchanges { _ = mask.masked(exchange) }
    return exchanges.map { mask.masked($0) }
  }

  private mutating func masked(_ exchange: RecordedExchange) -> RecordedExchange {
    var copy = exchange
    copy.target = url(exchange.target)
    copy.requestHeaders = exchange.requestHeaders.map { HeaderField($0.name, header($0)) }
    copy.responseHeaders = exchange.responseHeaders.map { HeaderField($0.name, header($0)) }
    copy.requestBody = exchange.requestBody.mapText { body($0, isAnswer: false) }
    copy.responseBody = exchange.responseBody.mapText { body($0, isAnswer: true) }
    return copy
  }

  private mutating func header(_ field: HeaderField) -> String {
    let name = field.name.lowercased()
    switch name {
    case "cookie": return field.value.split(separator: ";").map { cookie(String($0)) }.joined(separator: "; ")
    case "set-cookie":
      let parts = field.value.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
      return ([cookie(parts[0])] + parts.dropFirst()).joined(separator: ";")
    case "authorization", "proxy-authorization":
      let parts = field.value.split(separator: " ", maxSplits: 1).map(String.init)
      return parts.count == 2 ? parts[0] + " " + secrets.placeholder(for: parts[1]) : word(field.value)
    case "location", "content-location", "referer", "link", "refresh": return url(field.value)
    case _ where name.hasPrefix("access-control-"): return text(field.value)
    default: return RecordedSecrets.isSecret(name) ? word(field.value) : text(field.value)
    }
  }

  /// `sid=…`. What is as short as a language or a theme stands elsewhere by chance.
  private mutating func cookie(_ pair: String) -> String {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return pair.trimmingCharacters(in: .whitespaces) }
    let value = parts[1].trimmingCharacters(in: .whitespaces)
    return parts[0].trimmingCharacters(in: .whitespaces) + "="
      + secrets.placeholder(for: value, isSpread: value.utf8.count >= 16)
  }

  private mutating func word(_ secret: String) -> String { secrets.placeholder(for: secret) }

  /// A URL, or the part of one from the path on: secret parameters of query and fragment by their names.
  private mutating func url(_ text: String) -> String {
    guard let mark = text.firstIndex(where: { $0 == "?" || $0 == "#" }) else { return self.text(text) }
    var result = self.text(String(text[..<mark]))
    var pair = ""
    for character in text[mark...] {
      if "?#&;<>, ".contains(character) {
        result += form(pair)
        result.append(character)
        pair = ""
      } else {
        pair.append(character)
      }
    }
    return result + form(pair)
  }

  /// `name=value`, percent-encoded.
  private mutating func form(_ pair: String) -> String {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return text(pair) }
    let plain = parts[1].replacing("+", with: " ").removingPercentEncoding ?? parts[1]
    guard RecordedSecrets.isSecret(parts[0].removingPercentEncoding ?? parts[0]), !plain.isEmpty else {
      let masked = text(plain)
      return masked == plain ? pair : parts[0] + "=" + PercentEncoding.encode(masked, keepingReserved: false)
    }
    return parts[0] + "=" + word(plain)
  }

  private mutating func body(_ body: String, isAnswer: Bool) -> String {
    if let value = try? JSONValue.parse(Array(body.utf8)) {
      let masked = masked(value, "", isAnswer)
      return masked == value ? body : masked.text
    }
    let isForm = body.wholeMatch(of: /[^\s=&<>{}"]+=[^\s&<>{}"]*(?:&[^\s=&<>{}"]+=[^\s&<>{}"]*)*/) != nil
    if isForm {
      return body.split(separator: "&", omittingEmptySubsequences: false).map { form(String($0)) }.joined(
        separator: "&")
    }
    return text(body)
  }

  private mutating func masked(_ value: JSONValue, _ name: String, _ isAnswer: Bool) -> JSONValue {
    switch value {
    case .object(let members):
      var copy = JSONObject()
      for (key, value) in members { copy[key] = masked(value, key, isAnswer) }
      return .object(copy)
    case .array(let items):
      var copy: [JSONValue] = []
      for item in items { copy.append(masked(item, name, isAnswer)) }
      return .array(copy)
    case .string(let string):
      return .string(isSecret(name, string, isAnswer) ? word(string) : text(string))
    case .number(let number):
      return isSecret(name, number.text, isAnswer)
        ? .string(secrets.placeholder(for: number.text, isSpread: false)) : value
    case .bool, .null: return value
    }
  }

  /// Whether a member is a secret. Answers have kinds of errors under `code`, and names of things under `key`.
  private func isSecret(_ name: String, _ value: String, _ isAnswer: Bool) -> Bool {
    guard !name.isEmpty, RecordedSecrets.isSecret(name) else { return false }
    guard isAnswer, ["code", "key"].contains(name.lowercased()) else { return true }
    return value.wholeMatch(of: /[A-Za-z]+(?:[ ._-][A-Za-z]+)*|[0-9]{1,4}/) == nil
  }

  private mutating func text(_ text: String) -> String {
    let known = secrets.replaced(text)
    return RecordedSecrets.replacing(known) { _, secret in secrets.placeholder(for: secret) }
  }
}
