/// Why a session leaves before its last step.
enum SessionEnd: Error, Sendable, Equatable {
  /// By its own will: an `end` step.
  case completed
  /// A step failed; the reason holds no value of one session, so that equal ones are counted together.
  case failed(String)
  /// An `on:` of the scenario says that the user leaves here; with the reason.
  case left(String)
  /// The load is over.
  case cut
}
