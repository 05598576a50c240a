import MurphyModel
import MurphySchema

/// What a contract shows of an operation that answers with a list: how it is asked for, and what comes back.
package struct CollectionShape: Sendable {
  /// Its place in the contract.
  package let operation: Int
  /// The members that lead to the array; empty where the array is the whole answer.
  package var items: [String]
  /// The items' own name, an integer or a text; nil without one.
  package var id: Field?
  package var limit: Bound?
  package var offset: Bound?
  package var page: Page?
  /// Parameters that name a place in the list otherwise than by counting.
  package var cursors: [String] = []
  /// How an answer says where the next one goes on; nil where it does not, or more than one way is possible.
  package var cursor: Cursor?
  /// The thing that the path names and that all items belong to.
  package var parent: Parent?
  package var sort: Sort?
  /// The parameter of an order, and its default, whether or not its values are fields.
  var sortParameter: String?
  var sortStandard: String?
  package var direction: Direction?
  /// What the list is sorted by where a request does not say, as the scenario promises.
  package var standingOrder: Sort.Key?
  package var filters: [Filter] = []
  /// Parameters of free text: whatever searches.
  package var searches: [String] = []
  /// Parameters that choose a representation and no rows: `fields`, `include`.
  package var views: [String] = []
  package var total: [String]?
  package var lastPage: [String]?
  package var hasMore: [String]?
  /// The member with the link to the next page.
  package var next: [String]?
  package var echoes: [Echo] = []
  /// Names of the scalar fields of an item, in the schema's order.
  package var fields: [String] = []

  package struct Field: Sendable, Hashable {
    package var name: String
    package var isInteger: Bool
  }

  /// A whole number that counts items.
  package struct Bound: Sendable, Hashable {
    package var name: String
    package var standard: Int?
    package var minimum: Int?
    package var maximum: Int?
  }

  package struct Page: Sendable, Hashable {
    package var name: String
    /// The number of the first page; nil where the contract does not say.
    package var first: Int?
  }

  /// A place in the list that one answer gives and the next request takes.
  package struct Cursor: Sendable, Hashable {
    /// The parameter that takes it.
    package var name: String
    /// The member that gives it.
    package var path: [String]
    /// It is a moment (RFC 3339), from which on changes are asked for.
    package var isMoment: Bool
  }

  /// `/contacts/{id}/notes`: each note tells of the contact that it belongs to.
  package struct Parent: Sendable, Hashable {
    package var parameter: String
    /// The segment of the path that names it, from 0.
    package var segment: Int
    /// The member of an item that names it: `contact_id`, or `contact` and within it `id`.
    package var path: [String]
    package var isInteger: Bool
  }

  package struct Sort: Sendable, Hashable {
    package var name: String
    /// What each value sorts by; values that name no field are left out.
    package var keys: [String: Key]
    package var standard: String?

    package struct Key: Sendable, Hashable {
      package var field: String
      /// Nil where another parameter says, or nobody.
      package var isDescending: Bool?
      /// The fields that are added up; empty for a single one.
      package var terms: [ListOrder.Term] = []

      var fields: [String] { terms.isEmpty ? [field] : terms.map(\.field) }
    }
  }

  package struct Direction: Sendable, Hashable {
    package var name: String
    /// By value: whether it means descending.
    package var values: [String: Bool]
    package var standard: String?
  }

  /// A parameter that asks for items with a value.
  package struct Filter: Sendable, Hashable {
    package enum Form: Sendable, Hashable { case integer, boolean, text }

    /// Of the parameter and of the field.
    package var name: String
    package var form: Form
    /// Values that the field may have, where the contract lists them: `status=all` asks for none of them.
    package var values: Set<String> = []
  }

  /// A member of the answer that repeats a parameter.
  package struct Echo: Sendable, Hashable {
    package enum Role: Sendable, Hashable { case limit, offset, page }

    package var role: Role
    package var path: [String]
    /// It has another name than the parameter, and may mean something else.
    package var isSynonym: Bool
  }
}

extension CollectionShape {
  /// Whether it can be read page by page.
  package var isPaged: Bool { limit != nil && (offset != nil || page != nil) }

  /// Takes what a scenario promises, as far as items have the fields.
  mutating func take(_ promise: ListPromise) {
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

/// What a contract shows of an operation that answers with one item.
package struct ItemShape: Sendable {
  /// Its place in the contract.
  package let operation: Int
  /// The parameter at the end of its path.
  package var parameter: String
  /// The members that lead to the item; empty where it is the whole answer.
  package var path: [String] = []
  /// The member that names the item.
  package var field: String
  package var isInteger: Bool
  /// Texts that need not be spelled alike, as slugs: the contract suggests that they are names, and does not say so.
  package var isLoose: Bool
  /// The place of the collection in ``ContractRelations/collections``; nil where there is none.
  package var collection: Int?
  /// Members that tell how many things are listed below it.
  package var counts: [Count] = []

  /// `number_of_notes` beside `/contacts/{id}/notes`.
  package struct Count: Sendable, Hashable {
    /// From the item on.
    package var path: [String]
    /// The place of the list in ``ContractRelations/collections``.
    package var collection: Int
  }
}
