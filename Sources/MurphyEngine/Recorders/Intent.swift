import MurphyModel

/// When the scenario wanted a request sent, and how much of the delay since then is murphy's own.
struct Intent {
  /// The intended start: an arrival's moment, the end of a think time, a burst's slot, the end of the answer before.
  var due: Instant
  /// From the moment that the client could send to the one at which murphy did, nanoseconds. Waiting for the user's
  /// own connections, or for the answer before, is the API's time.
  var late: Int64 = 0
  /// Until a newer query supersedes this one, nanoseconds, by the plan and not by the answers; nil for never.
  var patience: Int64?

  /// How long a request that ended without an answer had waited; murphy's own delay does not count.
  func waited(until ended: Instant) -> Int64 {
    max(ended - due - (late > LatencyAccount.onTime ? late : 0), 0)
  }
}
