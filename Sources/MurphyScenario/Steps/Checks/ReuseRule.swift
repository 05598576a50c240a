import MurphyModel

/// `cache:` and `dedupe:` of a call: when the user's client answers it from what it has.
///
/// Only answers that the step takes values from are kept: 2xx, and statuses that `expect:` names.
package struct ReuseRule: Sendable, Hashable {
  /// For how long after it came an answer stands for the same request.
  package var cache: Duration?
  /// Whether the request is sent whatever is kept: pull to refresh.
  package var refreshes = false
  /// For how long after it was sent a request stands for the same one, be it answered or not.
  package var dedupe: Duration?

  /// What stands for a request.
  package enum Age: Sendable, Hashable {
    /// It was sent so many nanoseconds before.
    case sent(Int64)
    /// It was sent so many nanoseconds before, and answered so many.
    case answered(sent: Int64, Int64)
  }

  /// Whether the request of that age stands for one that comes due now.
  package func covers(_ age: Age) -> Bool {
    if refreshes { return false }
    switch age {
    case .sent(let sent): return dedupe.map { sent < $0.nanoseconds } ?? false
    case .answered(let sent, let answered):
      return covers(.sent(sent)) || (cache.map { answered < $0.nanoseconds } ?? false)
    }
  }

  /// `cache 1h, dedupe 5s`
  package var text: String {
    [cache.map { "cache \($0.text)" + (refreshes ? " anew" : "") }, dedupe.map { "dedupe \($0.text)" }]
      .compactMap(\.self).joined(separator: ", ")
  }
}
