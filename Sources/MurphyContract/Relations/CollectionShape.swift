import MurphyJSON

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
  package var sort: Sort?
  package var direction: Direction?
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

  /// A member of an item.
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

  /// A number of pages.
  package struct Page: Sendable, Hashable {
    package var name: String
    /// The number of the first page; nil where the contract does not say.
    package var first: Int?
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
}
