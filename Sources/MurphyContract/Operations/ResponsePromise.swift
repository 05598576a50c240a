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

  package let status: Status
  /// Most specific range first. Empty if no body is documented.
  package let content: [MediaTypePromise]
  package let headers: [HeaderPromise]
  /// The response's links to other operations.
  package let links: [ResponseLink]
  /// The JSON Pointer to the response in the contract.
  package let pointer: String
  /// The position of the response in the contract.
  package let source: SourceMark
}

/// A documented media type and its schema.
package struct MediaTypePromise: Sendable {
  package let range: MediaRange
  /// Nil if any content is allowed.
  package let schema: SchemaSite?
  /// The content is a sequence of items (3.2 `itemSchema`), which is not checked.
  package let isSequence: Bool
  /// The possible check of a response that is not JSON.
  package let text: TextPromise
  /// The JSON Pointer to the media type in the contract.
  package let pointer: String
  /// The position of the media type in the contract.
  package let source: SourceMark
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
