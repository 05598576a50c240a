import Foundation
import Testing

/// Texts that people read use the field's terms, and constructions that are understood at the first reading.
@Suite struct PlainWordsTests {
  /// A word or construction that is not used, and what to write instead.
  private struct Rule {
    var pattern: NSRegularExpression
    var instead: String

    init(_ pattern: String, _ instead: String) throws {
      self.pattern = try NSRegularExpression(pattern: pattern, options: .caseInsensitive)
      self.instead = instead
    }

    func firstMatch(in text: String) -> String? {
      pattern.firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
        .flatMap { Range($0.range, in: text) }.map { String(text[$0]) }
    }
  }

  private static let rules = Result {
    [
      try Rule(#"\bmend(s|ed|ing)?\b"#, "fix"),
      try Rule(#"\b(shows?|showed) it again\b"#, "reproduce"),
      try Rule(#"\b(nobody|whoever|anybody|whosoever)\b"#, "no client, any client, nothing"),
      try Rule(#"\bheld against\b|\bholds? (it|them|\w+) against\b"#, "checked against"),
      try Rule(#"\bfor (they|he|she|there)\b|, for (it|what|these|those|none)\b"#, "because"),
      try Rule(#"\bbut for\b"#, "except"),
      try Rule(#"\bstands? (in|beside|for itself|there|already|still)\b"#, "is in"),
      try Rule(#"\blies? in (the|a|one|its)\b"#, "is in"),
      try Rule(#"\bgo(es)? on behind\b|\bbehind (it|them|this|that|its end)\b"#, "after"),
      try Rule(#"\bmade[- ]up\b"#, "spoofed, generated"),
      try Rule(#"\bwalk(s|ed)? around\b"#, "bypass"),
      try Rule(#"\btells? of\b|\bis told (of|as|from)\b"#, "reports, distinguishes"),
      try Rule(#"\bturned? away\b"#, "rejected"),
      try Rule(#"\bodd texts?\b|\bnonsense\b"#, "invalid input"),
      try Rule(#"\b(accuses?|accused|innocent|guilty)\b"#, "reports, the cause"),
      try Rule(#"\banew\b|\bthereof\b|\bwherein\b|\bwherefore\b|\balbeit\b|\blest\b"#, "again, of it, in which"),
      try Rule(#"\bbesides?\b"#, "next to, compared with, in addition to"),
      try Rule(#"\bhands? (it|them) on\b|\bhanded on\b"#, "forwards"),
      try Rule(#"\bdocumented things\b|\bnever came\b|\bcame to nothing\b"#, "not covered, not received"),
      try Rule(#"\bthe house\b|\ba room of\b"#, "the modules, a module"),
    ]
  }

  /// Lines that keep a word, by a part of the line, with the reason.
  private static let exceptions: [(file: String, part: String, reason: String)] = []

  @Test func `texts use plain words`() throws {
    let rules = try Self.rules.get()
    var (read, used) = (0, Set<Int>())
    for file in try Self.files() {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      for (number, line) in lines.enumerated() {
        let text = file.pathExtension == "md" ? line : Self.readable(line, in: file)
        guard !text.isEmpty else { continue }
        read += 1
        for rule in rules {
          guard let word = rule.firstMatch(in: text) else { continue }
          let name = String(file.path.dropFirst(ArchitectureTests.root.path.count + 1))
          if let index = Self.exceptions.firstIndex(where: { name == $0.file && line.contains($0.part) }) {
            used.insert(index)
          } else {
            Issue.record(
              """
              \(name):\(number + 1): "\(word)": write \(rule.instead), or add an exception with its reason: \
              \(line.trimmingCharacters(in: .whitespaces).prefix(120))
              """)
          }
        }
      }
    }
    #expect(read > 10_000)
    for index in Self.exceptions.indices where !used.contains(index) {
      Issue.record("no line of \(Self.exceptions[index].file) needs the exception \(Self.exceptions[index].part)")
    }
  }

  /// Every rule finds what it forbids: a pattern that matches nothing would hide mistakes.
  @Test(arguments: [
    "Mend the query.", "Its command shows it again.", "a value that nobody wrote", "held against the schema",
    "murphy waits, for they are late", "all but for one", "it stands in the list", "it lies in the file",
    "the bytes behind it", "a made-up header", "clients walk around it", "it tells of a fault", "was turned away",
    "an odd text", "it accuses the server", "said anew", "besides the load", "hands it on", "it never came",
    "the house rules",
  ]) func `a rule finds`(_ text: String) throws {
    #expect(try Self.rules.get().contains { $0.firstMatch(in: text) != nil })
  }

  /// The imperative, at most 72 characters, no full stop. Merges have Git's own subject.
  @Test(.enabled(if: FileManager.default.fileExists(atPath: ArchitectureTests.root.path + "/.git")))
  func `commit subjects are short imperatives`() throws {
    let git = Process()
    git.executableURL = URL(filePath: "/bin/sh")
    git.arguments = ["-c", "exec git -C \"$0\" log --no-merges --format=%s -n 20", ArchitectureTests.root.path]
    let output = Pipe()
    git.standardOutput = output
    try git.run()
    let subjects = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    git.waitUntilExit()
    #expect(!subjects.isEmpty)
    let other = try Regex(#"^(?!Need|Embed|Feed|Seed|Speed|Bring)\w+(ed|ing)\b|^[^A-Z]|\.$"#)
    for subject in subjects {
      #expect(subject.count <= 72, "\(subject)")
      #expect(subject.firstMatch(of: other) == nil, "write the imperative: \(subject)")
    }
  }

  private static func files() throws -> [URL] {
    let kinds: Set = ["swift", "md", "yaml", "yml", "sh"]
    let folders = try ["Sources", "docs", "scenarios", "deploy"].flatMap { folder in
      try FileManager.default.subpathsOfDirectory(atPath: ArchitectureTests.root.appending(path: folder).path).sorted()
        .map { folder + "/" + $0 }
    }
    let own = try FileManager.default.contentsOfDirectory(atPath: ArchitectureTests.root.path)
      .filter { $0.hasSuffix(".md") }
    return (folders + own).map { ArchitectureTests.root.appending(path: $0) }.filter {
      kinds.contains($0.pathExtension)
    }
  }

  private static let literal = Result { try NSRegularExpression(pattern: #""((?:[^"\\]|\\.)*)""#) }

  /// The literals and the comment of a line; a line without code is a line of a long literal.
  private static func readable(_ line: String, in file: URL) -> String {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    var parts = (try? literal.get().matches(in: line, range: NSRange(line.startIndex..., in: line))) ?? []
    parts.removeAll { $0.numberOfRanges < 2 }
    var texts = parts.compactMap { Range($0.range(at: 1), in: line) }.map { String(line[$0]) }
    let mark = file.pathExtension == "swift" ? "//" : "#"
    if let comment = line.range(of: mark) {
      texts.append(String(line[comment.upperBound...]))
    } else if file.pathExtension == "swift", !trimmed.contains(where: { "{}()=;".contains($0) }) {
      texts.append(trimmed)
    }
    return texts.joined(separator: " | ")
  }
}
