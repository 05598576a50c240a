import Foundation
import MurphyModel
import MurphySchema

extension K6Reader {
  private static let methods = [
    "get": "GET", "head": "HEAD", "post": "POST", "put": "PUT", "patch": "PATCH", "del": "DELETE", "options": "OPTIONS",
  ]

  /// `http.get(url, params)`, `http.post(url, body, params)`, `http.request(method, url, body, params)`
  ///
  /// - Returns: the call's number; nil if the call is not fully known, or if it has another server.
  mutating func call(_ tokens: ArraySlice<K6Token>) -> Int? {
    guard tokens.first?.isWord("http") == true, tokens.dropFirst().first?.isSign(".") == true,
      let word = tokens.dropFirst(2).first?.word, let written = arguments(tokens, behind: 3)
    else { return nil }
    var values: [K6Value] = []
    for argument in written {
      guard let value = expressions.value(argument) else { return nil }
      values.append(value)
    }
    var method = Self.methods[word]
    if word == "request" {
      guard let text = values.first?.string else { return nil }
      method = text.uppercased()
      values.removeFirst()
    } else if ["get", "head"].contains(word), values.count > 1 {
      values.insert(.null, at: 1)
    }
    guard let method, let url = values.first?.string else { return nil }
    guard var request = request(method, url) else { return nil }
    if values.count > 1, !add(values[1], to: &request) { return nil }
    if values.count > 2 { guard add(parameters: values[2], to: &request, tokens) else { return nil } }
    tool.variables.given = saves.given
    calls.append(tool.call(request))
    return calls.count - 1
  }

  private mutating func request(_ method: String, _ url: String) -> RecordedRequest? {
    let origin = url.prefixMatch(of: /(?:https?:\/\/[^\/?#{}]+|\{\{[^{}]+\}\})/).map { String($0.0) } ?? ""
    guard tool.isOfAPI(origin.hasPrefix("{{") ? "" : origin) else { return nil }
    let parts = url.dropFirst(origin.count).split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      .split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let path = parts.first ?? ""
    var request = RecordedRequest(method: method, path: path.hasPrefix("/") ? path : "/" + path)
    if parts.count > 1 { request.query = RecordedRequest.pairs(parts[1]) }
    return request
  }

  /// A string is sent unchanged, an object as a form.
  private func add(_ body: K6Value, to request: inout RecordedRequest) -> Bool {
    switch body {
    case .null: break
    case .object(let members):
      var fields: [(name: String, value: String)] = []
      for (key, value) in members {
        guard let text = expressions.text(value) else { return false }
        fields.append((key, text))
      }
      request.setForm(fields)
    default:
      guard let text = expressions.text(body) else { return false }
      request.body = text
    }
    return true
  }

  private mutating func add(
    parameters: K6Value, to request: inout RecordedRequest, _ tokens: ArraySlice<K6Token>
  ) -> Bool {
    for (key, value) in parameters.members {
      switch key {
      case "headers":
        for (name, header) in value.members {
          guard let text = expressions.text(header) else { return false }
          request.headers.append((name, text))
          if name.lowercased() == "content-type" { request.contentType = text }
        }
      case "tags", "responseType": break
      default: leave(tokens, "the parameter \(key)")
      }
    }
    return true
  }
}
