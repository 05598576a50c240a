import MurphyModel

/// What an operation promises for a status or a range of them.
package struct ResponsePromise: Sendable {
  package enum Status: Sendable, Hashable {
    case exactly(Int)
    /// `2XX` is 2.
    case hundred(Int)
    /// `default`
    case any

    package init?(_ key: String) {
      if key == "default" {
        self = .any
      } else if key.count == 3, let first = key.first?.wholeNumberValue, (1...5).contains(first), key.hasSuffix("XX") {
        self = .hundred(first)
      } else if let number = Int(key), (100...599).contains(number) {
        self = .exactly(number)
      } else {
        return nil
      }
    }

    package var text: String {
      switch self {
      case .exactly(let status): String(status)
      case .hundred(let hundred): "\(hundred)XX"
      case .any: "default"
      }
    }
  }

  package let status: Status
  /// Most specific range first. Empty: no body is documented.
  package let content: [MediaTypePromise]
  package let headers: [HeaderPromise]
  package let pointer: String
  package let source: SourceMark
}

/// A documented media type and its schema.
package struct MediaTypePromise: Sendable {
  package let range: MediaRange
  /// Nil when any content is fine.
  package let schema: SchemaSite?
  /// The content is a sequence of items (3.2 `itemSchema`), which is not checked.
  package let isSequence: Bool
  /// What can be made of an answer that is not JSON.
  package let text: TextPromise
  package let pointer: String
  package let source: SourceMark
}

/// How far a schema can be held against content that is not JSON.
package enum TextPromise: Sendable {
  /// The schema says nothing, or that there are bytes: `{}`, `type: string` with `format: binary`.
  case free
  /// The whole text is one value.
  case scalar(HeaderShape)
  case unreadable
}

/// A documented response header.
package struct HeaderPromise: Sendable {
  /// As documented.
  package let name: String
  package let isRequired: Bool
  package let shape: HeaderShape
  package let schema: SchemaSite?
  package let pointer: String
  package let source: SourceMark
}

/// A schema that the contract uses: where it stands, and its number among the sites of the library.
package struct SchemaSite: Sendable {
  package let located: Located
  /// Nil for schemas by which no answer is judged, such as those of parameters.
  package let index: Int?
}
