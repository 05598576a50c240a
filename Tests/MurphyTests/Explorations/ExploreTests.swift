import Bookshop
import Foundation
import Murphy
import TestSupport
import Testing

/// Explorations of a bookshop of which murphy knows only the document, and of the reference APIs.
@Suite(.serialized, .timed) struct ExploreTests {
  static let document = Repository.root + "/Tests/Support/Bookshop/bookshop.yaml"

  @Test func `a strict server has no finding`() async throws {
    let result = try await Self.explore(nil)
    #expect(result.findings.filter { $0.severity > .note }.map(\.message) == [])
    #expect(result.verdict == .pass, "\(result.reasons)")
    let explored = try #require(result.explored)
    #expect(explored.operations.count == 26, "\(explored.skipped ?? [])")
    let unreached = explored.operations.filter { !$0.succeeded }.map(\.operation)
    // Only one's own account may be read, and a new user is not the one who asks.
    #expect(unreached == ["getUser"])
    let reached = explored.operations.filter(\.succeeded)
    #expect(reached.filter { $0.constraints.done != $0.constraints.of || $0.constraints.of == 0 } == [])
  }

  /// What a fault is shown by beside its own operation.
  private static let companions = [
    "deleted-gone": ["deleteBook"], "price-free": ["createBook"], "author-unlisted": ["createAuthor"],
    "author-unread": ["createAuthor"],
  ]

  @Test(arguments: PlantedFault.all.map(\.name)) func `a fault is found`(_ name: String) async throws {
    let fault = try #require(PlantedFault.all.first { $0.name == name })
    let result = try await Self.explore(fault, only: [fault.operation] + Self.companions[name, default: []])
    let errors = result.findings.filter { $0.severity == .error }
    print("fault \(name) -> \(errors.first.map { "\($0.operation ?? "") \($0.kind): \($0.message)" } ?? "nothing")")
    #expect(!errors.isEmpty)
    #expect(result.verdict == .fail)
    for finding in errors where finding.kind.family == .explore {
      #expect(finding.evidence?.curl?.text.contains("curl") == true)
      #expect(finding.evidence?.exchange != nil)
    }
  }

  @Test func `a link that leads nowhere is found`() async throws {
    let fault = try #require(PlantedFault.warned.first { $0.name == "dead-link" })
    let found = try await Self.explore(fault, only: [fault.operation]).findings.filter { $0.kind == .exploreDeadLink }
    #expect(found.map(\.operation) == ["listAuthors"] && found.map(\.severity) == [.warning], "\(found)")
    #expect(found.first?.message.hasPrefix("Link rel=first is /author?") == true, "\(found)")
    #expect(found.first?.evidence?.exchange?.status == 404)
    #expect(found.first?.evidence?.curl?.text.contains("/author?") == true)
  }

  @Test(arguments: ReferenceAPI.names) func `the reference APIs have no finding`(_ system: String) async throws {
    var options = ExploreOptions(target: try Target("embedded:\(system)"))
    options.seed = 3
    (options.timeout, options.time) = (.seconds(5), .seconds(30))
    // The client chooses the identifier of an entry, so that a PUT may replace one of somebody else.
    if system == "journal" { options.operations = ["pushEntry"] }
    let document = Repository.root + "/scenarios/\(system)/openapi.yaml"
    let result = try await ContractExplorer(document, options).run()
    let errors = result.findings.filter { $0.severity == .error }.map(\.message)
    // Its document tells in words only that a time zone has a known name, and that somebody reviews a law first.
    let isKnown = { (message: String) in
      system == "murphys-laws"
        && ["body /timezone", "404 for an item that submitLaw has just created"].contains { message.contains($0) }
    }
    #expect(errors.filter { !isKnown($0) } == [])
    // Their limits leave cases undecided.
    #expect((errors.isEmpty ? [.pass, .noData] : [.fail]).contains(result.verdict), "\(result.reasons)")
    #expect(result.ledger.sent > 200)
  }

  @Test func `what was found is replayed`() async throws {
    let fault = try #require(PlantedFault.all.first { $0.name == "offset-huge" })
    try await withTemporaryFolder { folder in
      let first = try await Self.explore(fault, only: [fault.operation])
      try Report.write(first, to: folder)
      let earlier = try ReplayedExploration(folder + "/result.json")
      let again = try await Self.explore(fault, replaying: earlier)
      #expect(again.verdict == .fail)
      #expect(earlier.comparison(with: again).first == "1 of 1 findings were reproduced.")
      #expect(again.ledger.sent < first.ledger.sent / 2)
      let mended = try await Self.explore(nil, replaying: earlier)
      #expect(mended.verdict == .pass)
      #expect(earlier.comparison(with: mended).count == 2)
    }
  }

  @Test func `a response that broke the contract is replayed`() async throws {
    let fault = try #require(PlantedFault.all.first { $0.name == "second-page" })
    try await withTemporaryFolder { folder in
      let first = try await Self.explore(fault, only: [fault.operation])
      #expect(first.findings.filter { $0.severity == .error }.allSatisfy { $0.kind.family != .explore })
      try Report.write(first, to: folder)
      let earlier = try ReplayedExploration(folder + "/result.json")
      let again = try await Self.explore(fault, replaying: earlier)
      #expect(again.verdict == .fail)
      #expect(earlier.comparison(with: again).count == 1, "\(earlier.comparison(with: again))")
    }
  }

  @Test func `who is not let in has seen nothing`() async throws {
    let result = try await Self.explore(nil, only: ["getCart", "listOrders"]) {
      $0.environment = ["MURPHY_AUTH_BEARER": "nobody-gave-this-0"]
    }
    #expect(result.verdict == .noData && result.exitStatus == .noData)
    let reason = try #require(result.reasons.first)
    #expect(reason.contains("returned 401") && reason.contains("MURPHY_AUTH_BEARER"), "\(reason)")
    let printed = TerminalDetails(result, width: 300).text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(printed.contains(reason), "\(printed)")
  }

  @Test func `bounds that leave operations untried are no pass`() async throws {
    let few = try await Self.explore(nil) { $0.mostRequests = 40 }
    #expect(few.verdict == .noData && few.ledger.sent <= 41, "\(few.ledger.sent)")
    #expect(
      few.reasons.first?.hasPrefix("--max-requests ended the exploration after 40 requests") == true, "\(few.reasons)")
    let short = try await Self.explore(nil) { $0.time = .milliseconds(40) }
    #expect(short.verdict == .noData, "\(short.reasons)")
    #expect(short.reasons.first?.hasPrefix("--max-seconds ended the exploration") == true, "\(short.reasons)")
  }

  @Test func `a base path that is not there is said`() async throws {
    let result = try await Self.explore(nil, only: ["listBooks", "getBook"], path: "/wrong")
    #expect(result.reasons.first?.contains("base path") == true, "\(result.reasons)")
    #expect(result.verdict == .fail || result.verdict == .noData)
  }

  @Test func `the seed repeats the exploration`() async throws {
    let runs = [try await Self.explore(nil, only: ["listBooks"]), try await Self.explore(nil, only: ["listBooks"])]
    #expect(runs[0].explored?.operations == runs[1].explored?.operations)
    #expect(runs[0].ledger.sent == runs[1].ledger.sent)
  }

  @Test func `many users find the same`() async throws {
    let fault = try #require(PlantedFault.all.first { $0.name == "genre-sorted" })
    let result = try await Self.explore(fault, only: ["listBooks"], users: 4)
    #expect(result.findings.filter { $0.severity == .error }.map(\.kind) == [.exploreServerError])
  }

  /// Serves a bookshop and explores it as its first user, who knows a second one.
  static func explore(
    _ fault: PlantedFault?, only: [String] = [], users: Int = 1, replaying: ReplayedExploration? = nil,
    path: String = "",
    _ change: (inout ExploreOptions) -> Void = { _ in }
  ) async throws -> RunResult {
    let shop = try await BookshopProgram(fault)
    defer { shop.end() }
    var options = ExploreOptions(target: try Target(shop.url + path))
    options.environment = ["MURPHY_AUTH_BEARER": shop.tokens[0], "MURPHY_AUTH_BEARER_OTHER": shop.tokens[1]]
    options.only = only
    // They change the cart of the user who explores, by documented and by undocumented methods.
    // An order comes from a job, not from a response 201.
    options.operations = ["getCart", "clearCart", "cancelOrder"]
    options.users = users
    options.seed = 1
    // Other tests share the machine.
    (options.timeout, options.time) = (.seconds(5), .seconds(240))
    options.replayed = replaying
    change(&options)
    return try await ContractExplorer(document, options).run()
  }
}
