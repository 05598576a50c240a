import MurphyModel

/// One way in which the rate of arrivals goes over a stage of the load: `{ ramp: 0/s..20/s, for: 10s }`.
struct StageShape: Sendable {
  /// By which a stage is recognised, and what stands behind it.
  let key: Vocabulary.Key
  /// Keys that stages of this shape have and no others.
  var details: [Vocabulary.Key] = []
  /// Why a stage of this shape has no `for`; nil where it has one.
  var ownLength: String?
  /// The stretches of constant or linearly changing rate that make the stage; empty after reporting a mistake.
  let stages: @Sendable (ScenarioReader, Entries) -> [ArrivalStage]

  /// Every shape. A new one is a file with its value, and a line here: reader, messages and the editor's schema follow.
  static let all: [StageShape] = [
    .ramp,
    .hold,
    .spike,
    .steps,
    .pause,
  ]
}

extension StageShape {
  static let ramp = StageShape(
    key: .init(name: "ramp", summary: "From one arrival rate to another: 0/s..20/s.", shape: .rateRange)
  ) { reader, stage in
    guard let node = stage["ramp"], let ends = reader.rates(node), let length = reader.length(stage) else { return [] }
    return [ArrivalStage(from: ends.0, to: ends.1, duration: length)]
  }

  static let hold = StageShape(
    key: .init(name: "hold", summary: "A constant arrival rate.", shape: .rate)
  ) { reader, stage in constant(reader, stage, "hold") }

  static let spike = StageShape(
    key: .init(name: "spike", summary: "A constant arrival rate, for a short time.", shape: .rate)
  ) { reader, stage in constant(reader, stage, "spike") }

  static let pause = StageShape(
    key: .init(name: "pause", summary: "Nobody arrives.", shape: .duration),
    ownLength: "a pause names its length itself"
  ) { reader, stage in
    reader.duration(stage["pause"], "a pause", positive: true).map { [.hold(Rate(perSecond: 0), for: $0)] } ?? []
  }

  private static func constant(_ reader: ScenarioReader, _ stage: Entries, _ key: String) -> [ArrivalStage] {
    guard let rate = reader.rate(stage[key], "a rate"), let length = reader.length(stage) else { return [] }
    return [.hold(rate, for: length)]
  }
}
