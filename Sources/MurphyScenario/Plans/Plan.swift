import MurphyJSON
import MurphyModel

/// Everything of a run that is known before a byte is sent. The same scenario and seed give the same plan, but for
/// values that carry a run's salt.
package struct Plan: Sendable {
  package let scenario: Scenario
  package let seed: UInt64
  /// How values that are meant to be unique are drawn.
  package let unique: UniqueValues
  package let mix: SessionMix
  private let clock: ArrivalClock
  private let ranks: FeedRanks

  package init(scenario: Scenario, seed: UInt64, unique: UniqueValues = UniqueValues()) {
    self.scenario = scenario
    self.seed = seed
    self.unique = unique
    mix = SessionMix(shares: scenario.sessions.map(\.share), seed: seed)
    ranks = FeedRanks(mix: mix, scenario: scenario)
    if case .open(let stages, let pattern) = scenario.load {
      clock = ArrivalClock(stages: stages, pattern: pattern, seed: seed)
    } else {
      clock = ArrivalClock(stages: [])
    }
  }

  /// The closed model, or nil for arrivals.
  package var closed: ClosedLoad? {
    if case .closed(let closed) = scenario.load { closed } else { nil }
  }

  /// How many sessions arrive in an open model; 0 in a closed one.
  package var arrivals: Int { clock.count }

  /// Arrival `index` of an open model: a pure function, O(log stages).
  package func arrival(_ index: Int) -> Arrival {
    Arrival(
      index: index, user: index, iteration: 0, due: clock.due(index), session: mix.session(at: index),
      seed: sessionSeed(index))
  }

  /// Session number `iteration` of user number `user` in a closed model.
  package func session(user: Int, iteration: Int) -> Arrival {
    let index = iteration * max(closed?.mostUsers ?? 0, 1) + user
    return Arrival(
      index: index, user: user, iteration: iteration, due: closed?.presences(of: user).first?.begin ?? 0,
      session: mix.session(at: index), seed: sessionSeed(index))
  }

  private func sessionSeed(_ index: Int) -> UInt64 {
    var random = RandomSource(seed: seed, stream: UInt64(index))
    return random.next()
  }

  /// Scope, stream and headers with which the session begins; nil when a feed that it needs has ended.
  ///
  /// - Parameter clock: the wall clock in nanoseconds since 1970.
  package func start(_ arrival: Arrival, clock: (@Sendable () -> Int64)?) throws(EvaluationError) -> SessionStart? {
    let script = scenario.sessions[arrival.session]
    var scope = Scope(variables: scenario.variables.count, clock: clock)
    scope.unique = unique
    scope.user = arrival.user
    scope.arrival = arrival.index
    scope.iteration = arrival.iteration
    scope.session = script.name
    for index in script.feeds {
      let feed = scenario.feeds[index]
      let turn = feed.per == .user ? arrival.user : ranks.turn(of: arrival.index, feed: index)
      guard let row = feed.row(turn: turn, seed: seed) else { return nil }
      scope[feed.variable] = row
    }
    var random = RandomSource(seed: arrival.seed)
    for assignment in script.client.variables {
      scope[assignment.variable] = try assignment.value.evaluate(in: &scope, random: &random)
    }
    var headers: [HeaderField] = []
    for header in script.client.headers where header.isDrawnOnce {
      let value = try header.value.evaluate(in: &scope, random: &random)
      if value != .null { headers.append(HeaderField(header.name, value.interpolated)) }
    }
    let address = try script.client.address?.evaluate(in: &scope, random: &random)
    return SessionStart(scope: scope, random: random, headers: headers, address: address?.interpolated)
  }
}

/// With what a session begins.
package struct SessionStart: Sendable {
  package var scope: Scope
  package var random: RandomSource
  /// The client's headers that are drawn once.
  package var headers: [HeaderField]
  /// The local address to send from; nil for the system's choice.
  package var address: String?
}
