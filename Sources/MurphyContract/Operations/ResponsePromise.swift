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
  package let pointer: String
  package let source: SourceMark
}

/// A documented response header.
package struct HeaderPromise: Sendable {
  /// As documented.
  package let name: String
  /// For comparison with raw field names.
  package let lowercased: [UInt8]
  package let isRequired: Bool
  package let shape: HeaderShape
  package let schema: SchemaSite?
  package let pointer: String
  package let source: SourceMark
}

/// A schema of the contract: where it stands and its entry into the compiled program.
package struct SchemaSite: Sendable {
  package let located: Located
  /// Nil for schemas that are not compiled for responses, such as those of parameters.
  package let entry: Int?
}
