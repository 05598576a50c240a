import MurphyJSON

extension NodeBuilder {
  func arrays() throws(SchemaError) {
    if dialect.generation >= 2020 {
      try rule("prefixItems") { value throws(SchemaError) in
        .items(
          prefix: try list("prefixItems", value), rest: object["items"].map { child(["items"], $0, isPart: false) })
      }
      if object["prefixItems"] == nil {
        try rule("items") { value in .items(prefix: [], rest: child(["items"], value, isPart: false)) }
      }
    } else {
      try rule("items") { value throws(SchemaError) in
        guard case .array(let values) = value else {
          return .items(prefix: [], rest: child(["items"], value, isPart: false))
        }
        let prefix = values.enumerated().map { child(["items", String($0)], $1, isPart: false) }
        return .items(
          prefix: prefix, rest: object["additionalItems"].map { child(["additionalItems"], $0, isPart: false) })
      }
    }
    try rule("contains", since: 6) { value throws(SchemaError) in
      var minimum = 1
      var maximum: Int?
      if dialect.generation >= 2019, vocabularies.contains(.validation) {
        if let value = object["minContains"] { minimum = try count("minContains", value) }
        if let value = object["maxContains"] { maximum = try count("maxContains", value) }
      }
      return .contains(
        ContainedItems(
          node: child(["contains"], value, isPart: false), minimum: minimum, maximum: maximum,
          evaluates: dialect.generation >= 2020))
    }
  }
}
