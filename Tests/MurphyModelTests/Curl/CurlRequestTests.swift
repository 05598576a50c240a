import Foundation
import MurphyModel
import TestSupport
import Testing

@Suite(.requires(.bash, .zsh)) struct CurlRequestTests {
  /// Texts that a shell, curl or a terminal would act on.
  static let hostile = [
    "$(touch ran)", "`touch ran`", "'; touch ran; '", "\" ; touch ran ; \"", "$HOME", "${HOME}", "!!", "!touch", "~",
    "-o ran", "--output", "@/etc/passwd", "@-", "=curl", "%{http_code}", "{a,b}[1-3]", "*", "?", "\\", "\\'", "a\\\nb",
    "#x", "& touch ran", "| touch ran", "> ran", "\u{1B}[2Jx", "\u{1B}", "\u{9B}31m", "\u{7F}", "\u{3}\u{4}", "\t",
    "\r",
    "\u{202E}gnp", "\u{200B}", "\u{FEFF}", "λ😀'é", "", " ", "  lead", "trail  ", "a;b", ";", "<(touch ran)", "$'x'",
    "%s %d %%", "\\0101", "'", "''", "it's $1 \"and\" `more`", "^a^b", "\u{1}1", "-n", "--",
    // A quote and a mark are one `Character`.
    "'\u{301}; touch ran; '", "'\u{FE0F}$(touch ran)'", "'\u{20E3}`touch ran`'", "\u{D4E}'; touch ran; '\u{301}",
    "\"\u{301}; touch ran; \"", "\\\u{301}'", "\n\u{301}touch ran\n", "\r\n",
  ]

  @Test(arguments: PastedLine.Shell.allCases, [false, true])
  func `a shell hands curl exactly the values, whatever they hold`(shell: PastedLine.Shell, interactive: Bool) throws {
    let paste = PastedLine(shell: shell, isInteractive: interactive)
    // All values in one call: one process for each shell.
    let headers = Self.hostile.enumerated().map { CurlRequest.Field("X-\($0.offset)", ShellWord($0.element)) }
    let target = "http://127.0.0.1/" + Self.hostile.joined(separator: "/")
    var request = CurlRequest(
      method: "$(touch ran)", url: ShellWord(target), headers: headers, body: ShellWord("@/etc/passwd '$(touch ran)'"))
    request.authorities = "/tmp/it's; touch ran"
    request.sourceAddress = "$(touch ran)"
    let (calls, files, said) = try paste.run(request.text)
    var expected = [
      "-g", "-sS", "-i", "-X", "$(touch ran)", "--cacert", "/tmp/it's; touch ran", "--interface",
      "$(touch ran)",
    ]
    if target.contains("/.") { expected.append("--path-as-is") }
    for (index, value) in Self.hostile.enumerated() {
      expected += ["-H", value.isEmpty ? "X-\(index);" : "X-\(index): \(value)"]
    }
    expected += ["-H", "Content-Type:", "--data-raw", "@/etc/passwd '$(touch ran)'", "--url", target]
    #expect(calls.count == 1, "\(said)")
    #expect(calls.first?.arguments == expected)
    #expect(files == [])
  }

  @Test(arguments: PastedLine.Shell.allCases, [false, true])
  func `content arrives byte for byte`(shell: PastedLine.Shell, interactive: Bool) throws {
    let paste = PastedLine(shell: shell, isInteractive: interactive)
    let contents: [[UInt8]] =
      [
        Array(0...255), Array((0...255).reversed()), [0, 0x30, 0x31], [0x2D, 0x6E, 0, 10, 10], [0xC3],
        [0xFF, 0x31, 0x27],
      ]
      + Self.hostile.filter { !$0.isEmpty }.map { Array(($0 + "\n").utf8) } + [Array(repeating: 0x27, count: 150_000)]
    let script = CurlScript(
      contents.enumerated().map { number, bytes in
        .requests([
          CurlRequest(method: "POST", url: ShellWord("http://h/\(number)"), body: ShellWord([.bytes(Array(bytes))]))
        ])
      })
    let (calls, files, said) = try paste.run(script.text.text)
    #expect(calls.count == contents.count, "\(said)")
    for (number, bytes) in contents.enumerated() {
      let call = calls.first { $0.arguments.last == "http://h/\(number)" }
      #expect(call?.input == bytes, "content \(number)")
      #expect(call?.arguments.contains("--data-binary") == true)
    }
    #expect(files == [])
  }

  @Test(arguments: PastedLine.Shell.allCases, [false, true])
  func `a variable's value is passed on and never expanded again`(shell: PastedLine.Shell, interactive: Bool) throws {
    let paste = PastedLine(shell: shell, isInteractive: interactive)
    let token = "$(touch ran) `touch ran` 'a' \"b\" * !"
    let variable = try #require(ShellVariable(environment: "API_TOKEN"))
    let word = ShellWord("Bearer it's ") + ShellWord(variable) + ShellWord(" end")
    let plain = CurlRequest(
      method: "POST", url: ShellWord("http://h/a"), headers: [.init("Authorization", word)], body: word)
    var piped = plain
    piped.body = ShellWord("\u{0}") + word
    let script = CurlScript([.requests([plain]), .requests([piped])])
    let (calls, files, said) = try paste.run(script.text.text, environment: ["API_TOKEN": token])
    #expect(calls.count == 2, "\(said)")
    let value = "Bearer it's \(token) end"
    for call in calls { #expect(call.arguments.contains("Authorization: \(value)")) }
    #expect(calls.contains { $0.arguments.contains(value) })
    #expect(calls.contains { $0.input == Array("\u{0}\(value)".utf8) })
    #expect(files == [])
  }

  @Test(arguments: 0..<20) func `random text comes back as it was`(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let alphabet = Array("ab 'Z\"$`\\!*?[]{}()<>|&;#~=%@-\n\t\u{1B}\u{85}üλ😀01")
    let words = (0..<40).map { _ in
      String((0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
    }
    let request = CurlRequest(
      method: "GET", url: ShellWord("http://h"),
      headers: words.enumerated().map { CurlRequest.Field("X-\($0.offset)", ShellWord($0.element)) })
    let shell = PastedLine.Shell.allCases[Int(seed) % PastedLine.Shell.allCases.count]
    let (calls, _, said) = try PastedLine(shell: shell, isInteractive: false).run(request.text)
    let found = try #require(calls.first?.arguments, "\(said)").filter { $0.hasPrefix("X-") }
    #expect(found == words.enumerated().map { $1.isEmpty ? "X-\($0);" : "X-\($0): \($1)" }, "seed \(seed)")
  }

  @Test func `the command is short where nothing needs saying`() {
    let get = CurlRequest(
      method: "GET", url: ShellWord("http://a/b?c=d&e=f"), headers: [.init("X-None", ShellWord())])
    #expect(get.text == "curl -g -sS -i -H 'X-None;' --url 'http://a/b?c=d&e=f'")
    let post = CurlRequest(method: "POST", url: ShellWord("http://a/b"))
    #expect(post.text == "curl -g -sS -i -X POST -H 'Content-Length: 0' --url 'http://a/b'")
    let head = CurlRequest(method: "HEAD", url: ShellWord("http://a/../b"), output: .status)
    #expect(
      head.text
        == #"curl -g -s -o /dev/null -w '%{http_code}\n' --head --path-as-is --url 'http://a/../b'"#)
    let lines = CurlRequest(
      method: "PUT", url: ShellWord("http://a"), headers: [.init("Content-Type", ShellWord("text/plain"))],
      body: ShellWord("50%\n\\it's"))
    #expect(
      lines.text
        == #"printf '50%%\n\\it'\''s' | curl -g -sS -i -X PUT -H 'Content-Type: text/plain' --data-binary @- --url 'http://a'"#
    )
  }

  @Test func `a name that no client can send is left out`() {
    let request = CurlRequest(
      method: "GET", url: ShellWord("http://a"),
      headers: [.init("@/etc/passwd", ShellWord("x")), .init("a b", ShellWord("x")), .init("", ShellWord("x"))])
    #expect(!request.text.contains("-H"))
  }

  @Test func `secret credentials of the scheme Basic are a name and a password`() {
    func words(_ field: String, _ value: ShellWord) -> String {
      CurlRequest(method: "GET", url: ShellWord("http://a"), headers: [.init(field, value)]).text
    }
    let secret = ShellWord(ShellVariable("SECRET"))
    #expect(words("authorization", ShellWord("Basic ") + secret).contains(#" -u "$SECRET" "#))
    #expect(words("Authorization", ShellWord("Bearer ") + secret).contains(#"-H 'Authorization: Bearer '"$SECRET""#))
    #expect(words("Authorization", ShellWord("Basic dTpw")).contains("-H 'Authorization: Basic dTpw'"))
    #expect(words("X-Authorization", ShellWord("Basic ") + secret).contains("-H 'X-Authorization: Basic '"))
  }

  @Test func `a variable's name is safe whatever it was made of`() {
    #expect(ShellVariable("secret", "x-api key;$(id)").name == "SECRET_X_API_KEY___ID_")
    #expect(ShellVariable("1a").name == "V_1A")
    #expect(ShellVariable("").name == "V_")
    #expect(ShellVariable(environment: "a b") == nil)
    #expect(ShellVariable(environment: "1") == nil)
    #expect(ShellVariable(environment: "") == nil)
    #expect(ShellVariable(environment: "Token_1")?.name == "Token_1")
  }
}
