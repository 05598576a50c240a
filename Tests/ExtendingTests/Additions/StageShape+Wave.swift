@testable import MurphyScenario

extension StageShape {
  /// `{ wave: 10/s..50/s, for: 60s }`: up for half of the time, and down again.
  static let wave = StageShape(
    key: .init("wave", "From one rate to another and back: 10/s..50/s.", .rateRange)
  ) { reader, stage in
    guard let node = stage["wave"], let ends = reader.rates(node), let length = reader.length(stage) else { return [] }
    return [
      ArrivalStage(from: ends.0, to: ends.1, duration: length / 2),
      ArrivalStage(from: ends.1, to: ends.0, duration: length / 2),
    ]
  }
}
