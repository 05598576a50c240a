import MurphyModel
import MurphySchema

/// The contract's description of an operation that returns a list: its parameters and its response.
package struct CollectionShape: Sendable {
  /// Its index in the contract.
  package let operation: Int
  /// The members that lead to the array; empty if the array is the whole response.
  package var items: [String]
  /// The items' identifier, an integer or a string; nil without one.
  package var id: Field?
  /// Nil if the operation has no such parameter.
  package var limit: Bound?
  /// Nil if the operation has no such parameter.
  package var offset: Bound?
  /// Nil if the operation has no such parameter.
  package var page: Page?
  /// Parameters with a position in the list that is not a count.
  package var cursors: [String] = []
  /// The location of the next cursor in a response; nil if there is none or it is ambiguous.
  package var cursor: Cursor?
  /// The parent resource that the path names and all items belong to.
  package var parent: Parent?
  /// Nil if the operation cannot be sorted.
  package var sort: Sort?
  /// The parameter of the order, and its default, even if its values are not fields.
  var sortParameter: String?
  var sortStandard: String?
  /// Nil if the order has no parameter of its own.
  package var direction: Direction?
  /// The scenario's promise of the order without a sort parameter.
  package var standingOrder: Sort.Key?
  /// Empty if the operation has none.
  package var filters: [Filter] = []
  /// Parameters of free-text searches.
  package var searches: [String] = []
  /// Parameters that select a representation and no rows: `fields`, `include`.
  package var views: [String] = []
  /// The path of the member in the body; nil without one.
  package var total: [String]?
  /// The path of the member in the body; nil without one.
  package var lastPage: [String]?
  /// The path of the member in the body; nil without one.
  package var hasMore: [String]?
  /// The member with the link to the next page.
  package var next: [String]?
  package var echoes: [Echo] = []
  /// Names of the scalar fields of an item, in the schema's order.
  package var fields: [String] = []

  /// A member of an item.
  package struct Field: Sendable, Hashable {
    package var name: String
    /// False for a string.
    package var isInteger: Bool
  }

  /// A whole-number parameter that counts items.
  package struct Bound: Sendable, Hashable {
    package var name: String
    /// The documented default; nil without one.
    package var standard: Int?
    /// Nil if the contract does not limit it.
    package var minimum: Int?
    /// Nil if the contract does not limit it.
    package var maximum: Int?
  }

  /// A parameter that counts pages.
  package struct Page: Sendable, Hashable {
    package var name: String
    /// The number of the first page; nil if the contract does not state it.
    package var first: Int?
  }

  /// A position in the list that one response returns and the next request sends.
  package struct Cursor: Sendable, Hashable {
    /// The parameter of the cursor.
    package var name: String
    /// The response member of the cursor.
    package var path: [String]
    /// It is a timestamp (RFC 3339): the request returns changes from then on.
    package var isMoment: Bool
  }

  /// `/contacts/{id}/notes`: each note has a reference to its contact.
  package struct Parent: Sendable, Hashable {
    package var parameter: String
    /// The path segment with its id, from 0.
    package var segment: Int
    /// The member of an item with its id: `contact_id`, or `contact` and inside it `id`.
    package var path: [String]
    package var isInteger: Bool
  }

  /// A parameter that selects the order.
  package struct Sort: Sendable, Hashable {
    package var name: String
    /// By value: the sort key. Values that name no field are omitted.
    package var keys: [String: Key]
    /// The documented default; nil without one.
    package var standard: String?

    /// An order that the parameter can select.
    package struct Key: Sendable, Hashable {
      package var field: String
      /// Nil if another parameter sets the direction, or none does.
      package var isDescending: Bool?
      /// The summed fields; empty for a single field.
      package var terms: [ListOrder.Term] = []

      var fields: [String] { terms.isEmpty ? [field] : terms.map(\.field) }
    }
  }

  /// A parameter that selects ascending or descending order.
  package struct Direction: Sendable, Hashable {
    package var name: String
    /// By value: true if it means descending.
    package var values: [String: Bool]
    /// The documented default; nil without one.
    package var standard: String?
  }

  /// A parameter that selects items with a value.
  package struct Filter: Sendable, Hashable {
    /// The type of the parameter's values.
    package enum Form: Sendable, Hashable { case integer, boolean, text }

    /// The name of both the parameter and the field.
    package var name: String
    package var form: Form
    /// The possible values of the field, if the contract lists them: `status=all` is none of them.
    package var values: Set<String> = []
  }

  /// A member of the response that repeats a parameter.
  package struct Echo: Sendable, Hashable {
    /// The parameter that the member repeats.
    package enum Role: Sendable, Hashable { case limit, offset, page }

    package var role: Role
    /// The path of the member in the body.
    package var path: [String]
    /// Its name differs from the parameter's, so its meaning may differ.
    package var isSynonym: Bool
  }
}

extension CollectionShape {
  /// True if it supports paging.
  package var isPaged: Bool { limit != nil && (offset != nil || page != nil) }

  /// Adds a scenario's promises, if items have their fields.
  mutating func apply(_ promise: ListPromise) {
    standingOrder = promise.order.flatMap { key($0, isDescending: $0.isDescending) }
    guard let name = sortParameter else { return }
    for (value, order) in promise.sorts {
      guard let key = key(order, isDescending: order.isDescending ? true : nil) else { continue }
      if sort == nil { sort = Sort(name: name, keys: [:], standard: sortStandard) }
      sort?.keys[value] = key
    }
  }

  private func key(_ order: ListOrder, isDescending: Bool?) -> Sort.Key? {
    guard order.terms.allSatisfy({ fields.contains($0.field) }) else { return nil }
    return Sort.Key(field: order.text, isDescending: isDescending, terms: order.isSum ? order.terms : [])
  }
}

/// The contract's description of an operation that returns one item.
package struct ItemShape: Sendable {
  /// Its index in the contract.
  package let operation: Int
  /// The parameter at the end of its path.
  package var parameter: String
  /// The members that lead to the item; empty if it is the whole response.
  package var path: [String] = []
  /// The member that identifies the item.
  package var field: String
  /// False for an id that is a string.
  package var isInteger: Bool
  /// Strings with several spellings, such as slugs: the contract suggests that they are identifiers, but does not state
  /// it.
  package var isLoose: Bool
  /// The index of the collection in ``ContractRelations/collections``; nil if there is none.
  package var collection: Int?
  /// Members with the number of items in a list below it.
  package var counts: [Count] = []

  /// `number_of_notes`, with `/contacts/{id}/notes`.
  package struct Count: Sendable, Hashable {
    /// Relative to the item.
    package var path: [String]
    /// The index of the list in ``ContractRelations/collections``.
    package var collection: Int
  }
}
