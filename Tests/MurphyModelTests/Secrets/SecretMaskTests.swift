import MurphyModel
import Testing

@Suite struct SecretMaskTests {
  private let mask = SecretMask(secrets: ["s3cr3t/token", "s3cr3t", "abc"], headers: ["X-Tenant"])

  @Test func `secret headers keep only their shape`() {
    #expect(mask.masked(HeaderField("Authorization", "Bearer zzz")) == HeaderField("Authorization", "Bearer ***"))
    #expect(mask.masked(HeaderField("cookie", "a=1; b=2")) == HeaderField("cookie", "a=***; b=***"))
    #expect(
      mask.masked(HeaderField("Set-Cookie", "sid=1; Path=/; HttpOnly"))
        == HeaderField("Set-Cookie", "sid=***; Path=/; HttpOnly"))
    #expect(mask.masked(HeaderField("x-api-key", "k")) == HeaderField("x-api-key", "***"))
    #expect(mask.masked(HeaderField("x-tenant", "t")) == HeaderField("x-tenant", "***"))
  }

  @Test func `literal secrets are masked wherever they occur`() {
    #expect(mask.masked("a s3cr3t/token b s3cr3t c s3cr3t%2Ftoken") == "a *** b *** c ***")
    #expect(mask.masked(HeaderField("X-Echo", "s3cr3t!")) == HeaderField("X-Echo", "***!"))
  }

  @Test(arguments: ["Bearer t0ken-1234", "t0ken-1234"])
  func `scripts have the same variable for a credential with and without its scheme`(known: String) {
    let mask = SecretMask().adding([Secret(known, ShellVariable("SECRET", "Authorization"))])
    let word = mask.word(HeaderField("Authorization", "Bearer t0ken-1234"))
    #expect(word == ShellWord("Bearer ") + ShellWord(ShellVariable("SECRET", "Authorization")))
  }

  @Test func `short texts are not taken for secrets`() {
    #expect(mask.masked("abc abcd") == "abc abcd")
  }

  @Test(arguments: [
    ("the wrong credential; wrongly sent", "the wrong credential; wrongly sent"), ("found \"wrong\"", "found \"***\""),
    ("a=wrong&b", "a=***&b"), ("/users/wrong/x", "/users/***/x"), ("the key d34dbeef", "the key ***"),
  ]) func `a secret word is masked in data, and not as a word of a sentence`(text: String, shown: String) {
    let mask = SecretMask(secrets: ["wrong", "d34dbeef"])
    #expect(mask.masked(sentence: text) == shown)
    #expect(!mask.masked(text).contains("wrong"))
  }
}
