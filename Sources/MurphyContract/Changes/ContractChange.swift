import MurphyModel
import MurphySchema

/// One difference between two versions of a contract, and its effect on clients of the old one.
package struct ContractChange: Sendable {
  /// The effect on a client that follows the old contract.
  package enum Severity: String, Sendable, Hashable, CaseIterable {
    /// A request that was valid is invalid, or a response may have a form that was excluded.
    case breaking
    /// The documents do not contain enough information for a decision.
    case possiblyBreaking = "possibly-breaking"
    case compatible
  }

  /// The worst effect of the change.
  package let severity: Severity
  /// `request-property-removed`
  package let rule: String
  /// `GET /laws` in the old contract, or in the new one if it was added; nil for the whole contract.
  package let operation: String?
  /// The changed part: `response 200 application/json, data[*].title`; empty for the whole operation.
  package let part: String
  /// Old and new values: `string → integer`.
  package let text: String
  /// The reason why the change is only possibly breaking; nil for all others.
  package let reason: String?
  /// Nil if the old document has no such part.
  package let old: SourceMark?
  /// Nil if the new document has no such part.
  package let new: SourceMark?
  let subject: Subject

  /// True if every client is concerned that calls the operation, whatever it sends and reads.
  package var concernsCallers: Bool {
    switch subject {
    case .everyone, .callers: true
    case .parameter, .body, .response, .header: false
    }
  }

  /// The clients that a change concerns.
  enum Subject: Sendable {
    /// Every client of the API.
    case everyone
    /// Every client that calls the operation, by its index in the old contract. Nil for a new operation.
    case callers(Int?)
    case parameter(Int, ParameterKey, Site? = nil)
    case body(Int, Site? = nil)
    case response(Int, ResponsePromise.Status, Site? = nil)
    case header(Int, ResponsePromise.Status, String, Site? = nil)
  }

  /// The place of a change in the graph of schemas.
  struct Site: Sendable {
    var root: Int
    var node: Int
    /// The property that was added, removed or changed at the node; nil for the value itself.
    var label: String?
    /// Only clients that send this value are concerned; nil for all values.
    var value: JSONValue?
  }
}

/// The name of a parameter.
package struct ParameterKey: Sendable, Hashable {
  /// The part of the request that contains it.
  package var location: Contract.Parameter.Location
  /// Lower case for a header.
  package var name: String

  package init(_ location: Contract.Parameter.Location, _ name: String) {
    self.location = location
    self.name = location == .header ? name.lowercased() : name
  }
}

/// The direction in which values of a schema travel, and how they are written.
struct SchemaSide: Hashable {
  /// A schema of a request may only accept more, one of a response may only allow less.
  var isRequest: Bool
  /// True if values are written as text, so that every value is also a string: parameters, headers, forms.
  var isText = false
  /// True for parameters.
  var isParameter = false
  /// True for the properties of a parameter. Their serialisation depends on its style.
  var isNestedParameter = false
  /// True if values are not part of the message: `readOnly` in requests, `writeOnly` in responses.
  var isIgnored = false

  /// The effect of a new schema on the set of valid values.
  enum Effect {
    case narrows, widens
    /// Some values become invalid, and others valid.
    case changes
    /// The same values are valid.
    case none
    case undecided
  }

  func severity(_ effect: Effect) -> ContractChange.Severity {
    if isIgnored { return .compatible }
    switch effect {
    case .none: return .compatible
    case .changes: return .breaking
    case .undecided: return .possiblyBreaking
    case .narrows: return isRequest ? .breaking : .compatible
    case .widens: return isRequest ? .compatible : .breaking
    }
  }
}

/// A change of one schema, apart from those of its properties and items.
struct SchemaChange {
  var severity: ContractChange.Severity
  var rule: String
  var text: String
  var reason: String?
  var old: Located?
  var new: Located?
  /// The property that changed; nil for the value itself.
  var label: String?
  /// Only clients that send this value are concerned; nil for all values.
  var value: JSONValue?
}
