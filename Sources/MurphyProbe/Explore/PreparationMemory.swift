/// The results of requests that prepare cases: the failed ones, and the lists that stayed empty.
struct PreparationMemory: Sendable {
  /// The last response to a request that prepares cases, if it did not serve its purpose.
  struct Failure: Sendable {
    var operation: Int
    /// 0 without a response.
    var status: Int
    /// True if the response has none of the values that later requests need.
    var lacks: Bool
    /// The number of failures since the last success.
    fileprivate(set) var count = 0
  }

  /// Requests, and the places in the last response from which a case takes values. A list may have the first of two
  /// items and lack the second.
  struct Preparation: Hashable, Sendable {
    var steps: [ExploreCall]
    var places: Set<ResponsePlace>

    /// Those of a case up to one of its steps.
    init(_ steps: [ExploreCall], upTo index: Int) {
      self.steps = Array(steps[...index])
      places = Set(
        steps.dropFirst(index + 1).flatMap(\.sources).compactMap { source in
          if case .response(index, let place) = source { place } else { nil }
        })
    }
  }

  /// By the requests up to the failed one.
  private var failures: [Preparation: Failure] = [:]
  /// Requests that succeeded once.
  private var successes: Set<Preparation> = []
  /// By list operation: the creating operations after which its list was still empty at the end of a wait.
  private var emptyAfter: [Int: Set<Int>] = [:]
  /// Waits without an item since the last wait with one, by the probability of an item.
  private var fruitless: [Bool: Int] = [:]

  private static let mostFailures = 3
  private static let mostFruitless = [true: 6, false: 2]
  /// Statuses of responses that say nothing about the request.
  private static let passing: Set<Int> = [408, 425, 429, 502, 503, 504]

  /// The request before the last of these that has failed too often; nil if there is none.
  func failure(before steps: [ExploreCall]) -> Failure? {
    guard !failures.isEmpty else { return nil }
    return steps.indices.dropLast().lazy.compactMap { index -> Failure? in
      let preparation = Preparation(steps, upTo: index)
      guard let failure = failures[preparation] else { return nil }
      return failure.count >= (successes.contains(preparation) ? Self.mostFailures : 1) ? failure : nil
    }.first
  }

  mutating func saw(_ steps: Preparation, _ performed: CaseRunner.Performed, lacks: Bool) {
    if performed.isSuccess || performed.status == 304, !lacks {
      failures[steps] = nil
      successes.insert(steps)
    } else if !Self.passing.contains(performed.status), performed.status != 401 || !successes.contains(steps) {
      let count = failures[steps]?.count ?? 0
      failures[steps] = Failure(
        operation: performed.call.operation, status: performed.status, lacks: performed.isSuccess, count: count + 1)
    }
  }

  /// True if the list may become filled: something was created by an operation that no earlier wait followed. If
  /// several waits in sequence brought no item, there are no more waits.
  ///
  /// - Parameters:
  ///   - steps: the requests up to the list. A list that they have filled before may become filled again.
  ///   - isLikely: true if the item was created in the list's own collection, or asynchronously.
  func mayFill(_ list: Int, by steps: [ExploreCall], after creations: Set<Int>, isLikely: Bool) -> Bool {
    guard !creations.isEmpty, !successes.contains(where: { $0.steps == steps }) else { return !creations.isEmpty }
    return !creations.isSubset(of: emptyAfter[list, default: []])
      && fruitless[isLikely, default: 0] < Self.mostFruitless[isLikely, default: 0]
  }

  mutating func waited(for list: Int, after creations: Set<Int>, isLikely: Bool, isEmpty: Bool) {
    guard isEmpty else { return fruitless[isLikely] = 0 }
    emptyAfter[list, default: []].formUnion(creations)
    fruitless[isLikely, default: 0] += 1
  }

  /// Forgets the failures of these operations, because something was created that could help.
  mutating func forget(_ operations: Set<Int>) {
    failures = failures.filter { !operations.contains($0.value.operation) }
  }
}
