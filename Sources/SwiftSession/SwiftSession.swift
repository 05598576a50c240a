// A session written in Swift instead of YAML: it runs under the same load, judges and reports.
//
//     swift run SwiftSession [REPORT-FOLDER]

import Foundation
import Murphy

/// A page of laws, with the fields that this session reads.
struct Page: Codable {
  struct Law: Codable {
    var id: Int
    var text: String
    var upvotes: Int
  }

  var data: [Law]
  var total: Int
}

/// The response of the API to a vote.
struct Votes: Codable {
  var upvotes: Int
  var downvotes: Int
}

@main struct Example {
  /// Reads a page, thinks, and votes for the law with the most votes.
  static let fan = SwiftSession("fan") { client in
    let device: KeyValuePairs<String, JSONValue> = ["X-Device-ID": .string(client.random.uuid())]
    let page = try await client.call("listLaws", query: ["limit": 25, "sort": "upvotes"], headers: device)
      .decode(Page.self)
    try await client.think(.milliseconds(100) ... .milliseconds(400))
    guard let favourite = page.data.first else { return }
    let vote = try await client.call(
      "voteLaw", path: ["id": .init(integerLiteral: favourite.id)],
      headers: device, body: ["vote_type": "up"])
    if vote.isSuccess { _ = try vote.decode(Votes.self) }
  }

  static func main() async throws {
    let gate = try Gate(
      contract: "scenarios/murphys-laws/openapi.yaml", target: "embedded:murphys-laws", sessions: [fan],
      load: .open([.hold(Rate(perSecond: 25), for: .seconds(4))]),
      budgets: [Budget(operation: "listLaws", metric: .latency(percentile: 95), limit: .atMost(.seconds(1)))])
    let result = gate.judge(try await gate.run())
    try gate.report(result, to: CommandLine.arguments.dropFirst().first ?? "reports/swift-session")
    print(TerminalSummary(result).text, terminator: "")
    exit(result.exitStatus.rawValue)
  }
}
