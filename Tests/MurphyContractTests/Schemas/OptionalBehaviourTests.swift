import MurphyContract
import MurphyJSON
import Testing

/// What the specifications leave open, and what this validator does.
@Suite struct OptionalBehaviourTests {
  func verdict(
    _ schema: String, _ document: String, _ dialect: Dialect = .draft202012, formats: Bool = false,
    remotes: [String: String] = [:]
  ) throws -> SchemaVerdict {
    var options = SchemaOptions()
    options.formatAssertion = formats
    let schema = try Schema(json: schema, dialect: dialect, options: options) { uri in
      try remotes[uri].map { try JSONValue.parse($0) }
    }
    let value = try JSONValue.parse(document)
    let parser = TapeParser()
    let tape = Array(document.utf8).withUnsafeBytes {
      schema.program.isValid(schema.entry, parser.parse($0), SchemaScratch())
    }
    #expect(tape == schema.verdict(value))
    return tape
  }

  @Test(arguments: [
    (#"{"type":"integer"}"#, "12345678910111213141516171819202122232425262728293031", SchemaVerdict.valid),
    (#"{"type":"string"}"#, "98249283749234923498293171823948729348710298301928331", .invalid),
    (#"{"maximum":18446744073709551615}"#, "18446744073709551600", .valid),
    (#"{"exclusiveMaximum":972783798187987123879878123.18878137}"#, "972783798187987123879878123.188781371", .invalid),
    (#"{"minimum":-18446744073709551615}"#, "-18446744073709551600", .valid),
    (
      #"{"exclusiveMinimum":-972783798187987123879878123.18878137}"#, "-972783798187987123879878123.188781371", .invalid
    ),
    (#"{"multipleOf":0.123456789}"#, "1e308", .invalid), (#"{"type":"integer","multipleOf":0.5}"#, "1e308", .valid),
    (#"{"multipleOf":0.0001}"#, "0.0075", .valid), (#"{"multipleOf":0.0001}"#, "0.00751", .invalid),
    (#"{"const":9007199254740992}"#, "9007199254740993", .invalid), (#"{"enum":[1]}"#, "1.0", .valid),
    (#"{"type":"integer"}"#, "1.0", .valid), (#"{"type":"integer"}"#, "1.00000000000000000001", .invalid),
    // Found by fuzzing: the bound's double is 0.
    (#"{"minimum":1e-400}"#, "-0.0", .invalid), (#"{"minimum":0}"#, "0.0", .valid),
    (#"{"exclusiveMinimum":0}"#, "1e-400", .valid), (#"{"maximum":0.3}"#, "0.30000000000000000001", .invalid),
  ])
  func numbersAreExact(_ schema: String, _ document: String, _ expected: SchemaVerdict) throws {
    #expect(try verdict(schema, document) == expected)
  }

  @Test func draft4TellsIntegersByTheirWriting() throws {
    #expect(try verdict(#"{"type":"integer"}"#, "1.0", .draft4) == .invalid)
    #expect(try verdict(#"{"type":"integer"}"#, "123456789012345678901234567890", .draft4) == .valid)
  }

  @Test func eachDocumentIsReadInItsOwnDraft() throws {
    let old = #"{"$schema":"http://json-schema.org/draft-07/schema#","dependentRequired":{"foo":["bar"]}}"#
    let new = #"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"string"}]}"#
    let remotes = ["http://x/old": old, "http://x/new": new]
    #expect(
      try verdict(
        #"{"allOf":[{"properties":{"foo":true}},{"$ref":"http://x/old"}]}"#, #"{"foo":1}"#, .draft201909,
        remotes: remotes) == .valid)
    #expect(try verdict(#"{"type":"array","$ref":"http://x/new"}"#, "[1]", .draft201909, remotes: remotes) == .invalid)
  }

  @Test func dependenciesOutliveTheirDraft() throws {
    let schema = #"{"dependencies":{"bar":["foo"],"qux":{"required":["quux"]}}}"#
    #expect(try verdict(schema, #"{"bar":1}"#) == .invalid)
    #expect(try verdict(schema, #"{"qux":1}"#) == .invalid)
    #expect(try verdict(schema, #"{"bar":1,"foo":1}"#) == .valid)
  }

  @Test(arguments: [true, false]) func theFormatAssertionVocabularyAsserts(_ required: Bool) throws {
    let metaschema = """
      {"$id":"http://x/meta","$schema":"https://json-schema.org/draft/2020-12/schema","$vocabulary":{
      "https://json-schema.org/draft/2020-12/vocab/core":true,
      "https://json-schema.org/draft/2020-12/vocab/format-assertion":\(required)}}
      """
    let schema = #"{"$schema":"http://x/meta","format":"ipv4"}"#
    #expect(try verdict(schema, #""not-an-ipv4""#, remotes: ["http://x/meta": metaschema]) == .invalid)
    #expect(try verdict(schema, #""127.0.0.1""#, remotes: ["http://x/meta": metaschema]) == .valid)
  }

  @Test func aRequiredVocabularyThatIsNotKnownIsAnError() {
    let metaschema =
      #"{"$schema":"https://json-schema.org/draft/2020-12/schema","$vocabulary":{"http://x/vocab":true}}"#
    let error = #expect(throws: SchemaError.self) {
      try verdict(#"{"$schema":"http://x/meta"}"#, "1", remotes: ["http://x/meta": metaschema])
    }
    #expect(error?.kind == .unknownDialect)
  }

  @Test func identifiersCountOnlyWhereSchemasStand() throws {
    let schema = ##"""
      {"$defs":{"in_enum":{"enum":[{"$id":"http://x/id","type":"null"}]},"real":{"$id":"http://x/id","type":"string"},
      "unknown":{"not":{"strange":[{"$id":"http://x/id","type":"null"}]}}},"anyOf":[{"$ref":"#/$defs/in_enum"},{"$ref":"http://x/id"}]}
      """##
    #expect(try verdict(schema, #""text""#) == .valid)
    #expect(try verdict(schema, #"{"$id":"http://x/id","type":"null"}"#) == .valid)
    #expect(try verdict(schema, "null") == .invalid)
  }

  @Test func contentIsAssertedInDraft7AndAnnotatedLater() throws {
    let schema = #"{"contentMediaType":"application/json","contentEncoding":"base64"}"#
    #expect(try verdict(schema, #""ezp9Cg==""#, .draft7) == .invalid)
    #expect(try verdict(schema, #""eyJmb28iOiAiYmFyIn0K""#, .draft7) == .valid)
    #expect(try verdict(schema, #""{}""#, .draft7) == .invalid)
    #expect(try verdict(schema, #""ezp9Cg==""#) == .valid)
  }

  @Test func aMetaschemaRefusesAPatternThatIsNone() throws {
    #expect(try verdict(#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, #"{"pattern":"\\a"}"#) == .invalid)
    #expect(try verdict(#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, #"{"pattern":"\\w"}"#) == .valid)
  }

  @Test(arguments: Dialect.allCases.filter { $0 != .openAPI30 }) func everyMetaschemaDescribesItself(_ dialect: Dialect)
    throws
  {
    let reference = #"{"$ref":"\#(dialect.rawValue)"}"#
    #expect(
      try verdict(reference, #"{"type":"object","properties":{"a":{"minimum":1}}}"#, dialect, formats: true) == .valid)
    #expect(try verdict(reference, #"{"properties":{"a":{"minimum":"1"}}}"#, dialect, formats: true) == .invalid)
    #expect(try verdict(reference, #"{"properties":{"a":{"type":"text"}}}"#, dialect, formats: true) == .invalid)
  }
}
