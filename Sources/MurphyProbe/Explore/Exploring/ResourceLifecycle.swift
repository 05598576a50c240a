import MurphyContract
import MurphyScenario
import MurphySchema

/// The lifecycle of one item of a collection as a sequence of requests: created, read, changed, deleted.
struct ResourceLifecycle: Sendable {
  enum Part: String, Sendable, CaseIterable {
    case read, replaced, changed, deleted, listed, located, twice
  }

  var part: Part
  /// The requests up to the one that the part tests.
  var steps: [ExploreCall]
  /// Reads the item; nil if no operation does.
  var reading: ExploreCall?
  /// Changes the item after its deletion; nil if no operation does.
  var change: ExploreCall?
  /// The list that must contain it.
  var list: ExploreCall?
  /// True if the contract declares that it can be read after its creation: by a link or a `Location`.
  var isPromised: Bool

  /// Equal for equal lifecycles of the same document.
  var name: String { "state \(part.rawValue)" }

  /// One set for each collection in which an item can be created, and for each operation that returns a location.
  static func all(_ planner: ChainPlanner, _ bases: [Int: [ExploreCall]], _ contract: Contract) -> [ResourceLifecycle] {
    var planner = planner
    var lives: [ResourceLifecycle] = []
    for (segments, maker) in planner.index.makers.sorted(by: { $0.key.joined() < $1.key.joined() }) {
      let items = planner.index.items(of: segments)
      let isPromised =
        contract.namesLocation(maker.operation)
        || contract.operations[maker.operation].responses.contains { $0.isSuccess && !$0.links.isEmpty }
      func add(_ part: Part, _ method: String) {
        guard let operation = items[method], let base = bases[operation] else { return }
        // With all fields more values can be lost.
        let full = part == .deleted ? nil : planner.chain(operation, .made, .full)
        for steps in [full, base].compactMap(\.self) where steps.contains(where: { $0.operation == maker.operation }) {
          let last = steps[steps.count - 1]
          var life = ResourceLifecycle(
            part: part, steps: steps, reading: planner.item("GET", like: last), isPromised: isPromised)
          if part == .deleted { life.change = planner.item("PATCH", like: last)?.withoutAnswers }
          lives.append(part == .changed ? life.naming(oneMemberOf: last) : life)
        }
      }
      add(.read, "GET")
      add(.replaced, "PUT")
      add(.changed, "PATCH")
      add(.deleted, "DELETE")
      if let made = bases[maker.operation],
        let list = planner.index.lists[segments].flatMap({ bases[$0.operation]?.last }),
        list.path.values.allSatisfy({ $0.literal != nil })
      {
        lives.append(ResourceLifecycle(part: .listed, steps: made, list: list, isPromised: isPromised))
      }
    }
    for (operation, base) in bases.sorted(by: { $0.key < $1.key }) where contract.operations[operation].method == "POST"
    {
      if contract.namesLocation(operation) {
        lives.append(ResourceLifecycle(part: .located, steps: base, isPromised: true))
      }
      lives.append(ResourceLifecycle(part: .twice, steps: base, isPromised: false))
    }
    return lives
  }

  /// The same with a body of one field, preferably a string: the others must stay.
  private func naming(oneMemberOf call: ExploreCall) -> ResourceLifecycle {
    guard case .object(let body)? = call.body, body.count > 1,
      let chosen = body.members.first(where: { $0.value.string != nil }) ?? body.members.first
    else { return self }
    var copy = self
    var one = call
    one.body = .object(JSONObject([(chosen.key, chosen.value)]))
    one.fresh = call.fresh.filter { $0.key.tokens.first == chosen.key }
    one.references = call.references.filter { $0.key.tokens.first == chosen.key }
    copy.steps[copy.steps.count - 1] = one
    return copy
  }
}
