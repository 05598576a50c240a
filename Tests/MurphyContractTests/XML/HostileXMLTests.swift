import Foundation
import MurphyContract
import MurphyModel
import Testing

/// Documents made to hurt their reader: nothing crashes, nothing is opened, nothing is called well-formed that is not.
@Suite struct HostileXMLTests {
  private let judge: ResponseJudge

  init() throws {
    judge = try XMLBodyTests.judge(
      "{ type: object, properties: { a: { type: integer }, b: { type: array, items: { type: string } } } }")
  }

  private func text(_ body: String) -> String { XMLBodyTests.text(judge, body) }

  @Test func `laughs stay few`() {
    var dtd = "<!ENTITY l0 \"lol\">"
    for level in 1...12 {
      dtd += "<!ENTITY l\(level) \"\(String(repeating: "&l\(level - 1);", count: 10))\">"
    }
    #expect(text("<!DOCTYPE r [\(dtd)]><r><a>&l12;</a></r>").hasPrefix("unchecked: "))
    #expect(!text("<!DOCTYPE r [\(dtd)]><r a=\"&l12;\"/>").isEmpty)
    #expect(text("<!DOCTYPE r [<!ENTITY a \"&b;\"><!ENTITY b \"&a;\">]><r>&a;</r>") != "conformant")
  }

  @Test func `depth beyond the bound is unchecked and not accused`() {
    let deep = String(repeating: "<b>", count: 100_000) + String(repeating: "</b>", count: 100_000)
    #expect(text(deep).hasPrefix("unchecked: the body is XML that exceeds a limit"))
    let many = "<r>" + String(repeating: "<b/>", count: 200_001) + "</r>"
    #expect(text(many) == "unchecked: the body is XML with more than 200,000 elements")
  }

  @Test func `the attributes of an element have a bound`() {
    let clock = ContinuousClock()
    let begin = clock.now
    let attributes = (0..<60_000).map { " a\($0)='\($0)'" }.joined()
    #expect(text("<r\(attributes)/>").hasPrefix("unchecked: the body is XML that exceeds a limit"))
    #expect(clock.now - begin < .seconds(20))
    let equals = String(repeating: "=", count: 40_000)
    #expect(text("<r><a x='\(equals)'>1</a><c>\(equals)</c><!--\(equals)--><![CDATA[\(equals)]]></r>") != "")
    #expect(!text("<r><c x='\(equals)'>\(equals)</c></r>").contains("bound"))
  }

  /// Such a comment of 250,000 hyphens takes libxml2 more than a minute.
  @Test func `hyphens in comments have a bound`() {
    let clock = ContinuousClock()
    let begin = clock.now
    let hyphens = String(repeating: "-", count: 250_000)
    #expect(text("<r><!--\(hyphens)--></r>").hasPrefix("unchecked: the body is XML that exceeds a limit"))
    #expect(text("<r><!--\(String(repeating: "-- ", count: 80_000))").hasPrefix("unchecked: "))
    #expect(clock.now - begin < .seconds(20))
    for text in [
      "<r><a>1</a><c>\(hyphens)</c></r>", "<r><c x='\(hyphens)'/></r>", "<r><![CDATA[<!--\(hyphens)]]></r>",
      "<r><?p <!--\(hyphens)?></r>", "<r>" + String(repeating: "<!-- - -->", count: 20_000) + "</r>",
    ] { #expect(!self.text(text).contains("bound"), "\(text.prefix(20))") }
  }

  @Test func `files and networks stay closed`() {
    for entity in ["<!ENTITY e SYSTEM \"file:///etc/passwd\">", "<!ENTITY e SYSTEM \"http://127.0.0.1:1/x\">"] {
      #expect(text("<!DOCTYPE r [\(entity)]><r><a>&e;</a></r>").hasPrefix("unchecked: well-formed XML; "))
    }
    #expect(text("<!DOCTYPE r SYSTEM \"file:///etc/passwd\"><r><a>1</a></r>") == "conformant")
    #expect(
      !text("<!DOCTYPE r [<!ENTITY % p SYSTEM \"file:///etc/passwd\">%p;]><r><a>1</a></r>").contains("root:"))
  }

  @Test(arguments: [
    "<r><a>1</a>", "<r></s>", "<r><a>1</r></a>", "text", "<r/><r/>", "<r>\0</r>", "\0", "<r a=1/>", "<r a='1' a='2'/>",
    "<r>&nothing;</r>", "<r>]]></r>", " <?xml version='1.0'?><r/>", "<", "<r><!-- -- --></r>", "<1/>", "{\"a\":1}",
  ]) func `what is not well formed is a violation with its place`(body: String) {
    #expect(text(body).hasPrefix("contract.body: the body is not well-formed XML: line 1, column "), "\(text(body))")
  }

  @Test func `the line of a mistake is told`() {
    #expect(text("<r>\n<a>1</a>\n<b></a>\n</r>").contains("line 3, column "))
    #expect(text("") == "contract.body: the body is empty, but application/xml is documented")
  }

  @Test func `encodings are read or left open`() {
    #expect(text("<?xml version='1.0' encoding='klingon'?><r/>").hasPrefix("unchecked: the body is XML in an encoding"))
    #expect(text("<?xml version='1.0' encoding='ISO-8859-1'?><r><a>1</a></r>") == "conformant")
    let latin: [UInt8] = Array("<r><b>".utf8) + [0xE9] + Array("</b></r>".utf8)
    func judged(_ type: String) -> String {
      let block = Array("Content-Type: \(type)\r\n".utf8)
      return block.withUnsafeBytes { headers in
        latin.withUnsafeBytes {
          judge.judge(ResponseView(status: 200, headerBlock: headers, body: $0), operation: 0).text
        }
      }
    }
    #expect(judged("application/xml").contains("not well-formed"))
    #expect(judged("application/xml; charset=iso-8859-1") == "conformant")
  }

  /// `MURPHY_FUZZ=1000000` for a long run.
  static let inputs = ProcessInfo.processInfo.environment["MURPHY_FUZZ"].flatMap { Int($0) } ?? 10_000

  @Test func `mutated documents end in a judgement`() {
    let seed = UInt64.random(in: 1...1 << 40)
    print("XML fuzz seed \(seed)")
    var random = RandomSource(seed: seed)
    let document = Array(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?><!DOCTYPE r [<!ENTITY e \"x&#65;\">]><r xmlns:p=\"urn:p\" k=\"&e;\"><a>1</a><b><![CDATA[x]]></b><p:b>&e;&amp;</p:b><!-- c --><?pi x?></r>"
        .utf8)
    let words = [
      "<", ">", "</", "&e;", "<![CDATA[", "]]>", "<!ENTITY ", "<a>", "</r>", "\0", "&#0;", "UTF-16", "xmlns=\"\"",
      "<!--",
    ]
    var kinds: [String: Int] = [:]
    for _ in 0..<Self.inputs {
      var bytes = document
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.insert(contentsOf: Array(words[Int.random(in: 0..<words.count, using: &random)].utf8), at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
        default: bytes.removeSubrange((place + 1)...)
        }
        if bytes.isEmpty { bytes = [0x3C] }
      }
      let judgement = Array("Content-Type: application/xml\r\n".utf8).withUnsafeBytes { headers in
        bytes.withUnsafeBytes { judge.judge(ResponseView(status: 200, headerBlock: headers, body: $0), operation: 0) }
      }
      switch judgement {
      case .conformant: kinds["conformant", default: 0] += 1
      case .unchecked, .opaque: kinds["unchecked", default: 0] += 1
      case .violating(let violations):
        kinds["violating", default: 0] += 1
        #expect(!violations.isEmpty, "seed \(seed)")
      }
    }
    #expect(kinds.values.reduce(0, +) == Self.inputs, "seed \(seed)")
    #expect(kinds["violating", default: 0] > 0 && kinds["unchecked", default: 0] > 0, "seed \(seed): \(kinds)")
  }
}
