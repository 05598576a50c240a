/// The data about an operation that is needed to check a scenario against the contract.
package struct OperationSummary: Sendable, Hashable {
  /// The operationId.
  package var id: String
  /// The HTTP method.
  package var method: String
  /// `/laws/{id}/vote`
  package var path: String
  /// The documented parameters.
  package var parameters: [Parameter]
  /// True if the contract documents a request body.
  package var takesBody: Bool
  /// True if the contract requires a request body.
  package var requiresBody: Bool
  /// Documented statuses as written: `200`, `4XX`, `default`.
  package var statuses: [String]
  /// Documented media types of a response with status 429; empty if the contract describes no body of it.
  package var rejectionTypes: [String] = []
  /// Fields of the items of a list; nil if the response is not a list.
  package var itemFields: [String]?

  package init(
    id: String, method: String, path: String, parameters: [Parameter], takesBody: Bool, requiresBody: Bool,
    statuses: [String]
  ) {
    self.id = id
    self.method = method
    self.path = path
    self.parameters = parameters
    self.takesBody = takesBody
    self.requiresBody = requiresBody
    self.statuses = statuses
  }

  /// A documented parameter of the operation.
  package struct Parameter: Sendable, Hashable {
    /// The part of the request that holds the parameter.
    package enum Location: String, Sendable { case path, query, header, cookie }

    /// The name as requests send it.
    package var name: String
    /// The part of the request that holds it.
    package var location: Location
    /// True if the contract requires it.
    package var required: Bool

    package init(name: String, location: Location, required: Bool) {
      self.name = name
      self.location = location
      self.required = required
    }
  }
}

/// The sort order of a list: a field, `created_at`, descending `-created_at`, or a sum of fields, `upvotes -
/// downvotes`.
package struct ListOrder: Sendable, Hashable {
  /// One field of a sum.
  package struct Term: Sendable, Hashable {
    /// The name of the field in an item.
    package var field: String
    /// True if the field is subtracted.
    package var isNegative: Bool

    package init(field: String, isNegative: Bool = false) {
      self.field = field
      self.isNegative = isNegative
    }
  }

  /// The terms, at least one.
  package let terms: [Term]
  /// The order as written, without the sign of a single field.
  package let text: String
  /// True for a single field with `-` in front.
  package let isDescending: Bool

  /// False for an order by a single field.
  package var isSum: Bool { terms.count > 1 }

  /// Nil for anything other than names with `+` or `-` between them.
  package init?(_ text: String) {
    var terms: [Term] = []
    var isNegative = false
    for (place, word) in text.split(separator: " ").enumerated() {
      guard place % 2 == 0 else {
        guard word == "+" || word == "-" else { return nil }
        isNegative = word == "-"
        continue
      }
      let isSigned = place == 0 && word.hasPrefix("-")
      let name = isSigned ? word.dropFirst() : word
      guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" || $0 == "." }) else {
        return nil
      }
      terms.append(Term(field: String(name), isNegative: isSigned || isNegative))
    }
    guard !terms.isEmpty, text.split(separator: " ").count % 2 == 1 else { return nil }
    isDescending = terms.count == 1 && terms[0].isNegative
    self.text = isDescending ? terms[0].field : text
    self.terms = isDescending ? [Term(field: terms[0].field, isNegative: false)] : terms
  }
}

/// The declarations of a scenario about a list's order, in addition to its contract.
package struct ListPromise: Sendable, Hashable {
  /// The order if a request sets none.
  package var order: ListOrder?
  /// The order by value of the sort parameter.
  package var sorts: [String: ListOrder]

  package init(order: ListOrder? = nil, sorts: [String: ListOrder] = [:]) {
    self.order = order
    self.sorts = sorts
  }
}
