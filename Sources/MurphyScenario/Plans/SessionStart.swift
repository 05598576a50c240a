import MurphyModel
import MurphySchema

/// The initial state of a session.
package struct SessionStart: Sendable {
  /// The values of the session's names.
  package var scope: Scope
  /// The random numbers of this session alone.
  package var random: RandomSource
  /// The client's headers that are generated once.
  package var headers: [HeaderField]
  /// The local address to send from; nil for the system's choice.
  package var address: String?
}

extension Plan {
  /// Scope, stream and headers at the beginning of the session; nil if a feed that it requires has ended.
  ///
  /// - Parameters:
  ///   - clock: the wall clock in nanoseconds since 1970.
  ///   - setup: the values that the setup saved; nil without a setup, or if they are unknown.
  package func start(
    _ arrival: Arrival, clock: (@Sendable () -> Int64)?, after setup: Scope? = nil
  ) throws(EvaluationError) -> SessionStart? {
    let script = scenario.sessions[arrival.session]
    var scope = setup ?? Scope(variables: scenario.variables.count)
    scope.clock = clock
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
    let user = script.login.map { UserStreams($0.drawn, seed: seed, user: arrival.user) }
    for assignment in script.client.variables {
      let own = user?.stream(of: assignment.variable)
      scope[assignment.variable] = try Self.draw(assignment.value, in: &scope, by: own, or: &random)
    }
    var headers: [HeaderField] = []
    for header in script.client.headers where header.isDrawnOnce {
      let value = try Self.draw(header.value, in: &scope, by: user?.stream(ofHeader: header.name), or: &random)
      if value != .null { headers.append(HeaderField(header.name, value.interpolated)) }
    }
    var address: JSONValue?
    if let template = script.client.address {
      address = try Self.draw(template, in: &scope, by: user?.addressStream, or: &random)
    }
    return SessionStart(scope: scope, random: random, headers: headers, address: address?.interpolated)
  }

  private static func draw(
    _ template: Template, in scope: inout Scope, by own: RandomSource?, or random: inout RandomSource
  ) throws(EvaluationError) -> JSONValue {
    guard var stream = own else { return try template.evaluate(in: &scope, random: &random) }
    return try template.evaluate(in: &scope, random: &stream)
  }

  /// The initial state of the user of the setup. Without a setup, it is that of the teardown too. Parts of its client
  /// that read a feed, or values that only the setup saves, are left out.
  ///
  /// - Parameter shard: from 0, the process of a run that takes these steps. Each process has its own values and
  ///   generates them itself. If all processes created the same items, the API would reject all but the first.
  package func start(fixture script: SessionScript, clock: (@Sendable () -> Int64)?, shard: Int = 0) -> SessionStart {
    var scope = Scope(variables: scenario.variables.count, clock: clock)
    scope.unique = unique
    scope.session = script.name
    var random = RandomSource(seed: seed, stream: 0x5E7_0F00 + UInt64(shard) << 32)
    for assignment in script.client.variables {
      scope[assignment.variable] = try? assignment.value.evaluate(in: &scope, random: &random)
    }
    let headers = script.client.headers.filter(\.isDrawnOnce).compactMap { header -> HeaderField? in
      let value = try? header.value.evaluate(in: &scope, random: &random)
      return value.flatMap { $0 == .null ? nil : HeaderField(header.name, $0.interpolated) }
    }
    let address = try? script.client.address?.evaluate(in: &scope, random: &random)
    return SessionStart(scope: scope, random: random, headers: headers, address: address?.interpolated)
  }
}

extension SessionStart {
  /// Gives a session the values from its user's login.
  ///
  /// - Parameter known: the scope after the login.
  package mutating func recall(_ login: LoginScript, from known: Scope) {
    for variable in login.saved { scope.copy(variable, from: known) }
  }
}

/// A stream for each variable that is generated for a logged-in user. Its values are equal in all sessions of the user,
/// regardless of other generated values.
private struct UserStreams {
  private let drawn: UserDraws
  private let seed: UInt64

  init(_ drawn: UserDraws, seed: UInt64, user: Int) {
    self.drawn = drawn
    var random = RandomSource(seed: seed ^ 0x5EED_0F05, stream: UInt64(user))
    self.seed = random.next()
  }

  /// Nil for variables that each session generates itself.
  func stream(of variable: Variable) -> RandomSource? {
    drawn.variables.contains(variable) ? stream("variable \(variable.name)") : nil
  }

  func stream(ofHeader name: String) -> RandomSource? {
    drawn.headers.contains(name.lowercased()) ? stream("header \(name.lowercased())") : nil
  }

  var addressStream: RandomSource? { drawn.hasAddress ? stream("address") : nil }

  private func stream(_ name: String) -> RandomSource {
    RandomSource(seed: seed, stream: name.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) })
  }
}
