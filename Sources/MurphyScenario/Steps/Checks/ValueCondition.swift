import MurphyJSON
import MurphyModel

/// What a value of an answer must be.
package enum ValueCondition: Sendable {
  /// This value; of a query that may find several nodes, one of them must be it.
  case equals(Template)
  /// There, or not there.
  case present(Bool)
  /// Every value found conforms to a JSON Schema, and there is one.
  case conforms(InlineSchema)

  /// For messages: behind "expected $.limit ".
  package var text: String {
    switch self {
    case .equals(let template): "to be \(template.isConstant ? template.constantText : template.source)"
    case .present(true): "to be present"
    case .present(false): "to be absent"
    case .conforms(let schema): schema.text
    }
  }
}

/// A JSON Schema that stands in a scenario: `{ type: string }`, `{ pattern: ^a }`, `{ schema: { … } }`.
package struct InlineSchema: Sendable {
  package var value: JSONValue
  /// What it asks for, for messages: `to match the pattern ^a`.
  package var text: String
  package var mark: SourceMark
  /// Where each part stands, by JSON Pointer into `value`.
  package var marks: [String: SourceMark]
}

extension Template {
  /// A constant as JSON.
  fileprivate var constantText: String {
    if case .constant(let value) = content { value.text } else { source }
  }
}
