import MurphyContract
import MurphyDraft
import MurphyJSON

/// Finds the requests that must come before a call: those whose answers give the values of its path, its body and its
/// conditions.
struct ChainPlanner {
  /// Where the things come from that a call needs.
  enum Policy: CaseIterable {
    /// A new one is made for each run.
    case made
    /// The first one of a list.
    case listed
    /// The second one of a list.
    case another
    /// The document names one.
    case named
  }

  let index: ProducerIndex
  private var sample: CallSample

  init(_ contract: Contract) {
    index = ProducerIndex(contract)
    sample = CallSample(contract)
  }

  /// The requests of a call, itself last; nil where a value of it is not known.
  func chain(_ operation: Int, _ policy: Policy, _ recipe: CallSample.Recipe) -> [ExploreCall]? {
    var draft = ChainDraft(self, policy, recipe)
    return draft.chain(operation)
  }

  /// Whether the last request deletes a thing that none of the others creates.
  func deletesOthers(_ steps: [ExploreCall]) -> Bool {
    guard let call = steps.last, index.contract.operations[call.operation].method == "DELETE",
      let name = index.shapes[call.operation].parameters.last?.name, let value = call.path[name]
    else { return false }
    if case .answer(let step, _) = value, index.contract.operations[steps[step].operation].method == "POST" {
      return false
    }
    return !steps.dropLast().contains { step in
      ["PUT", "POST"].contains(index.contract.operations[step.operation].method)
        && (step.path.values.contains(value) || step.references.values.contains(value))
    }
  }

  /// A call of an operation about the thing that another call is about; nil where that does not name all of its path.
  ///
  /// - Parameter last: the value of the last parameter, where the other call names only the collection.
  mutating func call(
    _ operation: Int, _ recipe: CallSample.Recipe, like other: ExploreCall, last: CallValue? = nil
  ) -> ExploreCall? {
    guard var call = sample.call(operation, recipe) else { return nil }
    let named = index.shapes[other.operation]
    for parameter in index.shapes[operation].parameters {
      let value =
        parameter.prefix == named.segments
        ? last : named.parameters.first { $0.prefix == parameter.prefix }.flatMap { other.path[$0.name] }
      guard let value else { return nil }
      call.path[parameter.name] = value
    }
    return call
  }

  /// The call of an item operation about the thing that another call is about; nil where there is none.
  mutating func item(_ method: String, like call: ExploreCall) -> ExploreCall? {
    let collection = Array(index.shapes[call.operation].segments.dropLast())
    return index.items(of: collection)[method].flatMap { self.call($0, .given, like: call) }
  }

  /// The call that reads what the last of these steps has made or changed; nil where no operation does.
  mutating func reading(after steps: [ExploreCall]) -> ExploreCall? {
    guard let call = steps.last else { return nil }
    let segments = index.shapes[call.operation].segments
    guard let maker = index.makers[segments], maker.operation == call.operation else {
      return index.contract.operations[call.operation].method == "DELETE" ? nil : item("GET", like: call)
    }
    return index.items(of: segments)["GET"].flatMap {
      self.call($0, .given, like: call, last: .answer(step: steps.count - 1, maker.place))
    }
  }

  /// The plainest call of an operation, its path left open.
  mutating func plain(_ operation: Int, _ recipe: CallSample.Recipe) -> ExploreCall? { sample.call(operation, recipe) }

  /// What the document itself says that a path parameter may be.
  mutating func given(_ name: String, _ operation: Int) -> CallValue? {
    index.contract.operations[operation].parameters.first { $0.name == name && $0.location == .path }
      .flatMap { sample.value(of: $0) }
  }
}
