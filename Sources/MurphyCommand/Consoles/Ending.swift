import Murphy

/// The last word of a run, if it has one, and the exit status that goes with it.
struct Ending: Sendable, Equatable {
  var word: String?
  var status: Int32
}

extension Ending {
  init(_ verdict: Verdict) { self.init(word: verdict.word, status: verdict.exitStatus.rawValue) }
}
