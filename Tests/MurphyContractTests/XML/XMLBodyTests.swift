import MurphyContract
import MurphyModel
import Testing

/// XML responses held against their schema through its `xml` hints.
@Suite struct XMLBodyTests {
  /// A judge of one operation that responses `type` with `schema` (one line of YAML).
  static func judge(
    _ schema: String, type: String = "application/xml", version: String = "3.1.0", components: String = ""
  ) throws -> ResponseJudge {
    let paths = """
        /x:
          get:
            responses: { "200": { description: fine, content: { \(type): { schema: \(schema) } } } }
      """
    let rest = components.isEmpty ? "" : "components:\n  schemas:\n\(components)"
    return ResponseJudge(contract: try Contracts.load(paths, version: version, rest: rest))
  }

  static func text(_ judge: ResponseJudge, _ body: String, type: String = "application/xml") -> String {
    judge.judge(Answer(headers: [("Content-Type", type)], body: body)).text
  }

  private static let rss = """
    { type: object, required: [version, channel], xml: { name: rss }, properties: {
      version: { type: string, enum: ["2.0"], xml: { attribute: true } },
      channel: { type: object, required: [title, link, item], additionalProperties: false, properties: {
        title: { type: string }, link: { type: string }, description: { type: string }, ttl: { type: integer },
        item: { type: array, items: { type: object, required: [guid], properties: {
          title: { type: string, minLength: 1 }, guid: { type: string }, comments: { type: integer } } } } } } } }
    """.split(separator: "\n").joined(separator: " ")

  private static func feed(_ items: String, version: String = "2.0", more: String = "") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- a feed --><?xml-stylesheet href="x.xsl"?>
    <rss version="\(version)" xmlns:atom="http://www.w3.org/2005/Atom">
      <channel>
        <title>Laws &amp; rules</title>
        <atom:link href="https://example.com/feed" rel="self"/>
        <link>https://example.com</link>
        <description><![CDATA[<b>all</b>]]></description>
        <ttl> 60 </ttl>\(more)
        \(items)
      </channel>
    </rss>
    """
  }

  @Test func `a feed is judged against its schema`() throws {
    let judge = try Self.judge(Self.rss, type: "application/rss+xml")
    let type = "application/rss+xml; charset=utf-8"
    let item = "<item><title>One</title><guid isPermaLink=\"false\">1</guid><comments>3</comments></item>"
    #expect(Self.text(judge, Self.feed(item), type: type) == "conformant")
    #expect(Self.text(judge, Self.feed(item + item), type: type) == "conformant")
    #expect(Self.text(judge, Self.feed(""), type: type) == "conformant")
    let wrong = Self.text(judge, Self.feed("<item><title/><comments>many</comments></item>"), type: type)
    #expect(wrong.contains("/channel/item/0/comments: "))
    #expect(wrong.contains("/channel/item/0/title: "))
    #expect(wrong.contains("guid"))
    #expect(Self.text(judge, Self.feed(item, version: "0.91"), type: type).contains("/version: "))
    #expect(Self.text(judge, Self.feed(item, more: "<cloud>x</cloud>"), type: type).contains("cloud"))
    #expect(
      Self.text(judge, Self.feed(item, more: "<title>Two</title>"), type: type)
        == "contract.body: /channel/title: the element title appears 2 times, but only once is documented")
    #expect(
      Self.text(judge, "<html/>", type: type) == "contract.body: the root element is html, but rss is documented")
  }

  @Test func `a violation names the place in the contract`() throws {
    let judge = try Self.judge("{ type: object, properties: { a: { type: integer } } }")
    let answer = Answer(headers: [("Content-Type", "application/xml")], body: "<r><a>x</a></r>")
    let violation = try #require(judge.judge(answer).violations.first)
    #expect(violation.kind == .contractBody)
    #expect(violation.instancePointer == "/a")
    #expect(violation.schemaPointer?.hasSuffix("/properties/a/type") == true)
    #expect(violation.source?.line == 6)
  }

  @Test func `an atom feed has its namespace by default`() throws {
    let judge = try Self.judge(
      """
      { type: object, required: [id, updated, entry], xml: { name: feed, namespace: "http://www.w3.org/2005/Atom" }, \
      properties: { id: { type: string }, updated: { type: string, format: date-time }, \
      entry: { type: array, minItems: 1, items: { type: object, required: [id, link], properties: { id: { type: string }, \
      link: { type: object, required: [href], properties: { href: { type: string, xml: { attribute: true } } } } } } } } }
      """, type: "application/atom+xml")
    func feed(_ entry: String, namespace: String = "http://www.w3.org/2005/Atom") -> String {
      "<feed xmlns=\"\(namespace)\"><id>1</id><updated>2026-11-21T10:00:00Z</updated>\(entry)</feed>"
    }
    let type = "application/atom+xml"
    #expect(Self.text(judge, feed("<entry><id>2</id><link href=\"/2\"/></entry>"), type: type) == "conformant")
    #expect(Self.text(judge, feed("<entry><id>2</id><link/></entry>"), type: type).contains("/entry/0/link: "))
    #expect(Self.text(judge, feed(""), type: type).contains("/entry: "))
    #expect(
      Self.text(judge, feed("", namespace: "urn:other"), type: type).contains("the namespace urn:other"))
  }

  @Test(arguments: [
    // Repeated elements of the property's name, of the items' name, in a wrapper, in a wrapper with both names.
    ("{ type: array, items: { type: integer } }", "<tag>1</tag><tag>2</tag>", "<tag>1</tag><tag>x</tag>"),
    ("{ type: array, items: { type: integer, xml: { name: t } } }", "<t>1</t><t>2</t>", "<t>x</t>"),
    (
      "{ type: array, xml: { wrapped: true }, items: { type: integer } }", "<tag><tag>1</tag></tag>",
      "<tag><tag>x</tag></tag>"
    ),
    (
      "{ type: array, xml: { name: ts, wrapped: true }, items: { type: integer, xml: { name: t } }, maxItems: 1 }",
      "<ts><t>1</t></ts>", "<ts><t>1</t><t>2</t></ts>"
    ),
    ("{ type: boolean }", "<tag>1</tag>", "<tag>yes</tag>"),
    ("{ type: number }", "<tag>+007.50</tag>", "<tag>1,5</tag>"),
    ("{ type: [integer, 'null'] }", "<tag/>", "<tag>x</tag>"),
    (
      "{ type: integer }", "<tag>5</tag>",
      "<tag xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' xsi:nil='true'/>"
    ),
    ("{ type: integer, xml: { prefix: p } }", "<p:tag xmlns:p='urn:p'>1</p:tag>", "<p:tag xmlns:p='urn:p'>x</p:tag>"),
    (
      "{ type: integer, xml: { name: t, namespace: 'urn:p' } }", "<t xmlns='urn:p'>1</t>",
      "<q:t xmlns:q='urn:p'>x</q:t>"
    ),
  ]) func `hints say where a value stands`(schema: String, fine: String, wrong: String) throws {
    let judge = try Self.judge("{ type: object, required: [tag], properties: { tag: \(schema) } }")
    #expect(Self.text(judge, "<r>\(fine)</r>") == "conformant")
    #expect(Self.text(judge, "<r>\(wrong)</r>").hasPrefix("contract.body: "))
  }

  @Test func `what is not determined is unchecked and says what was checked`() throws {
    let open =
      "{ type: object, required: [a], xml: { name: r }, properties: { a: { oneOf: [{ type: integer }, { type: boolean }] } } }"
    #expect(
      Self.text(try Self.judge(open), "<r><a>x</a></r>")
        == "unchecked: well-formed, root element r; the schema's oneOf cannot be mapped to XML")
    let cases = [
      ("{ type: object, required: [a], properties: { a: { type: integer } } }", "<r>mixed <a>x</a></r>"),
      ("{ type: object, additionalProperties: { type: integer } }", "<r><a>x</a></r>"),
      ("{ type: object, required: [a], properties: { a: { type: string, xml: { nodeType: text } } } }", "<r>x</r>"),
      ("{ type: array, items: { type: integer } }", "<r><a>x</a></r>"),
      ("{ type: object, properties: { a: { type: array, items: { type: integer } } } }", "<r><a/></r>"),
      ("{ type: object, required: [a], properties: { a: { type: integer } } }", "<r><p:a xmlns:p='urn:p'>1</p:a></r>"),
      ("{ type: object, properties: { a: { type: integer } } }", "<!DOCTYPE r [<!ENTITY e '5'>]><r><a>&e;</a></r>"),
      ("{ type: object, properties: { a: { type: [string, integer], maximum: 3 } } }", "<r><a>4</a></r>"),
    ]
    for (schema, body) in cases {
      #expect(Self.text(try Self.judge(schema), body).hasPrefix("unchecked: well-formed XML; "), "\(schema) \(body)")
    }
  }

  @Test func `names of a component accuse nobody`() throws {
    let components = "    Law: { type: object, required: [id], properties: { id: { type: integer } } }"
    let judge = try Self.judge("{ $ref: '#/components/schemas/Law' }", components: components)
    #expect(Self.text(judge, "<anything><id>1</id><more>x</more></anything>") == "conformant")
    #expect(Self.text(judge, "<Law><id>one</id></Law>").contains("/id: "))
  }

  @Test func `images and files are known by their first bytes`() throws {
    let bytes = "{ type: string, format: binary }"
    let png = try Self.judge(bytes, type: "image/png")
    #expect(Self.text(png, "GIF89a", type: "image/png").contains("does not start like a PNG file"))
    #expect(Self.text(png, "", type: "image/png") == "contract.body: the body is empty, but image/png is documented")
    let gif = try Self.judge(bytes, type: "image/*")
    #expect(Self.text(gif, "GIF89a...", type: "image/gif") == "conformant")
    #expect(
      Self.text(gif, "<svg xmlns='http://www.w3.org/2000/svg'>", type: "image/svg+xml").contains("not well-formed"))
    let pdf = try Self.judge("{}", type: "application/pdf")
    #expect(Self.text(pdf, "\n%PDF-1.7", type: "application/pdf") == "conformant")
    #expect(Self.text(pdf, "<html>", type: "application/pdf").contains("does not start like a PDF file"))
    let file = try Self.judge(
      "{ type: string, format: binary, minLength: 2, maxLength: 3 }", type: "application/octet-stream")
    #expect(
      Self.text(file, "abc", type: "application/octet-stream")
        == "unchecked: binary content: murphy checked the type and the length, but not the content")
    #expect(Self.text(file, "", type: "application/octet-stream").contains("0 bytes, but at least 2"))
    #expect(Self.text(file, "abcd", type: "application/octet-stream").contains("4 bytes, but at most 3"))
  }
}
