import MurphyModel

/// The severity of a wrong header: the harm to a client that obeys it (docs/rate-limits.md §2.6).
package enum HeaderHarm {
  /// The resolution of `Retry-After` and of most resets, in seconds.
  package static let resolution = 1.0

  /// A wait that is wrong by less than the resolution costs a client one further request, or a part of a second. From
  /// the resolution on, a client waits a whole further interval, or is rejected in each of them.
  ///
  /// - Parameter seconds: the proven part of the error. For waits that are too long, without the second of rounding up.
  package static func severity(ofWaitWrongBy seconds: Double) -> Finding.Severity {
    seconds < resolution ? .warning : .error
  }

  /// Two admissions that leave the same number. If both were in flight together, the server may have read the number
  /// after it counted both.
  package static func severity(ofRepeat isTogether: Bool) -> Finding.Severity { isTogether ? .warning : .error }
}
