import MurphyModel
import MurphySchema

/// The documented response of an operation for a status or a range of statuses.
package struct ResponsePromise: Sendable {
  /// The statuses that a response entry documents.
  package enum Status: Sendable, Hashable {
    case exactly(Int)
    /// `2XX` is 2.
    case hundred(Int)
    /// `default`
    case any

    /// A status or a class in capitals, as OpenAPI writes them, or `default`; nil for anything else.
    package init?(_ key: String) {
      if key == "default" {
        self = .any
        return
      }
      if key.utf8.count == 3, let status = Int(key), StatusPattern.all.contains(status) {
        self = .exactly(status)
        return
      }
      guard let pattern = StatusPattern(key), pattern.text == key, key.utf8.count == 3 else { return nil }
      self = pattern.range.count == 1 ? .exactly(pattern.range.lowerBound) : .hundred(pattern.range.lowerBound / 100)
    }

    /// As the contract writes it.
    package var text: String {
      switch self {
      case .exactly(let status): String(status)
      case .hundred(let hundred): "\(hundred)XX"
      case .any: "default"
      }
    }
  }

  /// True if it is for 2xx statuses only.
  package var isSuccess: Bool {
    switch status {
    case .exactly(let status): (200..<300).contains(status)
    case .hundred(let hundred): hundred == 2
    case .any: false
    }
  }

  /// The statuses that the entry is for.
  package let status: Status
  /// The description in the contract; empty without one.
  package let text: String
  /// Most specific range first. Empty if no body is documented.
  package let content: [MediaTypePromise]
  /// In the document's order, without `Content-Type`.
  package let headers: [HeaderPromise]
  /// The response's links to other operations.
  package let links: [ResponseLink]
  /// The JSON Pointer to the response in the contract.
  package let pointer: String
  /// The position of the response in the contract.
  package let source: SourceMark
  /// The part that cannot be read; nil if the whole response can be checked.
  package let defect: Defect?

  /// A part of a documented response that cannot be read, because its `$ref` leads nowhere.
  package enum Defect: Sendable, Hashable {
    /// The response itself. Nothing of it is checked. With the reason.
    case response(String)
    /// A header. Everything else is checked. With the reason.
    case header(String)
  }
}

/// A documented media type and its schema.
package struct MediaTypePromise: Sendable {
  package let range: MediaRange
  /// Nil if any content is allowed.
  package let schema: SchemaSite?
  /// The content is a sequence of items (3.2 `itemSchema`), which is not checked.
  package let isSequence: Bool
  /// The schema of its items; nil for other content.
  var itemSchema: Located?
  /// The reason why the media type cannot be read; nil for all others.
  package var defect: String?
  /// How the fields of a form are written, by their names.
  package var encodings: [String: FieldEncoding] = [:]
  /// The possible check of a response that is not JSON.
  package let text: TextPromise
  /// The JSON Pointer to the media type in the contract.
  package let pointer: String
  /// The position of the media type in the contract.
  package let source: SourceMark
}

/// How a field of a form is written (the Encoding Object of OpenAPI).
package struct FieldEncoding: Sendable, Hashable {
  /// Nil without `style`, `explode` and `allowReserved`: then `contentType` applies.
  package let style: ParameterStyle?
  package let explode: Bool
  package let allowReserved: Bool
  /// Nil for the default of the field's type.
  package let contentType: String?

  init(_ site: Located) {
    let style = site["style"]?.value.string.flatMap(ParameterStyle.init(rawValue:))
    let hasStyle = style != nil || site["explode"] != nil || site["allowReserved"] != nil
    self.style = hasStyle ? style ?? .form : nil
    explode = site["explode"]?.value.bool ?? (style == nil || style == .form)
    allowReserved = site["allowReserved"]?.value.bool ?? false
    contentType = site["contentType"]?.value.string
  }
}

/// The extent to which content that is not JSON can be checked against a schema.
package enum TextPromise: Sendable {
  /// The schema has no rule, or only requires bytes: `{}`, `type: string` with `format: binary`.
  case free
  /// The whole text is one value.
  case scalar(HeaderShape)
  case unreadable
}

/// A documented response header.
package struct HeaderPromise: Sendable {
  /// The original spelling.
  package let name: String
  /// True if a response without it violates the contract.
  package let isRequired: Bool
  /// How the text of the header becomes a JSON value.
  package let shape: HeaderShape
  /// Nil if the header has no schema.
  package let schema: SchemaSite?
  /// The JSON Pointer to the header in the contract.
  package let pointer: String
  /// The position of the header in the contract.
  package let source: SourceMark
}

/// A schema that the contract uses: its position, and its number among the sites of the library.
package struct SchemaSite: Sendable {
  package let located: Located
  /// Nil for schemas that no response is checked against, such as those of parameters.
  package let index: Int?
}

/// A `links` entry of a response (OpenAPI 3.1 §4.8.20): the target operation and the values that it takes from the
/// response.
package struct ResponseLink: Sendable, Hashable {
  /// An operationId, or `GET /laws/{id}`.
  package let operation: String
  /// By parameter: the position of its value in the response body. Empty if the link only names the next operation.
  /// Other kinds of runtime expressions are omitted.
  package let parameters: [String: JSONPointer]
}

extension Contract {
  /// `GET /laws/{id}` for a reference such as `openapi.yaml#/paths/~1laws~1{id}/get`; nil for one that names no operation.
  package static func operationName(reference: String) -> String? {
    guard let hash = reference.firstIndex(of: "#"),
      let tokens = JSONPointer(PercentEncoding.decode(reference[reference.index(after: hash)...]))?.tokens,
      tokens.count == 3, tokens[0] == "paths"
    else { return nil }
    return "\(tokens[2].uppercased()) \(tokens[1])"
  }
}

extension Contract.Operation {
  /// True if it documents this redirection and no success status: then the operation's purpose is to redirect.
  package func redirects(by status: Int) -> Bool {
    status != 304 && responses.contains { $0.status == .exactly(status) || $0.status == .hundred(status / 100) }
      && !responses.contains(where: \.isSuccess)
  }
}

/// Converts a header to a JSON value by its schema's types (style `simple`).
package enum HeaderShape: Sendable {
  case text
  case scalar(Scalars)
  /// Comma-separated, over all lines of that name.
  case array(items: Scalars)
  /// `a,1,b,2`, or `a=1,b=2` if exploded. Types by member name; `others` applies to unlisted names.
  case object(members: [String: Scalars], others: Scalars, explode: Bool)
  /// A `content` header of a JSON media type.
  case json

  /// The types that a text may represent.
  package struct Scalars: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let string = Scalars(rawValue: 1)
    package static let number = Scalars(rawValue: 2)
    package static let boolean = Scalars(rawValue: 4)
    package static let null = Scalars(rawValue: 8)
  }

  /// Finds the types of a schema, through `$ref`, `allOf`, `oneOf` and `anyOf`.
  package init(_ schema: Located, in sources: inout DocumentSet, explode: Bool) {
    var types = SchemaTypes()
    types.collect(schema, in: &sources, depth: 0)
    if types.names.contains("array") {
      var items = SchemaTypes()
      for schema in types.items { items.collect(schema, in: &sources, depth: 0) }
      self = .array(items: items.scalars)
    } else if types.names.contains("object") {
      var members: [String: Scalars] = [:]
      for (name, schema) in types.members {
        var member = SchemaTypes()
        member.collect(schema, in: &sources, depth: 0)
        members[name] = member.scalars
      }
      self = .object(members: members, others: [.string], explode: explode)
    } else {
      self = types.scalars == [.string] ? .text : .scalar(types.scalars)
    }
  }
}

/// The types that a schema names.
private struct SchemaTypes {
  var names: Set<String> = []
  var items: [Located] = []
  var members: [(String, Located)] = []

  /// Without a type: a string, because every header is text.
  var scalars: HeaderShape.Scalars {
    var scalars: HeaderShape.Scalars = []
    if names.contains("integer") || names.contains("number") { scalars.insert(.number) }
    if names.contains("boolean") { scalars.insert(.boolean) }
    if names.contains("null") { scalars.insert(.null) }
    if names.contains("string") || scalars.isEmpty { scalars.insert(.string) }
    return scalars
  }

  mutating func collect(_ schema: Located, in sources: inout DocumentSet, depth: Int) {
    guard depth < 8, let schema = try? sources.resolved(schema) else { return }
    let values = (schema["enum"]?.value.array ?? []) + (schema["const"].map { [$0.value] } ?? [])
    names.formUnion(schema.types ?? values.map(\.typeName))
    if schema["nullable"]?.value.bool == true { names.insert("null") }
    if let item = schema["items"] { items.append(item) }
    members += (schema["properties"]?.members ?? []).map { ($0.key, $0.located) }
    for keyword in ["allOf", "oneOf", "anyOf"] {
      for branch in schema[keyword]?.items ?? [] { collect(branch, in: &sources, depth: depth + 1) }
    }
  }
}
