import Foundation
import Murphy
import Testing

/// Checks of state and of relations on the logs of real runs of the reference APIs: they pass, and without the entries
/// that could show a fault none does.
@Suite(.serialized) struct LogTrialTests {
  /// What is left of a log.
  enum Left: String, CaseIterable {
    case nothing
    /// Nobody read what was written.
    case writes
    /// The API rejected every write, and nobody read.
    case rejectedWrites
    /// Nobody knows what became of the writes, and nobody read.
    case unknownWrites
    /// Nobody wrote.
    case reads
  }

  /// Scenarios with rules of state: a short run of each.
  static let stateful = ["murphys-laws/votes", "journal/release-gate", "milo/release-gate"]

  private static func record(_ scenario: String) async throws -> (Gate, RunOptions, RunRecord) {
    let gate = try Gate.load("\(Repository.root)/scenarios/\(scenario).yaml", environment: [:])
    var options = RunOptions()
    options.seed = 3
    options.duration = .seconds(4)
    return (gate, options, try await gate.run(options))
  }

  private static func isRead(_ exchange: StateExchange) -> Bool {
    switch exchange.role {
    case .read, .response, .shown, .absent, .list, .conflict, .requested, .receipt, .ticket: true
    case .write, .delete, .create, .batch: false
    }
  }

  private static func log(_ log: StateLog, _ left: Left) -> StateLog {
    var log = log
    switch left {
    case .nothing: log.exchanges = []
    case .reads: log.exchanges.removeAll { !isRead($0) || $0.role == .response || $0.role == .ticket }
    case .writes, .rejectedWrites, .unknownWrites: log.exchanges.removeAll(where: isRead)
    }
    for index in log.exchanges.indices {
      guard left == .rejectedWrites || left == .unknownWrites else { continue }
      log.exchanges[index].outcome = left == .rejectedWrites ? .refused : .unknown
      // What the response gave: a version, tickets.
      log.exchanges[index].b = StateExchange.none
    }
    return log
  }

  @Test(arguments: stateful) func `without writes and later reads no rule of state passes`(_ scenario: String)
    async throws
  {
    let (gate, options, whole) = try await Self.record(scenario)
    let rows = gate.judge(whole, options: options).state
    #expect(!rows.isEmpty)
    for row in rows {
      #expect(row.verdict == .pass && row.state.trials > 0, "\(row.name): \(row.sentence)")
    }
    for left in Left.allCases {
      var record = whole
      record.stateLog = Self.log(whole.stateLog, left)
      for row in gate.judge(record, options: options).state {
        // Responses of writes, and receipts, show the faults of other rules.
        if row.kind != "ledger", left == .writes || left == .reads { continue }
        #expect(row.verdict != .pass, "\(row.name), \(left.rawValue): \(row.sentence)")
      }
    }
  }

  /// What is left of the log of relations.
  enum Pages: String, CaseIterable {
    case none, empty
    /// One page of one item for each operation, and nothing that a single response shows.
    case single
  }

  private static func log(_ log: RelationLog, _ pages: Pages) -> RelationLog {
    var less = RelationLog()
    less.requests = log.requests
    less.trials = log.trials.mapValues { _ in 0 }
    var known: Set<Int32> = []
    switch pages {
    case .none: break
    case .empty:
      less.pages = log.pages.map { page in
        var page = page
        (page.ids, page.total) = (0..<0, -1)
        return page
      }
    case .single:
      for page in log.pages where !page.ids.isEmpty && known.insert(page.operation).inserted {
        var page = page
        let first = Int32(less.ids.count)
        less.ids.append(log.ids[Int(page.ids.lowerBound)])
        (page.ids, page.total) = (first..<first + 1, -1)
        less.pages.append(page)
        less.rows[page.operation] = 1
      }
    }
    return less
  }

  @Test(arguments: ReferenceAPI.names) func `without pages and items to compare no relation passes`(
    _ system: String
  ) async throws {
    let (gate, options, whole) = try await Self.record("\(system)/release-gate")
    let kept = (gate.judge(whole, options: options).relations ?? []).filter { $0.outcome == .kept }
    #expect(!kept.isEmpty)
    for pages in Pages.allCases {
      var record = whole
      record.relations = Self.log(whole.relations, pages)
      let rows = gate.judge(record, options: options).relations ?? []
      #expect(
        rows.filter { $0.outcome == .kept }.map { "\($0.operation) \($0.relation)" } == [], "\(pages.rawValue)")
    }
    print("\(system): \(kept.count) relations")
  }
}
