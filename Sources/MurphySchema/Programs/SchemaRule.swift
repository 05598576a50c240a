/// A keyword with its meaning.
struct SchemaRule: Sendable {
  let keyword: String
  let assertion: Assertion
}
