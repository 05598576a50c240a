/// Bounds on the possible counts of a ledger, at every time: the sums over its voters of their possible choices.
///
/// Let M(t) be the latest send of the voter's accepted writes that ended before t. A write w of a voter can be the one
/// in force at t iff it was sent by then and ended no earlier than M(t) (docs/state.md §2). Voters are independent
/// given t, and each adds one of a subset of (0,0), (1,0), (0,1). The reachable pairs are exactly the integer points of
/// a box cut by two lines of equal sum.
struct LedgerSweep {
  /// Minimum and maximum numbers of ups, downs and both: loUp, hiUp, loDown, hiDown, loBoth, hiBoth.
  typealias Six = SIMD8<Int32>

  private(set) var moments: [Int64] = [.min]
  private var isEnd: [Bool] = [false]
  private(set) var sums: [Six]
  /// By voter: the possible kinds, each with its first entry.
  private var masks: [[(entry: Int32, mask: UInt8)]]
  /// By action: true if no other write of its voter can have taken effect between its send and its response.
  private let isAlone: [Bool]
  /// By action: the choices that its voter may have made directly after it.
  private var behind: [UInt8]
  private let actions: [LedgerHistory.Action]

  /// The contribution of one voter who has chosen one of the kinds in the mask.
  private static let parts: [Six] = (0..<8).map { mask in
    func flag(_ holds: Bool) -> Int32 { holds ? 1 : 0 }
    guard mask > 0 else { return Six() }
    return Six(
      flag(mask == 1), flag(mask & 1 != 0), flag(mask == 2), flag(mask & 2 != 0), flag(mask & 4 == 0),
      flag(mask & 3 != 0), 0, 0)
  }

  init(_ history: LedgerHistory) {
    let actions = history.actions
    self.actions = actions
    isAlone = Self.isAlone(actions, voters: history.isFresh.count)
    behind = actions.map(\.kind.rawValue)
    var events: [(at: Int64, isEnd: Bool, action: Int32)] = []
    events.reserveCapacity(2 * actions.count)
    for (number, action) in actions.enumerated() {
      events.append((action.change.span.from, false, Int32(number)))
      let isEnding = !action.change.isOptional || (history.toggles && action.change.span.until < Span.forever)
      if isEnding { events.append((action.change.span.until, true, Int32(number))) }
    }
    events.sort { ($0.at, $0.isEnd ? 1 : 0, $0.action) < ($1.at, $1.isEnd ? 1 : 0, $1.action) }
    var voters = history.isFresh.map { isFresh -> any LedgerVoter in
      history.toggles ? ToggleVote(isFresh: isFresh) : LastVote(isFresh: isFresh)
    }
    var current = voters.reduce(Six()) { $0 &+ Self.parts[Int($1.mask)] }
    sums = [current]
    masks = voters.map { [(entry: Int32(0), mask: $0.mask)] }
    moments.reserveCapacity(events.count + 1)
    sums.reserveCapacity(events.count + 1)
    isEnd.reserveCapacity(events.count + 1)
    for event in events {
      let action = actions[Int(event.action)]
      let before = voters[action.voter].mask
      if event.isEnd {
        voters[action.voter].end(Int(event.action), action)
      } else {
        behind[Int(event.action)] = voters[action.voter].mask(behind: action.kind)
        voters[action.voter].begin(Int(event.action), action)
      }
      let after = voters[action.voter].mask
      if after != before {
        current = current &- Self.parts[Int(before)] &+ Self.parts[Int(after)]
        masks[action.voter].append((Int32(sums.count), after))
      }
      moments.append(event.at)
      isEnd.append(event.isEnd)
      sums.append(current)
    }
  }

  /// The entries that apply at some time of the span. Starts come before ends of the same time.
  func entries(in span: Span) -> ClosedRange<Int> {
    let first = last(before: span.from)
    return first...max(first, last(before: span.until))
  }

  /// The last entry whose event precedes the end events of that time.
  private func last(before time: Int64) -> Int {
    max(moments.indices.prefixCount { moments[$0] < time || (moments[$0] == time && !isEnd[$0]) } - 1, 0)
  }

  /// The possible sums in an entry; for the response of a voter's own write, with the choice of that write.
  func sums(at entry: Int, own: Own?) -> Six {
    guard let own else { return sums[entry] }
    let mask = mask(of: own.voter, at: entry)
    let pinned = own.isAlone ? own.mask : mask | own.mask
    return sums[entry] &- Self.parts[Int(mask)] &+ Self.parts[Int(pinned)]
  }

  /// The kinds that the voter may have chosen, as a bit mask.
  func mask(of voter: Int, at entry: Int) -> UInt8 {
    let all = masks[voter]
    return all[all.prefixCount { Int($0.entry) <= entry } - 1].mask
  }

  /// The write whose own response shows the counts.
  struct Own {
    var voter: Int
    /// The choices that the voter may have made after it.
    var mask: UInt8
    /// True if no other write of the voter can have taken effect in between.
    var isAlone: Bool
  }

  func own(_ number: Int?) -> Own? {
    number.map { Own(voter: actions[$0].voter, mask: behind[$0], isAlone: isAlone[$0]) }
  }

  private static func isAlone(_ actions: [LedgerHistory.Action], voters: Int) -> [Bool] {
    var byVoter = [[Int]](repeating: [], count: voters)
    for (number, action) in actions.enumerated() { byVoter[action.voter].append(number) }
    var isAlone = [Bool](repeating: false, count: actions.count)
    for var numbers in byVoter {
      numbers.sort { actions[$0].change.span.from < actions[$1].change.span.from }
      var latest = Int64.min
      for (place, number) in numbers.enumerated() {
        let span = actions[number].change.span
        let next = place + 1 < numbers.count ? actions[numbers[place + 1]].change.span.from : .max
        isAlone[number] = (place == 0 || latest < span.from) && (place + 1 == numbers.count || next > span.until)
        latest = max(latest, span.until)
      }
    }
    return isAlone
  }
}
