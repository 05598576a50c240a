import MurphyJudge
import MurphyModel

/// Whether a burst was answered one by one at a constant interval: a leaky bucket that queues (nginx `limit_req` without
/// `nodelay`) instead of refusing.
struct ShapingFit {
  /// Seconds between two answers.
  let interval: Double

  /// Nil unless answers lie on a line that is steep against the sends and fits well.
  init?(_ observations: [ProbeObservation]) {
    let admitted = observations.filter { $0.decision == .admitted }.sorted { $0.settled < $1.settled }
    guard admitted.count >= 5 else { return nil }
    let n = Double(admitted.count)
    let delays = admitted.map { $0.settled - $0.sent }
    let moments = admitted.map(\.settled)
    let middle = (n - 1) / 2
    let mean = moments.reduce(0, +) / n
    var crossed = 0.0
    var spread = 0.0
    var total = 0.0
    for (index, moment) in moments.enumerated() {
      crossed += (Double(index) - middle) * (moment - mean)
      spread += (Double(index) - middle) * (Double(index) - middle)
      total += (moment - mean) * (moment - mean)
    }
    let slope = crossed / spread
    let sentSlope = ((admitted.map(\.sent).max() ?? 0) - (admitted.map(\.sent).min() ?? 0)) / max(n - 1, 1)
    let residual = max(0, total - slope * crossed) / max(n - 2, 1)
    let error = (residual / spread).squareRoot()
    let early = delays.prefix(max(1, delays.count / 5)).min() ?? 0
    let late = delays[delays.count - 1]
    // A queue refuses at once what does not fit; where refusals wait as long, the server itself is slow.
    let refused = observations.filter { $0.decision == .refused }.map { $0.settled - $0.sent }.sorted()
    if !refused.isEmpty, refused[refused.count / 2] > late / 3 { return nil }
    // Nor has a queue anything to wait for at its beginning: a server that takes its time takes it then, too.
    if early > slope / 2 { return nil }
    // What went out late says nothing of who made it wait.
    if admitted.contains(where: { $0.lateness > slope }) { return nil }
    // A queue keeps time, a server that hardly gets a processor does not.
    let gaps = zip(moments, moments.dropFirst()).map { ($1 - $0 - slope).magnitude }.sorted()
    if gaps[gaps.count / 2] > slope / 3 { return nil }
    guard slope > 2 * sentSlope + 5 * error, crossed * crossed > 0.95 * spread * total, late > 5 * early, late > 0.05
    else { return nil }
    interval = slope
  }
}
