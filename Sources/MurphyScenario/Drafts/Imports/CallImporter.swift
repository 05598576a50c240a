import Foundation
import MurphyContract
import MurphyModel
import MurphySchema

/// Converts recorded requests into calls. Values from earlier responses become names, and secrets become variables.
struct CallImporter {
  private let contract: Contract
  private let matcher: OperationMatcher
  /// Headers that identify users: the scenario's client generates a value for each user.
  private let drawn: Set<String>
  private var mask = ContentMask(.variables)
  /// Environment variables that replace secrets.
  var variables: Set<String> { mask.book.variables }
  /// The prefixes before the contract's paths, with their counts.
  private var bases: [String: Int] = [:]
  /// The most frequent prefix: the base path of the server.
  var base: String { bases.mostFrequent }
  var values = RecordedValues()
  /// Variables of a tool, `{{name}}`, that responses of the session have set so far.
  var given: Set<String> = []

  init(_ contract: Contract) {
    self.contract = contract
    matcher = OperationMatcher(contract)
    drawn = Set(contract.userHeaders.map { $0.lowercased() })
  }

  mutating func call(_ request: RecordedRequest) -> DraftedCall {
    var call: DraftedCall
    let path = request.path
    if let match = matcher.match(request.method, path) {
      let operation = contract.operations[match.operation]
      bases[match.base, default: 0] += 1
      call = DraftedCall(operation: operation.id)
      call.path = match.values.map {
        ($0.name, value($0.value, named: SecretLook.isSecret($0.value) ? $0.name : "", isPath: true))
      }
    } else {
      call = DraftedCall(operation: "\(request.method) \(path)")
      let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init).map { segment in
        // A word of the path may equal a response value by chance; an id does not.
        let isID = segment.contains { $0.isNumber }
        if isID, let name = values.name(for: segment, isPath: true) { return "${\(name)}" }
        return mask.text(segment.literal, .request)
      }
      call.request = (request.method, segments.joined(separator: "/"))
    }
    call.query = request.query.filter { !isSent($0.name, .query, call) }.map {
      ($0.name, value($0.value, named: $0.name))
    }
    call.headers = request.kept.filter { !drawn.contains($0.name.lowercased()) }.filter { field in
      // A token that the session itself received is the session's own.
      let token = field.value.hasPrefix("Bearer ") ? String(field.value.dropFirst(7)) : field.value
      return !isSent(field.name, .header, call) || values.holds(token) || isGiven(token)
    }.map { field in
      let isBearer = field.value.hasPrefix("Bearer ")
      if isBearer, case .variable(let name) = value(String(field.value.dropFirst(7))) {
        return (field.name, .template("Bearer ${\(name)}"))
      }
      return (field.name, value(field.value, named: field.name))
    }
    if let request = call.request, !call.query.isEmpty {
      // A request outside the contract has its query in the URL.
      let pairs = call.query.map { "\(Self.text(.constant(.string($0.name))))=\(Self.text($0.value))" }
      call.request = (request.method, request.url + "?" + pairs.joined(separator: "&"))
      call.query = []
    }
    call.body = body(request)
    return call
  }

  /// True if the contract's security schemes send it: its value comes from the environment.
  private func isSent(_ name: String, _ place: SecurityScheme.KeyPlace, _ call: DraftedCall) -> Bool {
    guard call.request == nil, let index = contract.index(of: call.operation) else { return false }
    return contract.operations[index].security.flatMap(\.schemes).compactMap { contract.securitySchemes[$0]?.kind }
      .contains { kind in
        switch kind {
        case .http, .token: place == .header && name.lowercased() == "authorization"
        case .apiKey(let key, let its): its == place && key.lowercased() == name.lowercased()
        case .mutualTLS: false
        }
      }
  }

  private static func text(_ value: DraftedValue) -> String {
    switch value {
    case .constant(let value):
      let text = value.string ?? value.text
      if text.contains("{{") { return text.literal }
      return (text.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? text).escaping(["&": "%26"])
    case .variable(let name): return "${\(name)}"
    case .template(let text): return text
    }
  }

  /// True if all variables of a text come from responses, so that the text contains no credential.
  private func isGiven(_ text: String) -> Bool {
    let names = text.matches(of: /\{\{\s*([^{}]+?)\s*\}\}/).map { String($0.1) }
    return !names.isEmpty && names.allSatisfy(given.contains)
  }

  /// An environment variable in place of a secret; nil if the text is not a secret.
  private mutating func secret(_ text: String, named name: String) -> String? {
    guard !isGiven(text) else { return nil }
    guard SecretName.isSecret(name, text) || SecretLook.isSecret(text) else { return nil }
    return mask.word(text, named: name)
  }

  private mutating func value(_ text: String, named parameter: String = "", isPath: Bool = false) -> DraftedValue {
    if let name = values.name(for: text, isPath: isPath) { return .variable(name) }
    if let secret = secret(text, named: parameter) { return .template(secret) }
    // `Bearer {{token}}` has no credential if the token comes from a response.
    let rest = isGiven(text) ? text.replacing(/\{\{[^{}]+\}\}/, with: "x") : text
    if rest != text, mask.content(rest) == rest { return .constant(.string(text)) }
    let masked = mask.content(text.literal)
    if masked.utf8.firstRange(of: "${env(".utf8) != nil { return .template(masked) }
    if text == "0" || text.wholeMatch(of: /[1-9][0-9]{0,14}/) != nil, let number = Int(text) {
      return .constant(JSONValue(number))
    }
    return .constant(.string(text))
  }

  /// A file whose bytes were not recorded has a placeholder word until the user names a file.
  private mutating func part(_ part: RecordedPart) -> DraftedPart {
    let isFile = part.fileName != nil
    let value = replaced(.string(part.text.flatMap { $0.isEmpty && isFile ? nil : $0 } ?? "murphy"), named: part.name)
    return DraftedPart(name: part.name, value: value, fileName: part.fileName, type: part.type)
  }

  private mutating func body(_ request: RecordedRequest) -> DraftedBody? {
    if !request.parts.isEmpty {
      return .multipart(request.parts.map { part($0) })
    }
    guard let text = request.body, !text.isEmpty else { return nil }
    let type = request.contentType ?? ""
    let plain = type.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    if let json = try? JSONValue.parse(Array(text.utf8)) {
      return .json(replaced(json), contentType: ["", "application/json"].contains(plain) ? nil : plain)
    }
    if plain == "application/x-www-form-urlencoded" {
      return .form(
        JSONObject(RecordedRequest.pairs(text).map { ($0.name, replaced(.string($0.value), named: $0.name)) }))
    }
    let masked = mask.content(text.literal)
    return .text(masked, contentType: plain.isEmpty || plain == "text/plain" ? nil : plain)
  }

  /// The same JSON, with names for values from earlier responses and variables for secrets.
  private mutating func replaced(_ value: JSONValue, named name: String = "") -> JSONValue {
    switch value {
    case .object(let members):
      let label = ContentMask.label(of: members, .request)
      return .object(
        JSONObject(members.map { ($0.key, replaced($0.value, named: ContentMask.name(of: $0.key, in: name, label))) }))
    case .array(let items): return .array(items.map { replaced($0, named: name) })
    case .string(let text):
      if let known = values.name(for: text, isPath: false) { return .string("${\(known)}") }
      if let secret = secret(text, named: name) { return .string(secret) }
      return .string(mask.content(text.literal))
    case .number where SecretName.isSecret(name, value.text):
      return .string(secret(value.text, named: name) ?? "")
    default:
      let isID = DraftNames.plain(name).hasSuffix("id")
      if isID, let known = values.name(for: value.text, isPath: true) { return .string("${\(known)}") }
      return value
    }
  }
}

/// Finds the operation of the contract for a recorded request.
package struct OperationMatcher: Sendable {
  /// An operation whose path fits the request.
  package struct Match {
    /// The index of the operation in the contract.
    package var operation: Int
    /// Values of the path parameters, in order, as they occur in the path.
    package var values: [(name: String, value: String)]
    /// The prefix before the contract's path: the base path of a server, `/api/v1`.
    package var base = ""
  }

  private let contract: Contract
  private let shapes: [[String]]

  package init(_ contract: Contract) {
    self.contract = contract
    shapes = contract.operations.map { $0.path.split(separator: "/").map(String.init) }
  }

  /// - Parameter path: percent-encoded, with or without the base path of a server.
  package func match(_ method: String, _ path: String) -> Match? {
    let segments = path.split(separator: "/").map(String.init)
    // The shortest matching base path of a server is used.
    for base in 0...min(segments.count, 4) {
      let rest = Array(segments.dropFirst(base))
      let found = shapes.indices.compactMap { match(method, rest, $0, shapes[$0]) }
      // `/laws/top` is not `/laws/{id}`.
      if var best = found.min(by: { $0.values.count < $1.values.count }) {
        best.base = segments.prefix(base).map { "/" + $0 }.joined()
        return best
      }
    }
    // The reverse case: the contract's paths begin with segments that the recording has in its server URL.
    let found = shapes.indices.compactMap { index -> Match? in
      let hidden = shapes[index].count - segments.count
      guard hidden > 0, shapes[index].prefix(hidden).allSatisfy({ !$0.contains("{") }),
        shapes[index].suffix(segments.count).contains(where: { !$0.contains("{") })
      else { return nil }
      return match(method, segments, index, Array(shapes[index].suffix(segments.count)))
    }
    return found.min { $0.values.count < $1.values.count }
  }

  private func match(_ method: String, _ segments: [String], _ index: Int, _ shape: [String]) -> Match? {
    guard contract.operations[index].method == method.uppercased(), shape.count == segments.count else { return nil }
    var values: [(name: String, value: String)] = []
    for (part, segment) in zip(shape, segments) {
      if part.hasPrefix("{"), part.hasSuffix("}"), !part.dropFirst().dropLast().contains("{") {
        values.append((String(part.dropFirst().dropLast()), segment.removingPercentEncoding ?? segment))
      } else if part != segment {
        return nil
      }
    }
    return Match(operation: index, values: values)
  }
}
