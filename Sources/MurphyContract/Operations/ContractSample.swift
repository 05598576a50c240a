import MurphyModel
import MurphySchema

/// Values for an operation from its own document: examples if there are some, otherwise minimal values of the schemas.
package struct ContractSample {
  private var sources: DocumentSet
  /// True if generated strings may be expressions of the scenario language that differ for each user: `${uuid()}`. Then
  /// all other strings escape `${` as `$${`.
  package var writesExpressions = false
  /// True if e-mail addresses of the document stay. A login needs the user to whom the password belongs.
  package var keepsAddresses = false
  /// The maximum depth, because references may be nested without end.
  private static let deepest = 12

  /// Samples for the operations of `contract`.
  package init(_ contract: Contract) { sources = contract.schemas.sources }

  /// Nil if the document has too little information.
  package mutating func value(of parameter: Contract.Parameter) -> JSONValue? {
    guard let schema = parameter.schema?.located else { return nil }
    return example(beside: schema).map(written)
      ?? value(of: schema, depth: 0).map { SampleTimes.later($0, parameter.name) }
  }

  /// A value from the document. If expressions are allowed, an e-mail address in it is made unique for each user.
  private func written(_ value: JSONValue) -> JSONValue {
    guard writesExpressions else { return value }
    switch value {
    case .string(let text):
      return .string(
        !keepsAddresses && text.wholeMatch(of: /[^@\s]+@[^@\s]+\.[^@\s]+/) != nil
          ? "${email()}" : text.replacingScalars("${", with: "$${")
      )
    case .array(let items): return .array(items.map(written))
    case .object(let members):
      var copy = JSONObject()
      for member in members.members { copy[member.key] = written(member.value) }
      return .object(copy)
    default: return value
    }
  }

  /// A value for the parameter that the document states: an example, a default, a constant or an enumerated value.
  ///
  /// - Parameter fromEnumeration: true for an enumerated value, and nothing else.
  package static func given(
    _ parameter: Contract.Parameter, _ contract: Contract, fromEnumeration: Bool = false
  ) -> JSONValue? {
    var sample = ContractSample(contract)
    guard let schema = parameter.schema?.located, let resolved = try? sample.sources.resolved(schema) else {
      return nil
    }
    // FastAPI writes an optional enumeration as `anyOf` with null.
    let branches = ["anyOf", "oneOf", "allOf"].flatMap { resolved[$0]?.items ?? [] }
    let all = [resolved] + branches.compactMap { try? sample.sources.resolved($0) }
    if fromEnumeration { return all.lazy.compactMap { $0["enum"]?.items.first?.value }.first }
    return sample.example(beside: schema) ?? all.lazy.compactMap(named).first
  }

  /// A value that the schema itself states; nil if it states none.
  private static func named(_ schema: Located) -> JSONValue? {
    ["example", "default", "const"].lazy.compactMap { schema[$0]?.value }.first
      ?? (schema["examples"]?.items.first ?? schema["enum"]?.items.first)?.value
  }

  /// Bodies of the operation with their media types, in the document's order; empty if there is too little information.
  package mutating func bodies(of operation: Contract.Operation) -> [(value: JSONValue, type: String)] {
    guard let body = operation.requestBody else { return [] }
    return zip(body.content, body.mediaTypes).compactMap { media, type in
      guard let schema = media.schema?.located,
        let value = example(beside: schema).map(written) ?? value(of: schema, depth: 0)
      else { return nil }
      return (value, type)
    }
  }

  /// Members of the operation's `multipart/form-data` body that are files: binary, or with a content type of their own
  /// (OpenAPI 3.0 §4.7.14.2, 3.1 §4.8.14.3).
  package mutating func fileMembers(of operation: Contract.Operation) -> Set<String> {
    let media = operation.requestBody?.content.first { $0.range.type == "multipart" && $0.range.subtype == "form-data" }
    guard let site = media?.schema?.located, let schema = try? sources.resolved(site) else { return [] }
    var names: Set<String> = []
    for part in ([schema] + (schema["allOf"]?.items ?? [])).compactMap({ try? sources.resolved($0) }) {
      for member in part["properties"]?.members ?? [] {
        guard var inner = try? sources.resolved(member.located) else { continue }
        if let items = inner["items"], let resolved = try? sources.resolved(items) { inner = resolved }
        let isBinary = inner["format"]?.value.string == "binary" || inner["contentMediaType"] != nil
        if isBinary || inner.value.object?.members.isEmpty == true { names.insert(member.key) }
      }
    }
    return names
  }

  /// `example` or the first of `examples` in the object that contains the schema.
  private mutating func example(beside schema: Located) -> JSONValue? {
    let holder = JSONPointer(tokens: schema.pointer.tokens.dropLast())
    guard let value = holder.resolve(in: sources.root(schema.document).value) else { return nil }
    let located = Located(document: schema.document, pointer: holder, value: value)
    if let example = located["example"] { return example.value }
    guard let entry = located["examples"]?.members.first?.located, let resolved = try? sources.resolved(entry) else {
      return nil
    }
    return (resolved["value"] ?? resolved["dataValue"])?.value
  }

  /// A value for a schema without its context; nil if it has too little information.
  mutating func value(of schema: Located) -> JSONValue? { value(of: schema, depth: 1) }

  /// The minimal value that the schema's keywords allow.
  private mutating func value(of schema: Located, depth: Int) -> JSONValue? {
    guard depth < Self.deepest, let schema = try? sources.resolved(schema), case .object = schema.value else {
      return nil
    }
    if let value = Self.named(schema) { return written(value) }
    for keyword in ["oneOf", "anyOf", "allOf"] {
      for branch in schema[keyword]?.items ?? [] {
        if let value = value(of: branch, depth: depth + 1), keyword != "allOf" { return value }
      }
    }
    switch schema.types?.first {
    case "integer": return Self.number(schema, isInteger: true)
    case "number": return Self.number(schema, isInteger: false)
    case "boolean": return .bool(true)
    case "string": return text(of: schema).map { .string($0) }
    case "array":
      // A body or a parameter without an item is of little use for a test.
      let least = max(schema["minItems"]?.value.int ?? 0, depth == 0 && schema["maxItems"]?.value.int != 0 ? 1 : 0)
      guard least > 0, let items = schema["items"], let item = value(of: items, depth: depth + 1) else {
        return .array([])
      }
      return .array(Array(repeating: item, count: min(least, 100)))
    case "object", nil: return object(of: schema, depth: depth)
    default: return nil
    }
  }

  /// The maximum number of members in a body without required members.
  private static let mostMembers = 12

  /// The required members, including those of `allOf`. A body without required members gets all members that a client
  /// may write, because an empty body is of little use for a test.
  private mutating func object(of schema: Located, depth: Int) -> JSONValue? {
    let parts = ([schema] + (schema["allOf"]?.items ?? [])).compactMap { try? sources.resolved($0) }
    var names = parts.map(\.required)
    if depth == 0, names.allSatisfy(\.isEmpty) {
      names = parts.map { part in (part["properties"]?.members ?? []).prefix(Self.mostMembers).map(\.key) }
    }
    var object = JSONObject()
    for (part, names) in zip(parts, names) {
      for name in names {
        guard let member = part["properties"]?[name],
          (try? sources.resolved(member))?["readOnly"]?.value != .bool(true),
          let value = value(of: member, depth: depth + 1)
        else { continue }
        object[name] = SampleTimes.later(value, name)
      }
    }
    return .object(object)
  }

  /// A number within the bounds, 1 if possible.
  private static func number(_ schema: Located, isInteger: Bool) -> JSONValue? {
    func bound(_ keyword: String) -> Double? { schema[keyword]?.value.double }
    let step = bound("multipleOf") ?? (isInteger ? 1 : 0)
    // Before 3.1 an exclusive bound is a flag next to the bound.
    let (isAbove, isBelow) = (
      schema["exclusiveMinimum"]?.value == .bool(true), schema["exclusiveMaximum"]?.value == .bool(true)
    )
    let low = [bound("minimum"), bound("exclusiveMinimum")].compactMap(\.self).max()
    let high = [bound("maximum"), bound("exclusiveMaximum")].compactMap(\.self).min()
    func fits(_ number: Double) -> Bool {
      if let least = bound("minimum"), number < least || (isAbove && number == least) { return false }
      if let most = bound("maximum"), number > most || (isBelow && number == most) { return false }
      if let least = bound("exclusiveMinimum"), number <= least { return false }
      if let most = bound("exclusiveMaximum"), number >= most { return false }
      return step <= 0 || (number / step).rounded() * step == number
    }
    let middle = ((low ?? 0) + (high ?? (low ?? 0) + 2)) / 2
    let steps = step > 0 ? step : 1
    let above = ((low ?? 0) / steps).rounded(.up) * steps
    let below = ((high ?? 0) / steps).rounded(.down) * steps
    let wishes = [1, 0, above, above + steps, below, below - steps, middle, low ?? 0, high ?? 0]
    guard let number = wishes.first(where: fits) else { return nil }
    return number == number.rounded() ? Int(exactly: number).map { JSONValue($0) } : .number(JSONNumber(number))
  }

  /// Nil for a pattern without a known match.
  private func text(of schema: Located) -> String? {
    let least = max(schema["minLength"]?.value.int ?? 0, 0)
    let most = schema["maxLength"]?.value.int ?? .max
    guard least <= most, least <= 100_000 else { return nil }
    if let pattern = schema["pattern"]?.value.string {
      // A long number is usually an identifier: ISBN, IBAN, phone number.
      let new =
        writesExpressions
        ? NewTexts.word(pattern, lengths: least...most)
          ?? NewTexts.expression(pattern, lengths: least...most, fewest: 8) : nil
      return new ?? PatternSample.text(pattern, lengths: least...most)
    }
    let format = schema["format"]?.value.string ?? ""
    if writesExpressions, let expression = Self.expressions[format], most >= 40 { return expression }
    if let known = Self.formats[format] { return known }
    if writesExpressions, format.isEmpty, least <= 15, most >= 15 { return "murphy-${string(8)}" }
    let word = "murphy"
    let text = least <= word.count ? word : String(repeating: word, count: least / word.count + 1)
    return String(text.prefix(min(most, max(least, word.count))))
  }

  private static let expressions = ["uuid": "${uuid()}", "email": "${email()}"]

  private static let formats = [
    "uuid": "6f1c2a52-5d3e-4c55-9a35-4b8a8f5f9d10", "date": "2026-01-31", "date-time": "2026-01-31T12:00:00Z",
    "time": "12:00:00Z", "duration": "P1D", "email": "murphy@example.com", "idn-email": "murphy@example.com",
    "uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/murphy",
    "iri": "https://example.com/",
    "hostname": "example.com", "ipv4": "192.0.2.1", "ip": "192.0.2.1", "ipv6": "2001:db8::1", "byte": "bXVycGh5",
    "json-pointer": "/murphy", "regex": "a",
  ]
}

extension Contract {
  /// The path of an identifier in the operation's success response: the first of `names` that is a member of its body,
  /// or of the body's `data`. Nil if no JSON object is documented or it has none of them.
  package func successMember(_ operation: Int, named names: [String]) -> [String]? {
    let navigator = SchemaNavigator(sources)
    for promise in operations[operation].responses where promise.isSuccess {
      guard let schema = promise.content.first(where: { $0.range.isJSON })?.schema?.located else { continue }
      let parts = navigator.scope(of: schema).parts
      if let name = Self.member(names, parts, navigator) { return [name] }
      for inner in ["data", "result", "item"] {
        let below = parts.flatMap { navigator.schemas(for: inner, in: $0) }.filter { $0.value["items"] == nil }
        let scopes = below.flatMap { navigator.scope(of: $0).parts }
        if let name = Self.member(names, scopes, navigator) { return [inner, name] }
      }
    }
    return nil
  }

  /// True if the body of a success is a string or an integer itself, such as the id of the created item.
  package func returnsScalar(_ operation: Int) -> Bool {
    let navigator = SchemaNavigator(sources)
    return operations[operation].responses.contains { promise in
      guard promise.isSuccess, let schema = promise.content.first(where: { $0.range.isJSON })?.schema?.located else {
        return false
      }
      return navigator.scope(of: schema).parts.contains { ["string", "integer"].contains($0.value["type"]?.string) }
    }
  }

  /// Names of fields that hold a token of a user, those of standards first.
  package static let tokenFields = [
    "access_token", "accessToken", "token", "auth_token", "authToken", "id_token", "idToken", "jwt", "session_token",
    "sessionToken", "api_token", "apiToken",
  ]

  /// Operations that need no credentials and return a token, with its path in the body. The operation whose path
  /// mentions tokens or logins is first.
  package var logins: [(operation: Int, token: [String])] {
    let found = operations.indices.compactMap { index in token(of: index).map { (operation: index, token: $0) } }
    func speaks(_ index: Int) -> Bool {
      ["token", "login", "session", "auth", "signin"].contains { operations[index].path.lowercased().contains($0) }
    }
    return found.filter { speaks($0.operation) } + found.filter { !speaks($0.operation) }
  }

  /// The path of the token in the response of an operation that needs no credentials; nil for other operations.
  package func token(of index: Int) -> [String]? {
    let operation = operations[index]
    guard operation.method == "POST", operation.isOpen, operation.mistakes.isEmpty, operation.isDocumented else {
      return nil
    }
    return successMember(index, named: Self.tokenFields + ["device_token", "deviceToken"])
  }

  /// True if a `Location` is documented for a success response.
  package func namesLocation(_ operation: Int) -> Bool {
    operations[operation].responses.contains { promise in
      promise.isSuccess && promise.headers.contains { $0.name.lowercased() == "location" }
    }
  }

  /// True if the values of an operation's path parameter are integers.
  package func takesInteger(_ parameter: String, in operation: Int) -> Bool {
    let found = operations[operation].parameters.first { $0.location == .path && $0.name == parameter }
    guard let schema = found?.schema else { return false }
    return ScalarShape(schema.located, SchemaNavigator(sources)).isInteger
  }

  private static func member(_ names: [String], _ parts: [Located], _ navigator: SchemaNavigator) -> String? {
    names.first { name in parts.contains { $0["properties"]?.value[name] != nil } }
  }
}
