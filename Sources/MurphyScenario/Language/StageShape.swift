import MurphyModel

/// One shape of the arrival rate over a stage of the load: `{ ramp: 0/s..20/s, for: 10s }`.
struct StageShape: Sendable {
  /// The key that identifies a stage, and its value.
  let key: Vocabulary.Key
  /// Keys that only stages of this shape have.
  var details: [Vocabulary.Key] = []
  /// The reason why a stage of this shape has no `for`; nil if it has one.
  var ownLength: String?
  /// The parts of the stage, each with a constant or linearly changing rate; empty after reporting a mistake.
  let stages: @Sendable (ScenarioReader, Entries) -> [ArrivalStage]

  /// Every shape. To add one, add a file with its value, and a line here. Reader, messages and the editor's schema
  /// follow from it.
  static let all: [StageShape] = [
    .ramp,
    .hold,
    .spike,
    .steps,
    .pause,
  ]

  static let ramp = StageShape(
    key: .init("ramp", "A linear change from one arrival rate to another, such as 0/s..20/s.", .rateRange)
  ) { reader, stage in
    guard let node = stage["ramp"], let ends = reader.rates(node), let length = reader.length(stage) else { return [] }
    return [ArrivalStage(from: ends.0, to: ends.1, duration: length)]
  }

  static let hold = StageShape(
    key: .init("hold", "A constant arrival rate of sessions, such as 20/s.", .rate)
  ) { reader, stage in constant(reader, stage, "hold") }

  static let spike = StageShape(
    key: .init("spike", "A constant arrival rate for a short time, such as 200/s.", .rate)
  ) { reader, stage in
    constant(reader, stage, "spike").map { stage in
      var stage = stage
      stage.disturbance = .spike
      return stage
    }
  }

  static let pause = StageShape(
    key: .init("pause", "The duration of a stage in which no sessions arrive.", .duration),
    ownLength: "\"pause\" already sets its duration"
  ) { reader, stage in
    reader.duration(stage["pause"], "a pause", positive: true).map { [.hold(Rate(perSecond: 0), for: $0)] } ?? []
  }

  private static func constant(_ reader: ScenarioReader, _ stage: Entries, _ key: String) -> [ArrivalStage] {
    guard let rate = reader.rate(stage[key], "a rate"), let length = reader.length(stage) else { return [] }
    return [.hold(rate, for: length)]
  }

  static let steps = StageShape(
    key: .init("steps", "Arrival rates that change in equal steps, such as 10/s..50/s.", .rateRange),
    details: [
      .init("by", "The difference between one arrival rate and the next in a stage with `steps`.", .rate),
      .init("each", "The duration of each arrival rate in a stage with `steps`.", .duration),
    ], ownLength: "\"each\" already sets the duration of each rate"
  ) { reader, stage in
    for key in ["by", "each"] where !stage.has(key) {
      reader.report(
        "a stage with steps needs the key \"\(key)\", as in { steps: 10/s..50/s, by: 10/s, each: 10s }", at: stage.node)
    }
    guard let node = stage["steps"], let ends = reader.rates(node), let by = reader.rate(stage["by"], "by"),
      let each = reader.duration(stage["each"], "each", positive: true)
    else { return [] }
    let (from, to) = (ends.0.perSecond, ends.1.perSecond)
    guard by.perSecond > 0, abs(to - from) / by.perSecond <= 1000 else {
      reader.report("\"by\" must be above 0/s, and large enough for at most 1000 steps", at: stage["by"] ?? node)
      return []
    }
    let count = Int(saturating: (abs(to - from) / by.perSecond + 1e-9).rounded(.down))
    return (0...count).map { step in
      .hold(Rate(perSecond: from + Double(step) * by.perSecond * (to < from ? -1 : 1)), for: each)
    }
  }
}
