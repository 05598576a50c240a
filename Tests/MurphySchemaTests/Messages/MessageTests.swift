import MurphySchema
import Testing

/// What people read when a document breaks its schema.
@Suite struct MessageTests {
  func messages(_ cases: [(String, String)], formats: Bool = true) throws -> String {
    try cases.map { schema, document in
      var options = SchemaOptions()
      options.formatAssertion = formats
      let schema = try Schema(json: schema, options: options, uri: "file:///api/law.json")
      let violations = schema.validate(try JSONValue.parse(document))
      #expect(!violations.isEmpty)
      return violations.map(\.description).joined(separator: "\n")
    }.joined(separator: "\n\n") + "\n"
  }

  @Test func `a violation of a scalar has the golden message`() throws {
    try Golden.expect(
      messages([
        (#"{"type":"string"}"#, "42"), (#"{"type":["integer","null"]}"#, "1.5"),
        (#"{"enum":["up","down",null]}"#, #""sideways""#),
        (#"{"const":{"a":1}}"#, "[]"), (#"{"minimum":1}"#, "0"), (#"{"exclusiveMaximum":1.5}"#, "1.5"),
        (#"{"multipleOf":0.01}"#, "4.355"), (#"{"minLength":10}"#, #""short""#), (#"{"maxLength":3}"#, #""déjà vu""#),
        (#"{"pattern":"^[a-z]+$"}"#, #""A b""#), (#"{"format":"date-time"}"#, #""2023-02-29T08:00:00Z""#),
        ("false", "1"),
      ]), is: "scalars.txt")
  }

  /// A value of the wrong type is one violation, whatever values are listed.
  @Test func `a wrong type is said once`() throws {
    let text = try messages([(#"{"type":"string","enum":["spawn","stop"]}"#, "null")])
    #expect(
      text == "the document: found null; expected a string\n  (schema rule: file:///api/law.json#/type)\n", "\(text)")
  }

  @Test func `a violation in an object or array has the golden message`() throws {
    try Golden.expect(
      messages([
        (#"{"required":["id","text"],"properties":{"id":true}}"#, #"{"name":1}"#),
        (
          #"{"properties":{"id":{"type":"integer"},"text":true},"additionalProperties":false}"#,
          #"{"id":"7","txt":"x"}"#
        ),
        (#"{"properties":{"a~/b":{"items":{"minimum":3}}}}"#, #"{"a~/b":[3,1,4,1]}"#),
        (#"{"propertyNames":{"pattern":"^[a-z]+$"}}"#, #"{"Ab":1}"#),
        (#"{"dependentRequired":{"card":["address"]}}"#, #"{"card":1}"#), (#"{"minItems":2,"uniqueItems":true}"#, "[]"),
        (#"{"uniqueItems":true}"#, #"[{"a":1},2,{"a":1.0}]"#), (#"{"prefixItems":[true],"items":false}"#, "[1,2,3]"),
        (#"{"contains":{"type":"integer"},"minContains":2}"#, #"["a",1]"#),
        (#"{"maxProperties":1}"#, #"{"a":1,"b":2}"#),
        (#"{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}"#, #"{"a":1,"b":2}"#),
      ]), is: "containers.txt")
  }

  @Test func `the closest branch comes first`() throws {
    let contact = #"""
      {"oneOf":[
        {"type":"null"},
        {"type":"object","required":["kind","address"],"properties":{"kind":{"const":"email"},"address":{"format":"email"}}},
        {"type":"object","required":["kind","url","title"],"properties":{"kind":{"const":"web"},"url":{"format":"uri"}}}]}
      """#
    try Golden.expect(
      messages([
        (contact, #"{"kind":"web","url":"not a uri","title":"x"}"#), (contact, #"{"kind":"email","address":"nobody"}"#),
        (contact, "1"),
        (#"{"anyOf":[{"type":"string"},{"minimum":5}]}"#, "3"), (#"{"oneOf":[{"minimum":1},{"maximum":5}]}"#, "3"),
        (#"{"not":{"type":"string"}}"#, #""x""#),
        (#"{"if":{"required":["a"]},"then":{"required":["b"]}}"#, #"{"a":1}"#),
      ]), is: "branches.txt")
  }

  @Test func `schemas that are none`() throws {
    let schemas = [
      #"{"type":"text"}"#, #"{"minLength":-1}"#, #"{"pattern":"(a"}"#, ##"{"$ref":"#/nowhere"}"##,
      #"{"$ref":"other.json"}"#, ##"{"$ref":"#there"}"##,
      #"{"properties":{"a":{"required":"a"}}}"#, #"{"multipleOf":0}"#, "[]", ##"{"$ref":"#"}"##,
      #"{"$schema":"http://example.com/mine"}"#, "{", #"{"pattern":"(?<=a+)b"}"#,
    ]
    let texts = schemas.map { text -> String in
      do throws(SchemaError) {
        let schema = try Schema(json: text, uri: "file:///api/law.json")
        let verdict = schema.verdict("b")
        if case .unchecked(let reason) = verdict { return "not checked: \(reason)" }
        return "\(verdict)"
      } catch {
        return error.description
      }
    }
    try Golden.expect(texts.joined(separator: "\n") + "\n", is: "schemas.txt")
  }

  @Test func `a mistake is listed at thirty places`() throws {
    let schema = try Schema(json: #"{"items":{"type":"string"}}"#)
    #expect(schema.validate(.array((0..<1000).map { JSONValue($0) })).count == 30)
  }

  /// A page of items with mistakes of their own says what is wrong behind the items, too.
  @Test func `mistakes of items leave room for those behind them`() throws {
    let names = (0..<12).map { "p\($0)" }
    let properties = names.map { "\"\($0)\": { \"type\": \"string\" }" }.joined(separator: ",")
    let schema = try Schema(
      json: #"{"properties":{"data":{"items":{"properties":{"# + properties + #"}}},"total":{"type":"integer"}}}"#)
    let item = JSONValue.object(JSONObject(names.map { ($0, JSONValue(1)) }))
    let page = JSONValue.object(JSONObject([("data", .array(Array(repeating: item, count: 50))), ("total", .null)]))
    let violations = schema.validate(page)
    #expect(violations.count == 12 * 30 + 1)
    #expect(violations.last?.instancePointer.description == "/total")
  }

  @Test func `mistakes beyond a hundred are not listed`() throws {
    let schema = try Schema(json: #"{"additionalProperties":{"type":"string"}}"#)
    let value = JSONValue.object(JSONObject((0..<1000).map { ("p\($0)", JSONValue(1)) }))
    #expect(schema.validate(value).count == 100)
  }

  /// Two items that lack different properties show two mistakes.
  @Test func `each missing property is a mistake of its own`() throws {
    let schema = try Schema(json: #"{"items":{"required":["a","b"]}}"#)
    let violations = schema.validate(try JSONValue.parse(#"[{"a":1},{"b":1}]"#))
    #expect(violations.map(\.expected) == [#"the required property "b""#, #"the required property "a""#])
  }
}
