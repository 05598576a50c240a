import MurphyModel
import MurphyScenario
import Testing

/// What the entries of `expect: state:` become.
@Suite struct StateReadingTests {
  private static func invariant(_ text: String) throws -> StateExpectation {
    let scenario = try LawsAPI.read(
      """
      name: test
      contract: openapi.yaml
      sessions:
        one: { steps: [{ call: listLaws }] }
      load: [{ hold: 1/s, for: 1s }]
      expect:
        state:
          - \(text)
      """)
    return try #require(scenario.expectations.state.first)
  }

  private static func formula(_ text: String) throws -> (StateCondition, StateTap.Measures) {
    let invariant = try invariant(
      "{ holds: '\(text)', key: path.id, write: [voteLaw, removeVote], read: { getLaw: $.upvotes } }")
    guard case .formula(let condition, _) = invariant.kind,
      case .measure(_, let measures)? = invariant.taps.first?.action
    else { throw CancellationError() }
    return (condition, measures)
  }

  @Test func `a formula adds up and counts writes that meet a condition`() throws {
    let (condition, measures) = try Self.formula(
      """
      read.count == sum(accepted.before, body.amount, body.kind == "a, (b)") - sum(unknown.begun, body.amount) \
      and (count(refused.all, header.X-Way != up) + accepted.all) * 2 <= count(accepted.all, operation == voteLaw)
      """)
    let sum = StateFormula.difference(
      .total(0, .accepted, .before, matching: 0), .total(0, .unknown, .begun, matching: nil))
    let counts = StateFormula.product(
      .sum(.count(.refused, .all, matching: 1), .count(.accepted, .all)), .number(2))
    #expect(
      condition
        == .both(
          .test(.read("count"), .equal, sum), .test(counts, .atMost, .count(.accepted, .all, matching: 2))))
    #expect(measures.numbers.count == 1)
    #expect(measures.matches.map(\.value) == ["a, (b)", "up", "voteLaw"])
    #expect(measures.matches.map(\.isEqual) == [true, false, true])
    #expect(measures.matches[1].source == .header("x-way") && measures.matches[2].source == .operation)
    #expect(measures.needs.map(\.match) == [0, nil])
  }

  @Test func `a start says how an operation is called`() throws {
    let ledger = try Self.invariant(
      """
      { ledger: votes, key: path.id, voter: header.X-Device-ID, write: { voteLaw: up }, read: { getLaw: { up: $.upvotes } },
        start: { listLaws: { query: { limit: 100 } }, getLaw: { keys: [1, two] } } }
      """)
    #expect(ledger.starts.map(\.operation.id) == ["listLaws", "getLaw"])
    #expect(ledger.starts[0].query.map(\.name) == ["limit"] && ledger.starts[0].query.map(\.value) == [100])
    #expect(ledger.starts[1].keyName == "id" && ledger.starts[1].keys == ["1", "two"])
    let plain = try Self.invariant(
      "counter: { key: path.id, write: voteLaw, read: { getLaw: $.upvotes }, start: listLaws }")
    #expect(plain.starts.map(\.operation.id) == ["listLaws"])
  }
}
