import Murphy

/// Prints why murphy could not do its job, and gives the exit status for it.
enum Failure {
  static func report(_ error: any Error, as status: ExitStatus? = nil) -> ExitStatus {
    if let status = error as? ExitStatus { return status }
    if let error = error as? GateError {
      if case .mistakes(let diagnostics) = error {
        Console.error(error.description)
        let errors = diagnostics.count { $0.severity == .error }
        Console.error("\(errors) mistake\(errors == 1 ? "" : "s"); nothing was sent.")
      } else {
        Console.error("murphy: \(error.description)")
      }
      return status ?? error.exitStatus
    }
    Console.error("murphy: \(error)")
    return status ?? .usage
  }
}

/// The last word of a run, if it has one, and the exit status that goes with it.
struct Ending: Sendable, Equatable {
  var word: String?
  var status: Int32
}

extension Ending {
  init(_ verdict: Verdict) { self.init(word: verdict.word, status: verdict.exitStatus.rawValue) }
}
