import Foundation
import MurphyEngine
import MurphyModel
import Testing

@Suite struct CurlCommandTests {
  @Test(arguments: 0..<20) func `a shell reads a quoted word back as it was`(_ seed: UInt64) throws {
    var random = RandomSource(seed: seed)
    let alphabet = Array("ab 'Z\"$`\\!*?[]{}()<>|&;#~=%\n\tüλ😀")
    let words = (0..<20).map { _ in
      String((0..<Int.random(in: 0...12, using: &random)).map { _ in alphabet.randomElement(using: &random)! })
    }
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "printf '%s\\0' " + words.map(CurlCommand.quoted).joined(separator: " ")]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    let read = String(decoding: bytes, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
    #expect(read.dropLast().map(String.init) == words, "seed \(seed)")
  }

  @Test func `the command is short where nothing needs saying`() {
    let get = CurlCommand(method: "GET", url: "http://a/b?c=d&e=f", headers: [HeaderField("X-None", "")], body: nil)
    #expect(get.text == "curl -sS -i --compressed -H 'X-None;' 'http://a/b?c=d&e=f'")
    let post = CurlCommand(method: "POST", url: "http://a/b", headers: [], body: "{}")
    #expect(post.text == "curl -sS -i --compressed -X POST --data-raw '{}' http://a/b")
  }
}
