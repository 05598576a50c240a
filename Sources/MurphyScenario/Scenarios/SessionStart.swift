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

/// Rows of a file from which sessions take their data: each session takes one when it begins.
package struct Feed: Sendable {
  /// The order in which sessions take rows.
  package enum Order: String, Sendable, CaseIterable {
    /// In the file's order.
    case sequential
    /// Any row, independently each time.
    case random
    /// Every row once in a random order, then in another.
    case shuffled
  }

  /// What happens after the last row.
  package enum AtEnd: String, Sendable, CaseIterable {
    /// Begins again with the first row.
    case loop
    /// No further session that needs a row begins. It is counted as dropped.
    case stop
  }

  /// The unit that takes the next row.
  package enum Unit: String, Sendable, CaseIterable {
    case session
    /// Each user keeps its own row.
    case user
  }

  package var name: String
  package var file: String
  package var rows: FeedRows
  package var order: Order
  package var atEnd: AtEnd
  package var per: Unit
  /// The variable with the session's row, an object by column.
  package var variable: Variable

  package init(
    name: String, file: String, rows: FeedRows, order: Order = .sequential, atEnd: AtEnd = .loop,
    per: Unit = .session, variable: Variable
  ) {
    self.name = name
    self.file = file
    self.rows = rows
    self.order = order
    self.atEnd = atEnd
    self.per = per
    self.variable = variable
  }
}

/// The rows of a feed, read once and shared by all loops.
package struct FeedRows: Sendable {
  /// The names of the fields, in the order of the file.
  package var columns: [String]
  /// One object for each row.
  package var rows: [JSONValue]

  package init(columns: [String], rows: [JSONValue]) {
    self.columns = columns
    self.rows = rows
  }

  /// The number of rows.
  package var count: Int { rows.count }
}

extension Feed {
  /// The row of turn number `turn` (from 0); nil if the feed has ended. A pure function.
  package func row(turn: Int, seed: UInt64) -> JSONValue? {
    guard rows.count > 0, atEnd == .loop || turn < rows.count else { return nil }
    let index =
      switch order {
      case .sequential: turn % rows.count
      case .random: drawnIndex(stream: UInt64(turn), seed: seed)
      case .shuffled: shuffledIndex(turn: turn, seed: seed)
      }
    return rows.rows[index]
  }

  private func drawnIndex(stream: UInt64, seed: UInt64) -> Int {
    var random = RandomSource(seed: seed ^ nameHash, stream: stream)
    return random.index(below: rows.count)
  }

  /// Place `turn mod n` of a permutation of 0..<n that differs in each round.
  ///
  /// It is a four-round Feistel network over the next power of four, applied until the value is below n (Black and
  /// Rogaway, CT-RSA 2002). Every row occurs once in a round. It needs no table and O(1) expected time.
  private func shuffledIndex(turn: Int, seed: UInt64) -> Int {
    let count = rows.count
    var half: UInt64 = 1
    while 1 << (2 * half) < UInt64(count) { half += 1 }
    let mask: UInt64 = (1 << half) - 1
    var keys = RandomSource(seed: seed ^ nameHash, stream: UInt64(turn / count))
    let round = (keys.next(), keys.next(), keys.next(), keys.next())
    var value = UInt64(turn % count)
    repeat {
      var (left, right) = (value >> half, value & mask)
      for key in [round.0, round.1, round.2, round.3] {
        var mixer = RandomSource(seed: key ^ right)
        (left, right) = (right, left ^ (mixer.next() & mask))
      }
      value = left << half | right
    } while value >= UInt64(count)
    return Int(value)
  }

  /// A hash, so that the rows of two feeds of one scenario are independent.
  private var nameHash: UInt64 {
    var hash = FNV1a()
    hash.add(name.utf8)
    return hash.value
  }
}
