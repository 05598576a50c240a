import MurphyJSON

/// A schema inside the registry: its value, and the resource that gives it base URI and dialect.
struct SchemaPlace {
  let document: Int
  let pointer: JSONPointer
  let resource: Int
  let value: JSONValue
}
