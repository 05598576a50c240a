import Foundation
import Testing

/// What the tests hold themselves to.
@Suite struct TestHabitTests {
  /// A line of a test file.
  private struct Line: CustomStringConvertible {
    var file: String
    var number: Int
    var text: Substring
    var isInTest: Bool
    var description: String { "\(file):\(number): \(text.trimmingCharacters(in: .whitespaces))" }
  }

  private static let lines = Result { () throws -> [Line] in
    try ArchitectureTests.swiftFiles(under: "Tests").flatMap { file in
      let name = file.path.dropFirst(ArchitectureTests.root.path.count + 1)
      var isInTest = false
      let text = try String(contentsOf: file, encoding: .utf8)
      return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
        if line.hasPrefix("  @Test") { isInTest = true }
        if line == "  }" { isInTest = false }
        return Line(file: String(name), number: index + 1, text: line, isInTest: isInTest)
      }
    }
  }

  /// A test that returns where something is not as it should be has passed.
  @Test func `no test returns in place of failing`() throws {
    let silent = try Self.lines.get().filter { $0.isInTest && $0.text.hasSuffix("else { return }") }
    #expect(silent.isEmpty, "write `try #require`, or skip the test with a trait: \(silent)")
  }

  /// `Tool` knows where a program lies and what to install, and `.requires` skips what needs it.
  @Test func `programs are tools`() throws {
    let wrong = try Self.lines.get().filter { line in
      !line.file.hasPrefix("Tests/Support/TestSupport/")
        && ["bin", "sbin"].contains { line.text.contains("\"/usr/\($0)/") }
    }
    #expect(wrong.isEmpty, "write `Tool.nginx.path`: \(wrong)")
  }

  /// One style of names: a failure reads as the sentence that is false.
  @Test func `tests have sentences as names`() throws {
    let tests = try Self.lines.get().filter { $0.text.contains(#/^ *@Test\b.* func |^ *@Test\("/#) }
    #expect(tests.filter { !$0.text.contains(#/ func `[^`]+ [^`]*`/#) }.map(\.description) == [])
    #expect(tests.count > 1000)
  }

  /// `Tests/run` reads the names of these suites from their first lines.
  @Test func `suites that measure time are found`() throws {
    let marked = try Self.lines.get().filter {
      $0.text.firstRange(of: /[(, ]\.(timed|alone)\b/) != nil && !$0.file.hasPrefix("Tests/Support/TestSupport/")
    }
    let unseen = marked.filter { $0.text.prefixMatch(of: /@Suite\(.*\.(timed|alone)\) struct \w+ {/) == nil }
    #expect(unseen.map(\.description).filter { !$0.hasPrefix("Tests/ArchitectureTests/") } == [])
    #expect(!marked.isEmpty)
  }

  /// `Tests/run` keeps them apart from the suites that only compute.
  @Test func `suites that run servers stand apart`() throws {
    let script = try String(contentsOf: ArchitectureTests.root.appending(path: "Tests/run"), encoding: .utf8)
    let pattern = try #require(script.firstMatch(of: /serving='(.*)'/)?.1)
    let serving = try Regex(String(pattern))
    let started = ["WildServer", "ReferenceAPI", "StreamServer"]
    for line in try Self.lines.get()
    where started.contains(where: { line.text.contains("try \($0)") || line.text.contains("try await \($0)") }) {
      let module = line.file.split(separator: "/")[1] + "."
      #expect(module.firstMatch(of: serving) != nil, "\(line)")
    }
  }
}
