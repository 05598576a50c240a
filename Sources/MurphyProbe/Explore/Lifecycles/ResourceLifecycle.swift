import MurphyContract
import MurphyScenario
import MurphySchema

/// What happens to one thing of a collection, request after request: made, read, changed, deleted.
struct ResourceLifecycle: Sendable {
  enum Part: String, Sendable, CaseIterable {
    case read, replaced, changed, deleted, listed, located, twice
  }

  var part: Part
  /// The requests up to the one that the part is about.
  var steps: [ExploreCall]
  /// Reads the thing; nil where nobody can.
  var reading: ExploreCall?
  /// Changes the thing, once it is deleted; nil where nobody can.
  var change: ExploreCall?
  /// The list that it is to be in.
  var list: ExploreCall?
  /// Whether the contract promises that it can be read where it was made: by a link or a `Location`.
  var isPromised: Bool

  /// Equal for equal lives of the same document.
  var name: String { "state \(part.rawValue)" }

  /// For each collection in which something can be made, and for each operation that says where something is.
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
        // With all members there is more to lose.
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

  /// The same with a body of one member, a text where there is one: the others must stay.
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
