import MurphyModel
import Testing

@Suite struct PercentEncodingTests {
  @Test(arguments: ["", "murphy", "a b&c=d/é?#[]", "100%", "%41", "%zz", "\u{0}\u{7F}", "日本 🚀", "a+b~c"])
  func `what is encoded is decoded to itself`(_ text: String) {
    let encoded = PercentEncoding.encode(text, keepingReserved: false)
    #expect(PercentEncoding.decode(encoded) == text)
    #expect(encoded.utf8.allSatisfy { PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "%") })
    #expect(PercentEncoding.decode(PercentEncoding.encode(path: text)) == text)
  }

  @Test func `each kind of text keeps what it may keep`() {
    #expect(PercentEncoding.encode("/a b/é?x", keepingReserved: true) == "/a%20b/%C3%A9?x")
    #expect(PercentEncoding.encode("%41%", keepingReserved: true) == "%41%25")
    #expect(PercentEncoding.encode(path: "/a b/é?x") == "/a%20b/%C3%A9%3Fx")
    #expect(PercentEncoding.encode(beyondASCII: "/a b/é?x%41") == "/a b/%C3%A9?x%41")
  }

  @Test(arguments: [("%+5", "%+5"), ("%-1", "%-1"), ("%4", "%4"), ("%", "%"), ("%e2%82%AC", "€")])
  func `a percent sign without two digits stays`(_ text: String, _ decoded: String) {
    #expect(PercentEncoding.decode(text) == decoded)
  }

  @Test func `bytes that are not UTF-8 are not lost`() {
    #expect(PercentEncoding.bytes("a%FF%00") == [0x61, 0xFF, 0x00])
  }
}
