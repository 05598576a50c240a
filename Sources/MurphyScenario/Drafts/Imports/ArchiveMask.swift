import Foundation
import MurphyModel
import MurphySchema

/// Removes the secrets from an HTTP Archive (HAR 1.2). Each entry is masked twice: the first pass finds the secrets of
/// all entries, and the second replaces them in each.
package struct ArchiveMask {
  private var mask = ContentMask(.placeholders)

  /// The archive with placeholders in place of secrets. Equal secrets have equal placeholders.
  package static func masked(_ archive: JSONValue) -> JSONValue {
    var mask = ArchiveMask()
    _ = mask.archive(archive)
    return mask.archive(archive)
  }

  /// A path for a message, without parts that look like a secret.
  package static func shown(path: String) -> String {
    var mask = ContentMask(.stars)
    let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { segment in
      let text = String(segment) ?? ""
      return segment.count >= 16 && !SecretName.isPlain(text) && UUID(uuidString: text) == nil ? SecretMask.mask : text
    }
    return mask.url(segments.joined(separator: "/"))
  }

  private mutating func archive(_ root: JSONValue) -> JSONValue {
    guard case .object(var root) = root, case .object(var log)? = root["log"] else { return root }
    for (key, value) in log {
      guard key == "entries", case .array(let entries) = value else {
        log[key] = mask.json(value, named: "", .response)
        continue
      }
      log[key] = .array(entries.map { entry($0) })
    }
    root["log"] = .object(log)
    return .object(root)
  }

  private mutating func entry(_ entry: JSONValue) -> JSONValue {
    changed(entry) { mask, key, value in
      switch key {
      case "request": mask.message(value, .request)
      case "response": mask.message(value, .response)
      case "startedDateTime", "time", "timings", "pageref", "serverIPAddress", "connection": value
      default: mask.mask.json(value, named: "", .response)
      }
    }
  }

  private mutating func message(_ message: JSONValue, _ place: SecretName.Place) -> JSONValue {
    changed(message) { mask, key, value in
      switch (key, value) {
      case ("url", .string(let url)), ("redirectURL", .string(let url)): .string(mask.mask.url(url))
      case ("headers", _): mask.fields(value) { mask, name, value in mask.header(name, value, place) }
      case ("cookies", _): mask.fields(value) { mask, name, value in mask.cookie(name, value) }
      case ("queryString", _): mask.fields(value) { mask, name, value in mask.mask.value(value, named: name) }
      case ("postData", _): mask.body(value, place)
      case ("content", _): mask.body(value, place)
      case ("method", _), ("httpVersion", _): value
      default: mask.mask.json(value, named: "", place)
      }
    }
  }

  private mutating func changed(
    _ value: JSONValue, _ change: (inout ArchiveMask, String, JSONValue) -> JSONValue
  ) -> JSONValue {
    guard case .object(let members) = value else { return mask.json(value, named: "", .response) }
    var copy = JSONObject()
    for (key, value) in members { copy[key] = change(&self, key, value) }
    return .object(copy)
  }

  /// A list of objects with `name` and `value`.
  private mutating func fields(
    _ list: JSONValue, _ change: (inout ArchiveMask, String, String) -> String
  ) -> JSONValue {
    guard case .array(let items) = list else { return mask.json(list, named: "", .response) }
    return .array(
      items.map { item in
        let name = item["name"]?.string ?? ""
        return changed(item) { mask, key, value in
          guard key == "value", case .string(let text) = value else { return value }
          return .string(change(&mask, name, text))
        }
      })
  }

  private mutating func body(_ body: JSONValue, _ place: SecretName.Place) -> JSONValue {
    let type = body["mimeType"]?.string ?? ""
    let decoded =
      body["encoding"]?.string == "base64"
      ? (body["text"]?.string).flatMap { Data(base64Encoded: $0) }.flatMap { String(validating: $0, as: UTF8.self) }
      : nil
    let masked = changed(body) { mask, key, value in
      switch (key, value) {
      case ("params", _): mask.fields(value) { mask, name, value in mask.mask.value(value, named: name, place) }
      case ("text", .string(let text)): .string(mask.text(decoded ?? text, type, place))
      case ("mimeType", _), ("encoding", _): value
      default: mask.mask.json(value, named: "", place)
      }
    }
    guard let decoded, case .object(var copy) = masked else { return masked }
    if masked["text"]?.string == decoded { return body }
    copy["encoding"] = nil
    return .object(copy)
  }

  private mutating func text(_ text: String, _ type: String, _ place: SecretName.Place) -> String {
    if type.lowercased().hasPrefix("multipart/"), let masked = mask.multipart(text, type, place) { return masked }
    return mask.content(text, place)
  }

  // MARK: Headers

  private mutating func header(_ name: String, _ value: String, _ place: SecretName.Place) -> String {
    switch name.lowercased() {
    case "cookie": return parts(value).map { pair($0) }.joined(separator: "; ")
    case "set-cookie":
      let all = parts(value)
      return ([pair(all.first ?? "")] + all.dropFirst().map { mask.text($0, place) }).joined(separator: "; ")
    case "authorization", "proxy-authorization": return credentials(value, name)
    default: return mask.value(value, named: name, .header)
    }
  }

  private func parts(_ value: String) -> [String] {
    value.utf8.split(separator: UInt8(ascii: ";")).map { (String($0) ?? "").trimmingCharacters(in: .whitespaces) }
  }

  /// `Bearer …`: the scheme stays. The password in basic credentials is a secret of its own.
  private mutating func credentials(_ value: String, _ name: String) -> String {
    guard let space = value.utf8.firstIndex(of: 0x20) else { return mask.word(value, named: name) }
    let secret = String(value[value.utf8.index(after: space)...]).trimmingCharacters(in: .whitespaces)
    if value[..<space].lowercased() == "basic", let plain = Data(base64Encoded: secret) {
      let parts = plain.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      if parts.count == 2 { _ = mask.word(String(decoding: parts[1], as: UTF8.self), named: name) }
    }
    return value[...space] + mask.word(secret, named: name)
  }

  private mutating func pair(_ pair: String) -> String {
    guard let mark = pair.utf8.firstIndex(of: UInt8(ascii: "=")) else { return mask.text(pair, .request) }
    let value = String(pair[pair.utf8.index(after: mark)...]).trimmingCharacters(in: .whitespaces)
    return pair[...mark] + cookie(String(pair[..<mark]), value)
  }

  /// Short values, such as a language or a theme, also occur elsewhere by chance.
  private mutating func cookie(_ name: String, _ value: String) -> String {
    let plain = value.removingPercentEncoding ?? value
    let isSpread = plain.utf8.count >= 16 || SecretName.isSecret(name, plain)
    return mask.word(plain, named: name, isSpread: isSpread)
  }
}
