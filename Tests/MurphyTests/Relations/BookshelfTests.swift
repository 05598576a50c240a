import Foundation
import Murphy
import Testing

/// Relations that the walk after the load decides, on a server of which murphy knows nothing but its contract.
@Suite(.serialized) struct BookshelfTests {
  private static let shownBy: [Bookshelf.Fault: (kind: FindingKind, operation: String)] = [
    .cursorLoops: (.relationCursor, "listBooks"), .cursorEndsEarly: (.relationCursor, "listBooks"),
    .cursorNeverEnds: (.relationCursor, "listBooks"), .cursorSkips: (.relationSkips, "listBooks"),
    .cursorRepeats: (.relationRepeats, "listBooks"), .searchIgnored: (.relationSearch, "listBooks"),
    .unsorted: (.relationOrder, "listBooks"), .booksOfAnother: (.relationParent, "listBooksOfAuthor"),
    .countTooHigh: (.relationCounts, "getAuthor"), .locationMissing: (.relationLocation, "putBook"),
    .locationOfAnother: (.relationLocation, "putBook"), .varyMissing: (.relationVary, "getBook"),
    .pageStays: (.relationEcho, "listAuthors"), .sizeLies: (.relationEcho, "listAuthors"),
    .nextMissing: (.relationNext, "listAuthors"), .titlesExchanged: (.relationExchanged, "putBook"),
  ]

  @Test func `a shelf that keeps them passes`() async throws {
    let result = try await Self.run(.none)
    #expect(result.findings.filter { $0.severity != .note }.map(\.message) == [])
    #expect(result.verdict == .pass)
    let kept = Set((result.relations ?? []).filter { $0.outcome == .kept }.map { "\($0.operation) \($0.relation)" })
    let wanted = Self.shownBy.values.map { "\($0.operation) \($0.kind.rawValue.dropFirst("relation.".count))" }
    #expect(Set(wanted).subtracting(kept) == [])
  }

  @Test(arguments: Bookshelf.Fault.allCases.filter { $0 != .none }) func `a fault is found`(_ fault: Bookshelf.Fault)
    async throws
  {
    let expected = try #require(Self.shownBy[fault])
    let result = try await Self.run(fault)
    let errors = result.findings.filter { $0.severity == .error }
    let found = errors.first { $0.kind == expected.kind && $0.operation == expected.operation }
    print("bookshelf \(fault.rawValue) -> \(found.map { "\($0.kind): \($0.message)" } ?? "nothing")")
    #expect(found != nil, "\(errors.map { "\($0.kind) \($0.message)" })")
    #expect(found?.evidence?.curl?.text.contains("curl") == true)
    #expect(result.verdict == .fail)
  }

  private static func run(_ fault: Bookshelf.Fault) async throws -> RunResult {
    let server = try Bookshelf.serve(fault)
    defer { server.stop() }
    return try await withTemporaryFolder { folder in
      try Bookshelf.contract.write(toFile: folder + "/shelf.yaml", atomically: true, encoding: .utf8)
      let file = folder + "/scenario.yaml"
      try Bookshelf.scenario(url: server.url).write(toFile: file, atomically: true, encoding: .utf8)
      let gate = try Gate.load(file, environment: [:])
      var options = RunOptions()
      options.seed = 7
      options.loops = 1
      return gate.judge(try await gate.run(options), options: options)
    }
  }
}
