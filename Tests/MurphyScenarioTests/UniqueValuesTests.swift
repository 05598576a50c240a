import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

/// `uuid()`, `email()` and long `string()` never come twice; everything else does, for the same seed.
@Suite struct UniqueValuesTests {
  private static let text = """
    name: Unique
    contract: openapi.yaml
    client:
      vars: { mood: "${choose(good, bad)}", name: "${string(20)}", short: "${string(12)}", mail: "${email()}" }
      headers: { X-Device-ID: "app-${uuid()}", X-Mood: "${mood}", X-Name: "${name}", X-Short: "${short}", X-Mail: "${mail}" }
    sessions:
      read:
        steps:
          - call: listLaws
            query: { limit: "${int(1, 25)}", q: "${mood}" }
          - think: 1s..4s
          - call: getLaw
            path: { id: "${int(1, 1000)}" }
            headers: { X-Request: "${uuid()}" }
    load: [{ ramp: 0/s..4/s, for: 3s }]
    """

  private static func plan(_ salt: UInt64?, isNew: Bool = true, seed: UInt64 = 7) throws -> Plan {
    Plan(
      scenario: try LawsAPI.read(text), seed: seed, unique: UniqueValues(salt: salt, isSaltNew: isNew))
  }

  private static func headers(_ plan: Plan, _ index: Int = 0) throws -> [String: String] {
    let start = try #require(try plan.start(plan.arrival(index), clock: nil))
    return Dictionary(uniqueKeysWithValues: start.headers.map { ($0.name, $0.value) })
  }

  @Test func `another salt changes the unique values and nothing else`() throws {
    for index in 0..<6 {
      let first = try Self.headers(Self.plan(1), index)
      let second = try Self.headers(Self.plan(2), index)
      for name in ["X-Device-ID", "X-Name", "X-Mail"] { #expect(first[name] != second[name]) }
      for name in ["X-Mood", "X-Short"] { #expect(first[name] == second[name]) }
      let again = try Self.headers(Self.plan(1), index)
      #expect(first == again, "the same salt repeats the very values")
    }
    let blank = { (text: String) in
      text.split(separator: "\n").filter { line in
        !["X-Device-ID", "X-Name", "X-Mail", "X-Request", "salt"].contains { line.contains($0) }
      }
    }
    let first = PlanText(try Self.plan(1)).text
    let second = PlanText(try Self.plan(2)).text
    #expect(first != second)
    #expect(blank(first) == blank(second))
    let unsalted = PlanText(try Self.plan(nil)).text
    #expect(blank(first) == blank(unsalted))
  }

  @Test func `a plan without a salt is the same byte for byte and says so`() throws {
    let text = PlanText(try Self.plan(nil)).text
    let again = PlanText(try Self.plan(nil)).text
    #expect(text == again)
    #expect(text.contains("salt of uuid(), email() and long string(): none in this plan"))
    let salted = PlanText(try Self.plan(12)).text
    #expect(salted.contains("salt of uuid(), email() and long string(): 12"))
  }

  @Test func `salted values are still of their kind`() throws {
    var random = RandomSource(seed: 3)
    var seen: Set<String> = []
    for salt in 0..<200 {
      var same = random
      let uuid = same.uuid(salt: UInt64(salt))
      #expect(uuid.count == 36 && Array(uuid)[14] == "4" && "89ab".contains(Array(uuid)[19]))
      seen.insert(uuid)
    }
    #expect(seen.count == 200)
    _ = random.next()
    let name = try #require(try Self.headers(Self.plan(5))["X-Name"])
    #expect(name.count == 20 && name.allSatisfy { $0.isLowercase || $0.isNumber })
  }

  @Test func `only what holds a value drawn in this run is fresh`() throws {
    func fresh(_ plan: Plan) throws -> Set<String> {
      let start = try #require(try plan.start(plan.arrival(0), clock: nil))
      return Set(start.headers.filter { start.scope.unique.isFresh($0.value) }.map(\.name))
    }
    #expect(try fresh(Self.plan(1)) == ["X-Device-ID", "X-Name", "X-Mail"])
    #expect(try fresh(Self.plan(1, isNew: false)) == [], "a salt that is given again repeats old values")
    #expect(try fresh(Self.plan(nil)) == [])
  }
}
