import MurphyModel

extension Prober {
  /// Ends the probe before its time; the report holds what is known by now.
  public mutating func interrupt() {
    let sentence = "The probe was ended before all was known."
    switch stage {
    case .finished: return
    case .keys(let followUps):
      stage = .finished
      followUps.write(into: &report)
      report.sentences.append(sentence)
      report.requests = requests
      report.seconds = now
    case .exhaust, .poll, .refill, .experiment: _ = stop(.unfinished, sentence)
    }
  }
}
