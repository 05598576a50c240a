import Foundation
import MurphyContract
import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

/// The schema and the reader know the same keys.
@Suite struct EveryKeyTests {
  private static let files = [
    "laws.csv": "text\none\n", "ca.pem": "none", "more.yaml": "steps: {}", "../shared.yaml": "about: Nothing.",
    "photo.png": "PNG", "client.pem": "none", "client.key": "none",
  ]

  @Test func `a scenario with every key is read`() throws {
    let scenario = try LawsAPI.read(
      Golden.input("everything.yaml"), files: Self.files, environment: ["KEY": "open-sesame"])
    #expect(scenario.warnings.map(\.message) == [])
    #expect(
      scenario.expectations.state.map(\.kind.word) == [
        "ledger", "formula", "counter", "versions", "register", "set", "delivery", "session",
      ])
    let ledger = scenario.expectations.state[0]
    #expect(ledger.taps.map(\.operation.id) == ["voteLaw", "removeVote", "listLaws"])
    #expect(ledger.isExclusive == true && ledger.settle == .seconds(5) && ledger.within == .seconds(10))
    #expect(ledger.starts.map(\.keys) == [[], ["1", "two"]] && ledger.idempotency == .header("idempotency-key"))
    #expect(ledger.stale == ["listLaws": .seconds(1), "*": .zero] && !ledger.readsAtEnd)
    #expect(
      scenario.expectations.limits.map(\.policy.text) == [
        "30 per 60 s, aligned fixed window, key x-device-id + address",
        "burst 10 at 3/s, token bucket, key global, cost query.limit",
        "5 at the same time, key address",
      ])
    let cost = ExchangeScope(try #require(scenario.expectations.limits[1].cost))
    #expect(cost.cost(["query": ["limit": "25"]], answer: nil) == 25)
    #expect(cost.cost(["query": ["limit": "-1"]], answer: nil) == nil && cost.cost([:], answer: nil) == nil)
    #expect(scenario.expectations.limits[0].policy.counts == LimitCounting(failed: .yes, refused: .no))
    #expect(scenario.expectations.limits[0].policy.refusals.count == 2)
    #expect(scenario.expectations.coverage?.atLeast == 50)
    #expect(scenario.expectations.strictness.rules == [.undocumentedFields])
    #expect(scenario.expectations.failOnUnchecked)
    let strength = scenario.expectations.strength
    #expect(strength.contract == 0.01 && strength.entities == 0.1 && strength.errors == 0.005)
    #expect(strength.latency == 0.25 && strength.stall == .seconds(2))
    #expect(strength.limits == [.allowance, .window, .workers, .key, .renewed])
    let relations = scenario.expectations.relations["listLaws"]
    #expect(relations.stale == .seconds(1) && relations.isExclusive == true && relations.walks == false)
    #expect(relations.countsAll == true && relations.ignored == ["text"] && relations.unsorted == ["score"])
    #expect(relations.filters == ["category_id": true, "attribution": false])
    #expect(relations.narrows == true && relations.rules[.search] == nil)
    #expect(relations.rules[.order] == true && relations.rules[.vary] == false)
    #expect(scenario.expectations.relations["getLaw"].rules[.notModified] == false)
    #expect(scenario.load.stages.map(\.text).count == 8)
    #expect(scenario.load.disturbances.map(\.kind) == [.outage, .spike, .spike])
    #expect(scenario.expectations.recovery == .seconds(10))
  }

  @Test func `every key of the schema stands in it`() throws {
    let text = try Golden.input("everything.yaml")
    let words = Set(text.split { " \n{}[],".contains($0) }.filter { $0.hasSuffix(":") }.map { String($0.dropLast()) })
    let schema = LanguageSchema.document
    var keys = Set(schema["properties"]?.object?.keys ?? [])
    for definition in schema["$defs"]?.object?.values ?? [] {
      keys.formUnion(definition["properties"]?.object?.keys ?? [])
    }
    // The closed model's own keys cannot stand beside arrivals.
    #expect(keys.subtracting(words) == ["users", "iterations"])
  }

  @Test func `the closed models keys are read too`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: "- call: listLaws", load: "{ stages: [{ users: 0..5, for: 1s }], iterations: 3, pause: 1s..2s }"))
    guard case .closed(let closed) = scenario.load else { return #expect(Bool(false), "not a closed model") }
    #expect(closed.iterations == 3)
    #expect(closed.pause == .drawn(.uniform(1, 2)))
    #expect(closed.stages == [UserStage(from: 0, to: 5, duration: .seconds(1))])
  }

  @Test(arguments: 1...30 as ClosedRange<UInt64>) func `no mutation of it breaks the reader`(seed: UInt64) throws {
    let lines = try Golden.input("everything.yaml").split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    var random = RandomSource(seed: seed)
    let snippets = [
      "${", "}", "[", "*", "&a ", ": ", "- ", "\"", "..", "\t", "%", "(", "-1", "é", "#", "null", "${x", "<<: *a",
    ]
    for _ in 0..<20 {
      var mutated = lines
      for _ in 0...random.index(below: 4) {
        let place = random.index(below: mutated.count)
        var characters = Array(mutated[place])
        let column = random.index(below: characters.count + 1)
        switch random.index(below: 4) {
        case 0: mutated.remove(at: place)
        case 1: mutated.insert(mutated[random.index(below: mutated.count)], at: place)
        case 2 where !characters.isEmpty: characters.remove(at: min(column, characters.count - 1))
        default: characters.insert(contentsOf: snippets[random.index(below: snippets.count)], at: column)
        }
        if mutated.indices.contains(place) { mutated[place] = String(characters) }
      }
      do throws(ScenarioError) {
        let scenario = try LawsAPI.read(
          mutated.joined(separator: "\n"), files: Self.files, environment: ["KEY": "open-sesame"])
        _ = PlanText(Plan(scenario: scenario, seed: seed), most: 5).text
      } catch {
        #expect(error.diagnostics.contains { $0.severity == .error }, "seed \(seed)")
      }
    }
  }
}
