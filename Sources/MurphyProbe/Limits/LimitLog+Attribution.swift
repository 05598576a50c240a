import MurphyJudge
import MurphyModel

extension LimitLog {
  /// The log with every request under the client whose counter it took from, as the probe found out.
  ///
  /// What has a counter of its own stays apart where the promised key tells it apart, and is left out where it does not:
  /// the base client's counter knows nothing of it. What does not help, where the dimension is open, and where other limits
  /// may count such requests, an admission may have counted and a refusal says nothing: another limit may have made it.
  ///
  /// - Parameters:
  ///   - variants: of each observation, the dimension in which it differs from the base client's requests.
  ///   - isAlone: whether no other limit counts the same requests.
  func attributed(
    _ variants: [ProbeDimension?], by report: ProbeReport, under key: LimitKey, isAlone: Bool
  ) -> LimitLog {
    guard let base = zip(observations, variants).first(where: { $1 == nil })?.0.identity else { return self }
    let found = Dictionary(report.keys.map { ($0.dimension, $0.separates) }) { $1 }
    let baseValue = key.value(for: identities[Int(base)])
    var log = self
    log.observations = []
    for (var observation, variant) in zip(observations, variants) {
      if let variant {
        if isAlone, found[variant] == true {
          guard key.value(for: identities[Int(observation.identity)]) != baseValue else { continue }
        } else {
          guard observation.status < 400 else { continue }
          observation.identity = base
          (observation.answered, observation.status) = (nil, 0)
        }
      }
      log.observations.append(observation)
    }
    return log
  }
}
