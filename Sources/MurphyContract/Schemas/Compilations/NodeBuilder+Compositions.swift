import MurphyJSON

extension NodeBuilder {
  func compositions() throws(SchemaError) {
    try rule("allOf") { value throws(SchemaError) in .all(try list("allOf", value)) }
    try rule("anyOf") { value throws(SchemaError) in .any(try list("anyOf", value)) }
    try rule("oneOf") { value throws(SchemaError) in .one(try list("oneOf", value)) }
    try rule("not") { value in .not(child(["not"], value, isPart: true)) }
    try rule("if", since: 7) { value in
      let then = object["then"].map { child(["then"], $0, isPart: true) }
      let otherwise = object["else"].map { child(["else"], $0, isPart: true) }
      // Without branches it still says which properties it looked at.
      return .conditional(child(["if"], value, isPart: true), then: then, else: otherwise)
    }
  }

  func unevaluated() throws(SchemaError) {
    try rule("unevaluatedItems", since: 2019) { value in
      .unevaluatedItems(child(["unevaluatedItems"], value, isPart: false))
    }
    try rule("unevaluatedProperties", since: 2019) { value in
      .unevaluatedProperties(child(["unevaluatedProperties"], value, isPart: false))
    }
  }
}
