import MurphySchema
import Testing

@Suite struct OpenAPIDialectTests {
  /// The verdict on a value, by the schema at `/components/schemas/S` of an OpenAPI document; tape and tree agree.
  func verdict(
    _ schemas: String, _ document: String, _ dialect: Dialect = .openAPI30,
    _ change: (inout SchemaOptions) -> Void = { _ in }
  ) throws -> SchemaVerdict {
    let version = dialect == .openAPI30 ? "3.0.3" : "3.1.0"
    let api = try JSONValue.parse("{\"openapi\":\"\(version)\",\"components\":{\"schemas\":\(schemas)}}")
    var registry = SchemaRegistry()
    try registry.add(api, uri: "file:///api.yaml", dialect: dialect)
    var options = SchemaOptions()
    options.formatAssertion = true
    change(&options)
    let compiler = SchemaCompiler(registry: registry, options: options)
    let entry = try compiler.compile(
      uri: "file:///api.yaml", pointer: JSONPointer(tokens: ["components", "schemas", "S"]))
    let program = compiler.finish()
    let tree = program.isValid(entry, try JSONValue.parse(document))
    let parser = TapeParser()
    let tape = Array(document.utf8).withUnsafeBytes { program.isValid(entry, parser.parse($0), SchemaScratch()) }
    #expect(tape == tree)
    return tape
  }

  @Test func `nullable adds null to the type`() throws {
    #expect(try verdict(#"{"S":{"type":"string","nullable":true}}"#, "null") == .valid)
    #expect(try verdict(#"{"S":{"type":"string"}}"#, "null") == .invalid)
    // Without a type there is nothing to add to; an enum must list null itself (OpenAPI 3.0.3 §4.7.24.1).
    #expect(try verdict(#"{"S":{"nullable":true,"enum":["a"]}}"#, "null") == .invalid)
    #expect(try verdict(#"{"S":{"type":"string","nullable":true}}"#, "null", .openAPI31) == .invalid)
  }

  @Test func `exclusive bounds are booleans in 30`() throws {
    #expect(try verdict(#"{"S":{"minimum":1,"exclusiveMinimum":true}}"#, "1") == .invalid)
    #expect(try verdict(#"{"S":{"minimum":1,"exclusiveMinimum":false}}"#, "1") == .valid)
    #expect(try verdict(#"{"S":{"exclusiveMinimum":1}}"#, "1", .openAPI31) == .invalid)
    #expect(throws: SchemaError.self) { try verdict(#"{"S":{"exclusiveMinimum":1}}"#, "1") }
  }

  @Test func `the siblings of a reference count from 31`() throws {
    let schemas = ##"{"S":{"$ref":"#/components/schemas/T","maxLength":1},"T":{"type":"string"}}"##
    #expect(try verdict(schemas, #""ab""#) == .valid)
    #expect(try verdict(schemas, #""ab""#, .openAPI31) == .invalid)
  }

  @Test func `integers of 30 have no fraction`() throws {
    #expect(try verdict(#"{"S":{"type":"integer"}}"#, "1.0") == .invalid)
    #expect(try verdict(#"{"S":{"type":"integer"}}"#, "1.0", .openAPI31) == .valid)
  }

  @Test(arguments: [
    ("int32", "2147483648", SchemaVerdict.invalid), ("int32", "2147483647", .valid),
    ("int64", "9223372036854775808", .invalid),
    ("int64", "1.5", .invalid), ("byte", #""aGk=""#, .valid), ("byte", #""aGk""#, .invalid),
    ("password", #""x""#, .valid),
  ])
  func `formats of open API are checked`(_ format: String, _ document: String, _ expected: SchemaVerdict) throws {
    #expect(try verdict(#"{"S":{"format":"\#(format)"}}"#, document) == expected)
  }

  @Test func `direction decides what may be there`() throws {
    let schemas = ##"""
      {"S":{"type":"object","required":["id","password","name"],"properties":{
      "id":{"$ref":"#/components/schemas/Id"},"password":{"type":"string","writeOnly":true},"name":{"type":"string"}}},
      "Id":{"type":"integer","readOnly":true}}
      """##
    let inbound = #"{"password":"x","name":"y"}"#
    let outbound = #"{"id":1,"name":"y"}"#
    for dialect in [Dialect.openAPI30, .openAPI31] {
      #expect(try verdict(schemas, inbound, dialect) { $0.direction = .request } == .valid)
      #expect(try verdict(schemas, outbound, dialect) { $0.direction = .request } == .invalid)
      #expect(try verdict(schemas, outbound, dialect) { $0.direction = .response } == .valid)
      #expect(
        try verdict(schemas, #"{"id":1,"name":"y","password":"x"}"#, dialect) { $0.direction = .response } == .invalid)
      #expect(try verdict(schemas, outbound, dialect) == .invalid)
    }
  }

  @Test func `undocumented properties are found through compositions`() throws {
    let schemas = ##"""
      {"S":{"allOf":[{"$ref":"#/components/schemas/Base"},{"properties":{"b":{"type":"object","properties":{"c":{}}}}}],
      "oneOf":[{"required":["x"],"properties":{"x":{}}},{"required":["y"],"properties":{"y":{}}}]},
      "Base":{"type":"object","properties":{"a":{},"free":{"type":"object"}}}}
      """##
    func strict(_ options: inout SchemaOptions) { options.rejectsUndocumentedProperties = true }
    #expect(try verdict(schemas, #"{"a":1,"b":{"c":1},"x":1,"free":{"anything":1}}"#, .openAPI30, strict) == .valid)
    #expect(try verdict(schemas, #"{"a":1,"x":1,"z":1}"#, .openAPI30, strict) == .invalid)
    #expect(try verdict(schemas, #"{"a":1,"x":1,"b":{"d":1}}"#, .openAPI30, strict) == .invalid)
    #expect(try verdict(schemas, #"{"a":1,"x":1,"z":1}"#) == .valid)
  }

  @Test func `keywords that 30 does not know are unchecked not passed`() throws {
    guard case .unchecked(let reason) = try verdict(#"{"S":{"const":1}}"#, "1") else {
      Issue.record("expected unchecked")
      return
    }
    #expect(reason.contains("no meaning in OpenAPI 3.0"))
    #expect(try verdict(#"{"S":{"const":1}}"#, "2", .openAPI31) == .invalid)
  }

  @Test func `one bad schema takes only itself down`() throws {
    let schemas = ##"{"S":{"properties":{"a":{"pattern":"(a"},"b":{"$ref":"#/nowhere"},"c":{"type":"integer"}}}}"##
    func lenient(_ options: inout SchemaOptions) { options.invalidKeywords = .unchecked }
    #expect(try verdict(schemas, #"{"c":1}"#, .openAPI30, lenient) == .valid)
    #expect(try verdict(schemas, #"{"c":"x","a":"a"}"#, .openAPI30, lenient) == .invalid)
    guard case .unchecked(let reason) = try verdict(schemas, #"{"a":"a"}"#, .openAPI30, lenient) else {
      Issue.record("expected unchecked")
      return
    }
    #expect(reason.contains("file:///api.yaml#/components/schemas/S/properties/a/pattern"))
  }

  @Test func `a mistake names document and pointer`() {
    let error = #expect(throws: SchemaError.self) { try verdict(#"{"S":{"items":{"minLength":"1"}}}"#, "[]") }
    #expect(error?.location.document == "file:///api.yaml")
    #expect(error?.location.pointer.description == "/components/schemas/S/items/minLength")
  }
}
