import Foundation
import TestSupport
import Testing

/// docs/extending.md is true: its files are those that `AdditionTests` adds, and its differences fit the sources.
@Suite struct ExtendingDocumentTests {
  @Test func `every file of the document is one that a test adds`() throws {
    let blocks = Set(try Self.blocks("swift").map(Self.withoutImports))
    let folder = AdditionTests.root.appending(path: "Tests/ExtendingTests/Additions")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    #expect(files.count == 5)
    for file in files {
      let text = Self.withoutImports(try String(contentsOf: file, encoding: .utf8))
      #expect(blocks.contains(text), "docs/extending.md does not show \(file.lastPathComponent) as it is")
    }
    #expect(blocks.count == files.count)
  }

  @Test func `every difference fits the sources`() async throws {
    let differences = try Self.blocks("diff")
    #expect(differences.count == 6)
    for difference in differences {
      let said = try await Self.run(["git", "apply", "--check", "-"], input: difference, in: AdditionTests.root)
      #expect(said.status == 0, "\(said.errors)\n\(difference)")
    }
  }

  /// The type checker sees the model alone. That no kind lacks its row, `FindingRuleTests` holds.
  @Test func `a kind of finding with its row compiles`() async throws {
    let kind = try #require(try Self.blocks("diff").first { $0.contains("FindingKind.swift") })
    let files = kind.components(separatedBy: "diff --git ").filter { !$0.isEmpty }.map { "diff --git " + $0 }
    #expect(files.count == 2)
    let copy = FileManager.default.temporaryDirectory.appending(path: "murphy-kind-\(UUID())")
    defer { try? FileManager.default.removeItem(at: copy) }
    let model = copy.appending(path: "Sources/MurphyModel")
    try FileManager.default.createDirectory(
      at: model.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: AdditionTests.root.appending(path: "Sources/MurphyModel"), to: model)
    for file in files {
      #expect(try await Self.run(["git", "apply", "-"], input: file, in: copy).status == 0)
    }
    let whole = try await Self.typeCheck(model)
    #expect(whole.status == 0, "\(whole.errors.suffix(400))")
  }

  private static func typeCheck(_ folder: URL) async throws -> Command.Outcome {
    let sources = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let built = Bundle.main.bundleURL
    // A module of C that the histogram's own dependency imports.
    let shims = built.deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "checkouts/swift-numerics/Sources/_NumericsShims/include/module.modulemap").path
    return try await run(
      [
        "swiftc", "-typecheck", "-swift-version", "6", "-package-name", "murphy", "-I",
        built.appending(path: "Modules").path, "-Xcc", "-fmodule-map-file=\(shims)",
      ] + sources, input: "", in: folder)
  }

  /// The contents of the document's fenced blocks in one language.
  private static func blocks(_ language: String) throws -> [String] {
    let text = try String(contentsOf: AdditionTests.root.appending(path: "docs/extending.md"), encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  private static func withoutImports(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") }.joined(separator: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func run(_ words: [String], input: String, in folder: URL) async throws -> Command.Outcome {
    try await Command(Tool.env.path, words, in: folder.path, input: input).run()
  }
}
