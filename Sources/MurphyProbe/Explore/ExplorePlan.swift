import MurphyContract
import MurphyHTTP
import MurphyScenario
import MurphySchema

/// The knowledge of the explorers about minimal requests and preparations. All explorers run on one loop and share it.
final class ExplorePlan {
  var planner: ChainPlanner
  let trials: SchemaTrials
  /// The steps of successful minimal requests.
  var bases: [Int: [ExploreCall]] = [:]
  var lives: Set<ResourceLifecycle> = []
  var inventors: [Int: (base: [ExploreCall], inventor: CaseInventor)] = [:]
  private(set) var searches: [Int: PlainSearch] = [:]

  init(_ setting: ExploreConfiguration) {
    planner = ChainPlanner(setting)
    trials = SchemaTrials(setting.contract)
  }

  func search(of operation: Int) -> PlainSearch {
    if let known = searches[operation] { return known }
    let new = PlainSearch()
    searches[operation] = new
    return new
  }
}

/// Decides how many explorers send requests. A slow API gets more of them, so that each operation is called in time.
package struct ExplorePace: Sendable {
  /// The number of explorers that send requests.
  private(set) var users: Int
  let most: Int
  /// The moving average of the time until a response.
  private var wait = 0.0
  private var responses = 0

  /// The maximum without a given number.
  package static let most = 8
  /// One more explorer starts if responses arrive less often.
  private static let slow = Duration.milliseconds(30)
  /// The number of responses between two decisions.
  private static let step = 10
  /// The moving average as a time.
  var typicalWait: Duration { .saturating(seconds: wait) }

  /// - Parameter users: the number of explorers; nil if the pace decides.
  init(users: Int?) {
    self.users = users ?? 1
    most = users ?? Self.most
  }

  mutating func saw(_ took: Duration) {
    wait += (took / .seconds(1) - wait) / Double(min(responses, Self.step) + 1)
    responses += 1
    guard users < most, responses % Self.step == 0, wait / Double(users) > Self.slow / .seconds(1) else { return }
    users += 1
  }
}
