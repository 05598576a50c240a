import MurphyModel
import TestSupport
import Testing

/// Secrets that are learnt after a script was written are masked in its words, and no quote moves.
@Suite(.requires(.bash, .zsh)) struct ShellScriptTests {
  /// Values with the characters that quoting writes in another way.
  private static let secrets = [
    "''B7Q9zz", "A'B7Q9zz; touch ran; #", "tok'\u{301}en", "'\\''", "' touch ran '", "ab\u{1B}[2Jcd", "100%sure",
    "curl", "seq 3", "printf", "\"$HOME\"", "line\nbreak", "s3cr3t", "\\'\\'\\'x", "8.8.8.8", "touch ran;",
  ]

  private static func script(_ secret: String) -> ShellScript {
    let url = ShellWord("http://h/") + ShellWord(secret)
    var plain = CurlRequest(method: "POST", url: url, headers: [.init("X-A", ShellWord("it's " + secret + "'"))])
    plain.body = ShellWord("{\"a\":\"'" + secret + "'\"}")
    var piped = plain
    piped.body = ShellWord("\u{0}" + secret + "'; touch ran; '")
    return CurlScript([.note("a note of '\(secret)'"), .requests([plain, plain, plain]), .requests([piped])]).text
  }

  @Test(arguments: PastedLine.Shell.allCases) func `a masked script sends as many requests and runs nothing else`(
    _ shell: PastedLine.Shell
  ) throws {
    for secret in Self.secrets {
      let script = SecretMask(secrets: [secret]).masked(Self.script(secret))
      let (calls, files, said) = try PastedLine(shell: shell, isInteractive: false).run(script.text)
      #expect(calls.count == 4, "\(secret): \(said) \(script)")
      #expect(files == [], "\(secret): \(script)")
      for call in calls {
        #expect(!call.arguments.joined(separator: "\n").contains(secret), "\(secret): \(call.arguments)")
        #expect(!String(decoding: call.input, as: UTF8.self).contains(secret), "\(secret)")
        #expect(call.arguments.last == "http://h/***", "\(secret): \(call.arguments)")
      }
    }
  }

  @Test func `a script without the secret stays as it is`() {
    for secret in Self.secrets {
      let script = Self.script(secret)
      #expect(SecretMask(secrets: ["another secret"]).masked(script) == script)
      #expect(SecretMask(secrets: ["touch", "murphy", "done"]).masked(Self.script("plain")).text.contains("; do "))
    }
  }

  @Test func `the beginning of a secret before a variable stays`() {
    let mask = SecretMask(secrets: ["Token tok0123456789"])
    let field = ShellWord("Token ") + ShellWord(ShellVariable("SECRET", "AUTHORIZATION"))
    var request = CurlRequest(method: "GET", url: mask.word("http://h/Token"))
    request.headers = [CurlRequest.Field("Authorization", field)]
    let script = mask.masked(CurlScript(request).text).text
    #expect(script.contains("'Authorization: Token '\"$SECRET_AUTHORIZATION\""), "\(script)")
    #expect(script.contains("'http://h/Token'"), "\(script)")
  }

  /// The variable that holds a key is set to all of it, its scheme included.
  @Test func `a key with its scheme is one variable`() {
    let word = SecretMask(secrets: ["Token tok0123456789"]).word(HeaderField("Authorization", "Token tok0123456789"))
    #expect(word.pieces.count == 1 && word.variables.count == 1, "\(word)")
    let bearer = SecretMask(secrets: ["tok0123456789"]).word(HeaderField("Authorization", "Bearer tok0123456789"))
    #expect(bearer.pieces.count == 2 && bearer.variables.count == 1, "\(bearer)")
  }

  @Test func `words of the shell and of murphy are not masked`() {
    let mask = SecretMask(secrets: ["curl", "printf", "done", "data-raw", "%{http_code}"])
    let script = Self.script("plain")
    #expect(mask.masked(script).text == script.text)
  }
}
