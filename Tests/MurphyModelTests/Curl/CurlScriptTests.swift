import Foundation
import MurphyModel
import TestSupport
import Testing

@Suite(.requires(.bash, .zsh)) struct CurlScriptTests {
  static func request(_ key: String, _ body: String? = nil) -> CurlRequest {
    CurlRequest(
      method: "POST", url: ShellWord("http://h/vote"), headers: [.init("X-Device-ID", ShellWord(key))],
      body: body.map { ShellWord($0) }, output: .status)
  }

  @Test func `equal requests become a loop, those close together a volley`() {
    let moments = [0, 10, 20, 1500].map {
      CurlScript.Sent(moment: .milliseconds($0), request: CurlRequest(method: "GET", url: ShellWord("u")), outcome: 200)
    }
    let one = "curl -g -sS -i --url 'u'"
    #expect(
      CurlScript(replaying: moments).text == "(for i in $(seq 3); do \(one) & done; sleep 1.48; wait); \(one)")
    var refused = moments
    refused[2].outcome = 429
    #expect(
      CurlScript(replaying: refused).text
        == "(for i in $(seq 2); do \(one) & done; wait); \(one); sleep 1.49; \(one)")
    #expect(
      CurlScript([.requests([moments[0].request, moments[0].request])]).text
        == "for i in $(seq 2); do \(one); done")
  }

  @Test(arguments: PastedLine.Shell.allCases, [false, true])
  func `every request of a script is sent as often as it says`(shell: PastedLine.Shell, interactive: Bool) throws {
    let keys = CurlRequestTests.hostile.map { "k" + $0 }
    let many = keys.map { Self.request($0) }
    let mixed = [Self.request("a", "1"), Self.request("b", "2"), Self.request("b", "2"), Self.request("c")]
    let piped =
      Array(repeating: Self.request("p", "x\ny"), count: 3) + [Self.request("q", "x\ny"), Self.request("q", "z\n")]
    let script = CurlScript([
      .note("it's $(touch ran)"), .requests(many), .pause(.milliseconds(500)), .volley(many), .volley(mixed),
      .requests(mixed),
      .volley(piped), .requests(piped), .requests(Array(repeating: Self.request("same"), count: 30)),
    ])
    let (calls, files, said) = try PastedLine(shell: shell, isInteractive: interactive).run(script.text.text)
    let sent = many + many + mixed + mixed + piped + piped + Array(repeating: Self.request("same"), count: 30)
    #expect(files == [])
    #expect(Self.tally(calls.map { $0 }) == Self.tally(sent.map(Self.expected)), "\(said)")
  }

  @Test(arguments: PastedLine.Shell.allCases, [false, true])
  func `a value of one response goes into the next request`(shell: PastedLine.Shell, interactive: Bool) throws {
    let id = ShellVariable("ID")
    let create = CurlRequest(method: "GET", url: ShellWord("http://h/laws"), output: .body)
    let read = CurlRequest(method: "GET", url: ShellWord("http://h/laws/") + ShellWord(id))
    let answer = ShellVariable("answer")
    let script = CurlScript([
      .keep(answer, bodyOf: create), .extract(id, from: answer, filter: ".data[0].id"), .requests([read]),
    ])
    let value = "$(touch ran)' \" 7"
    let (calls, files, said) = try PastedLine(shell: shell, isInteractive: interactive).run(
      script.text.text, environment: ["ANSWER": #"{"data":[{"id":"$(touch ran)' \" 7"}]}"#])
    #expect(calls.contains { $0.arguments.last == "http://h/laws/" + value }, "\(said)")
    #expect(files == [])
  }

  private static func tally(_ calls: [PastedLine.Call]) -> [PastedLine.Call: Int] {
    calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  private static func expected(_ request: CurlRequest) -> PastedLine.Call {
    func text(_ word: ShellWord) -> String {
      word.pieces.map { if case .bytes(let bytes) = $0 { String(decoding: bytes, as: UTF8.self) } else { "" } }.joined()
    }
    var arguments = ["-g", "-s", "-o", "/dev/null", "-w", "%{http_code}\\n", "-X", "POST"]
    for field in request.headers { arguments += ["-H", "\(field.name): \(text(field.value))"] }
    let body = request.body.map(text)
    let isPiped = body?.contains("\n") ?? false
    if let body {
      arguments += ["-H", "Content-Type:"] + (isPiped ? ["--data-binary", "@-"] : ["--data-raw", body])
    } else {
      arguments += ["-H", "Content-Length: 0"]
    }
    return PastedLine.Call(
      arguments: arguments + ["--url", "http://h/vote"], input: isPiped ? Array((body ?? "").utf8) : [])
  }
}
