import MurphyJSON

/// The properties and items of one value that some schema has looked at (2020-12 core §11).
struct Evaluated {
  var allProperties = false
  var properties: Set<JSONKey> = []
  /// Some `properties` keyword has spoken about this object.
  var isDocumented = false
  var allItems = false
  /// The first so many items.
  var prefix = 0
  /// Items that `contains` found.
  var items: Set<Int> = []

  mutating func merge(_ other: Evaluated) {
    allProperties = allProperties || other.allProperties
    isDocumented = isDocumented || other.isDocumented
    allItems = allItems || other.allItems
    prefix = max(prefix, other.prefix)
    if properties.isEmpty { properties = other.properties } else { properties.formUnion(other.properties) }
    if items.isEmpty { items = other.items } else { items.formUnion(other.items) }
  }

  func contains(item: Int) -> Bool { allItems || item < prefix || items.contains(item) }
  func contains(property: String) -> Bool { allProperties || properties.contains(JSONKey(property)) }
}
