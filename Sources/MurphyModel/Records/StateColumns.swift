/// Entries of a state log as columns of numbers. Times count from the load's beginning.
package struct StateColumns: Sendable, Codable {
  private var invariant: PackedNumbers
  private var operation: PackedNumbers
  private var role: PackedNumbers
  private var outcome: PackedNumbers
  private var status: PackedNumbers
  private var key: PackedNumbers
  private var actor: PackedNumbers
  private var session: PackedNumbers
  private var once: PackedNumbers
  private var sent: PackedNumbers
  private var took: PackedNumbers
  private var a: PackedNumbers
  private var b: PackedNumbers
  private var c: PackedNumbers
  private var request: PackedNumbers
  private var headers: PackedNumbers
  private var isOwn: PackedNumbers

  package init(_ entries: some Collection<StateExchange>) {
    invariant = PackedNumbers(column: entries.map(\.invariant))
    operation = PackedNumbers(column: entries.map(\.operation))
    role = PackedNumbers(column: entries.map(\.role.rawValue))
    outcome = PackedNumbers(column: entries.map(\.outcome.rawValue))
    status = PackedNumbers(column: entries.map(\.status))
    key = PackedNumbers(column: entries.map(\.key))
    actor = PackedNumbers(column: entries.map(\.actor))
    session = PackedNumbers(column: entries.map(\.session))
    once = PackedNumbers(column: entries.map(\.once))
    sent = PackedNumbers(entries.map(\.sent)).deltas
    took = PackedNumbers(entries.map { $0.answered &- $0.sent })
    a = PackedNumbers(entries.map(\.a))
    b = PackedNumbers(entries.map(\.b))
    c = PackedNumbers(column: entries.map(\.c))
    request = PackedNumbers(column: entries.map(\.request))
    headers = PackedNumbers(column: entries.map(\.headers))
    isOwn = PackedNumbers(column: entries.map { $0.isOwn ? 1 : 0 })
  }

  /// - Throws: `ColumnError` if the columns differ in length, or refer to missing entries.
  package var entries: [StateExchange] {
    get throws(ColumnError) {
      try ColumnError.check([
        invariant, operation, role, outcome, status, key, actor, session, once, sent, took, a, b, c, request, headers,
        isOwn,
      ])
      let moments = sent.sums.numbers
      try ColumnError.check(moments: moments)
      try ColumnError.check(moments: took.numbers)
      var entries: [StateExchange] = []
      entries.reserveCapacity(moments.count)
      for row in moments.indices {
        guard let role = StateExchange.Role(rawValue: role[row]),
          let outcome = StateExchange.Outcome(rawValue: outcome[row])
        else { throw ColumnError("a row has no role or outcome that this version knows") }
        var entry = StateExchange(
          invariant: invariant[row], operation: operation[row], role: role, outcome: outcome, status: status[row],
          key: key[row], sent: moments[row], answered: moments[row] &+ took.numbers[row])
        (entry.actor, entry.session, entry.once) = (actor[row], session[row], once[row])
        (entry.a, entry.b, entry.c) = (a[row], b[row], c[row])
        (entry.request, entry.headers) = (request[row], headers[row])
        entry.isOwn = isOwn.numbers[row] != 0
        entries.append(entry)
      }
      return entries
    }
  }
}
