import Foundation
import MurphyModel
import Testing

@Suite struct SecretTreeTests {
  private let secret = "a\"b\\c é/+&<😀"

  @Test func `a secret is found in every notation`() {
    let mask = SecretMask(secrets: [secret])
    let texts = [
      secret, #"a\"b\\c \u00e9\/+&<\ud83d\ude00"#, "a%22b%5Cc%20%C3%A9%2F%2B%26%3C%F0%9F%98%80",
      "a%22b%5cc+%c3%a9/%2b&<%f0%9f%98%80", "a&quot;b\\c &#233;/+&amp;&lt;&#x1F600;",
      #"a\\\"b\\\\c \\u00e9\/+&<\\ud83d\\ude00"#,
    ]
    for text in texts { #expect(mask.masked("<\(text)>") == "<***>", "\(text)") }
  }

  @Test(arguments: 0..<6) func `base64 is masked wherever the secret begins`(offset: Int) {
    let mask = SecretMask(secrets: ["correct horse battery"])
    let whole = String(repeating: "u", count: offset) + "correct horse battery:rest"
    let encoded = Data(whole.utf8).base64EncodedString()
    let masked = mask.masked(encoded)
    #expect(masked.contains("***") && masked.count < 24, "\(masked)")
  }

  @Test(arguments: 0..<9) func `base64 of base64 is masked where that is asked for`(offset: Int) {
    let mask = SecretMask().adding([Secret("correct horse battery")], isNested: true)
    let inner = Data((String(repeating: "u", count: offset % 3) + "correct horse battery:rest").utf8)
      .base64EncodedString()
    let encoded = Data((String(repeating: "v", count: offset / 3) + inner).utf8).base64EncodedString()
    let masked = mask.masked(encoded)
    #expect(masked.contains("***") && masked.count < 30, "\(masked)")
  }

  @Test func `a cut secret is one`() {
    let mask = SecretMask(secrets: ["sesame-open-now"])
    #expect(mask.masked("found \"sesame-o…\"") == "found \"***…\"")
    #expect(mask.masked("token=sesam") == "token=***")
    #expect(mask.masked("the sesam street") == "the sesam street")
  }

  @Test func `the longest of several secrets counts`() {
    let mask = SecretMask(secrets: ["abcd", "abcdefgh", "efgh"])
    #expect(mask.masked("abcdefgh abcdef efgh") == "*** ***ef ***")
  }

  /// Without a bound it costs the text's length times that of the secret: a minute.
  @Test func `a text that resembles a secret again and again costs little, and hides it`() {
    let mask = SecretMask(secrets: [String(repeating: "a", count: 8_000) + "b"])
    let clock = ContinuousClock()
    let begin = clock.now
    let text = "start " + String(repeating: "a", count: 30_000)
    let masked = mask.masked(text + "b end")
    #expect(clock.now - begin < .seconds(20))
    #expect(
      masked.hasPrefix("start ") && masked.hasSuffix("***") && !masked.contains(String(repeating: "a", count: 22_001)))
    #expect(
      mask.masked("start " + String(repeating: "ab ", count: 10_000)) == "start "
        + String(repeating: "ab ", count: 10_000))
  }
}
