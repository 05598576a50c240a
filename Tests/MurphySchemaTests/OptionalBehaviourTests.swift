import MurphySchema
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
  func `numbers are exact`(_ schema: String, _ document: String, _ expected: SchemaVerdict) throws {
    #expect(try verdict(schema, document) == expected)
  }

  @Test func `draft 4 tells integers by their writing`() throws {
    #expect(try verdict(#"{"type":"integer"}"#, "1.0", .draft4) == .invalid)
    #expect(try verdict(#"{"type":"integer"}"#, "123456789012345678901234567890", .draft4) == .valid)
  }

  @Test func `each document is read in its own draft`() throws {
    let old = #"{"$schema":"http://json-schema.org/draft-07/schema#","dependentRequired":{"foo":["bar"]}}"#
    let new = #"{"$schema":"https://json-schema.org/draft/2020-12/schema","prefixItems":[{"type":"string"}]}"#
    let remotes = ["http://x/old": old, "http://x/new": new]
    #expect(
      try verdict(
        #"{"allOf":[{"properties":{"foo":true}},{"$ref":"http://x/old"}]}"#, #"{"foo":1}"#, .draft201909,
        remotes: remotes) == .valid)
    #expect(try verdict(#"{"type":"array","$ref":"http://x/new"}"#, "[1]", .draft201909, remotes: remotes) == .invalid)
  }

  @Test func `dependencies outlive their draft`() throws {
    let schema = #"{"dependencies":{"bar":["foo"],"qux":{"required":["quux"]}}}"#
    #expect(try verdict(schema, #"{"bar":1}"#) == .invalid)
    #expect(try verdict(schema, #"{"qux":1}"#) == .invalid)
    #expect(try verdict(schema, #"{"bar":1,"foo":1}"#) == .valid)
  }

  @Test(arguments: [true, false]) func `the format assertion vocabulary asserts`(_ required: Bool) throws {
    let metaschema = """
      {"$id":"http://x/meta","$schema":"https://json-schema.org/draft/2020-12/schema","$vocabulary":{
      "https://json-schema.org/draft/2020-12/vocab/core":true,
      "https://json-schema.org/draft/2020-12/vocab/format-assertion":\(required)}}
      """
    let schema = #"{"$schema":"http://x/meta","format":"ipv4"}"#
    #expect(try verdict(schema, #""not-an-ipv4""#, remotes: ["http://x/meta": metaschema]) == .invalid)
    #expect(try verdict(schema, #""127.0.0.1""#, remotes: ["http://x/meta": metaschema]) == .valid)
  }

  @Test func `a required vocabulary that is not known is an error`() {
    let metaschema =
      #"{"$schema":"https://json-schema.org/draft/2020-12/schema","$vocabulary":{"http://x/vocab":true}}"#
    let error = #expect(throws: SchemaError.self) {
      try verdict(#"{"$schema":"http://x/meta"}"#, "1", remotes: ["http://x/meta": metaschema])
    }
    #expect(error?.kind == .unknownDialect)
  }

  @Test func `identifiers count only where schemas stand`() throws {
    let schema = ##"""
      {"$defs":{"in_enum":{"enum":[{"$id":"http://x/id","type":"null"}]},"real":{"$id":"http://x/id","type":"string"},
      "unknown":{"not":{"strange":[{"$id":"http://x/id","type":"null"}]}}},"anyOf":[{"$ref":"#/$defs/in_enum"},{"$ref":"http://x/id"}]}
      """##
    #expect(try verdict(schema, #""text""#) == .valid)
    #expect(try verdict(schema, #"{"$id":"http://x/id","type":"null"}"#) == .valid)
    #expect(try verdict(schema, "null") == .invalid)
  }

  @Test func `content is asserted in draft 7 and annotated later`() throws {
    let schema = #"{"contentMediaType":"application/json","contentEncoding":"base64"}"#
    #expect(try verdict(schema, #""ezp9Cg==""#, .draft7) == .invalid)
    #expect(try verdict(schema, #""eyJmb28iOiAiYmFyIn0K""#, .draft7) == .valid)
    #expect(try verdict(schema, #""{}""#, .draft7) == .invalid)
    #expect(try verdict(schema, #""ezp9Cg==""#) == .valid)
  }

  @Test func `a metaschema rejects a pattern that is none`() throws {
    #expect(try verdict(#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, #"{"pattern":"\\a"}"#) == .invalid)
    #expect(try verdict(#"{"$ref":"https://json-schema.org/draft/2020-12/schema"}"#, #"{"pattern":"\\w"}"#) == .valid)
  }

  @Test(arguments: Dialect.allCases.filter { $0 != .openAPI30 }) func `every metaschema describes itself`(
    _ dialect: Dialect
  )
    throws
  {
    let reference = #"{"$ref":"\#(dialect.rawValue)"}"#
    #expect(
      try verdict(reference, #"{"type":"object","properties":{"a":{"minimum":1}}}"#, dialect, formats: true) == .valid)
    #expect(try verdict(reference, #"{"properties":{"a":{"minimum":"1"}}}"#, dialect, formats: true) == .invalid)
    #expect(try verdict(reference, #"{"properties":{"a":{"type":"text"}}}"#, dialect, formats: true) == .invalid)
  }

  @Test func `recursive references lead to the outermost recursive anchor`() throws {
    // A tree, and a strict tree that extends it: the strict one's closing must reach the tree's children.
    let tree = ##"""
      {"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"http://x/tree","$recursiveAnchor":true,
      "type":"object","properties":{"data":true,"children":{"type":"array","items":{"$recursiveRef":"#"}}}}
      """##
    let strict = #"""
      {"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"http://x/strict","$recursiveAnchor":ANCHOR,
      "$ref":"tree","unevaluatedProperties":false}
      """#
    let typo = #"{"children":[{"daat":1}]}"#
    let remotes = ["http://x/tree": tree]
    #expect(try verdict(strict.replacing("ANCHOR", with: "true"), typo, .draft201909, remotes: remotes) == .invalid)
    // Without an anchor of its own the outer schema is not part of the recursion.
    #expect(try verdict(strict.replacing("ANCHOR", with: "false"), typo, .draft201909, remotes: remotes) == .valid)
    // Without one at the initial target it is a plain reference.
    let plain = tree.replacing("\"$recursiveAnchor\":true,", with: "")
    #expect(
      try verdict(strict.replacing("ANCHOR", with: "true"), typo, .draft201909, remotes: ["http://x/tree": plain])
        == .valid)
  }

  @Test func `dynamic references reach through a pointer into another resource`() throws {
    let schema = ##"""
      {"$id":"http://x/foo","properties":{"item":{"$ref":"bar#/$defs/item"}},"$defs":{"bar":{"$id":"http://x/bar","items":{"$ref":"item"},
      "$defs":{"item":{"$id":"item","properties":{"content":{"$dynamicRef":"#content"}},"$defs":{"d":{"$dynamicAnchor":"content","type":"integer"}}},
      "content":{"$dynamicAnchor":"content","type":"string"}}}}}
      """##
    #expect(try verdict(schema, #"{"item":{"content":42}}"#) == .valid)
    #expect(try verdict(schema, #"{"item":{"content":"x"}}"#) == .invalid)
  }

  @Test func `references may lead into unknown keywords`() throws {
    let schema =
      ##"{"strange/word":{"type":"integer"},"examples":[{"type":"string"}],"properties":{"a":{"$ref":"#/strange~1word"},"b":{"$ref":"#/examples/0"}}}"##
    #expect(try verdict(schema, #"{"a":1,"b":"x"}"#) == .valid)
    #expect(try verdict(schema, #"{"a":"x"}"#) == .invalid)
    #expect(try verdict(schema, #"{"b":1}"#) == .invalid)
  }

  @Test(arguments: [
    ("duration", "P1Y2M3DT4H5M6S", true), ("duration", "P1Y2D", false), ("duration", "PT1H2S", false),
    ("duration", "P2W", true),
    ("duration", "P1WT1H", false), ("duration", "PT0.5S", false), ("duration", "P", false), ("duration", "P1YT", false),
    ("uri-template", "http://x/{a:1}/{+b*,c}", true), ("uri-template", "a'b", true), ("uri-template", "{a", false),
    ("uri-template", "{v:01}", false),
    ("uri-template", "a\u{E000}", true), ("uri-template", "a\u{80}", false), ("uri-template", "{}", false),
    ("uri-template", "{a..b}", false),
    ("iri", "http://ƒøø.ßår/?∂éœ=πîx#πîüx", true), ("iri", "âππ", false), ("iri", "http://x/?q=\u{F0000}", true),
    ("iri", "http://x/\u{F0000}", false),
    ("iri-reference", "#ƒräg\\\\mênt", false), ("iri-reference", "//[V1.fe]/p", true), ("uri-reference", "", true),
    ("uri-reference", "1:b", false),
    ("uri-reference", "./a:b", true), ("uri-reference", "//a@b@c/", false), ("uri-reference", "//x:y/", false),
    ("uri-reference", "/[::1]", false),
    ("relative-json-pointer", "0-1#", true), ("relative-json-pointer", "01/a", false),
    ("relative-json-pointer", "1#/a", false),
    ("relative-json-pointer", "0+", false), ("idn-hostname", "실례.테스트", true), ("idn-hostname", "a\u{3002}b", true),
    ("idn-hostname", "\u{302E}a", false),
    ("idn-hostname", "\u{628}\u{660}\u{6F0}", false), ("idn-hostname", "\u{6F0}0", true),
    ("idn-hostname", "\u{628}\u{64A}\u{200C}\u{628}", true),
    ("idn-hostname", "\u{915}\u{200D}\u{937}", false), ("idn-hostname", "\u{915}\u{94D}\u{200D}\u{937}", true),
    ("idn-hostname", "XN--aa---o47jg78q", false),
    // What libidn2 leaves out, or is too old to know.
    ("idn-hostname", "\u{628}9\u{661}", false), ("idn-hostname", "a\u{31BB}", true),
    ("idn-hostname", "a\u{378}", false),
    ("idn-hostname", "b\u{FC}\\u0000cher", false), ("idn-hostname", "a\u{B7}l", false),
    ("idn-hostname", "l\u{B7}l", true), ("idn-hostname", "\u{3B1}\u{375}", false),
    ("idn-hostname", "\u{30FB}", false), ("idn-hostname", "B\u{FC}cher", false),
    ("idn-hostname", "\u{13A0}\u{13A1}", true),
    ("hostname", "xn--bcher-kva", true), ("hostname", "XN--BCHER-KVA", true), ("hostname", "xn--l-fda", false),
    ("idn-email", "실례@실례.테스트", true), ("idn-email", "\\ud800@example.com", false), ("hostname", "xn--X", false),
    ("regex", "(?P<n>x)", false),
    ("regex", "(?<=a+)b", true), ("regex", "(?i)a", false),
  ])
  func `formats follow their RFC`(_ format: String, _ text: String, _ expected: Bool) throws {
    let verdict = try verdict("{\"format\":\"\(format)\"}", "\"\(text)\"", formats: true)
    #expect(verdict == (expected ? .valid : .invalid))
  }
}
