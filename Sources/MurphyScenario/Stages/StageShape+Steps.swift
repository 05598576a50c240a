import MurphyModel

extension StageShape {
  static let steps = StageShape(
    key: .init(name: "steps", summary: "Arrival rates in equal steps: 10/s..50/s.", shape: .rateRange),
    details: [
      .init(name: "by", summary: "With steps: from one rate to the next.", shape: .rate),
      .init(name: "each", summary: "With steps: how long each rate is held.", shape: .duration),
    ], ownLength: "with steps, \"each\" says how long a rate is held"
  ) { reader, stage in
    for key in ["by", "each"] where !stage.has(key) {
      reader.report(
        "stages in steps need \"\(key)\", as in { steps: 10/s..50/s, by: 10/s, each: 10s }", at: stage.node, width: 1)
    }
    guard let node = stage["steps"], let ends = reader.rates(node), let by = reader.rate(stage["by"], "by"),
      let each = reader.duration(stage["each"], "each", positive: true)
    else { return [] }
    let (from, to) = (ends.0.perSecond, ends.1.perSecond)
    guard by.perSecond > 0, abs(to - from) / by.perSecond <= 1000 else {
      reader.report("by is above 0/s and makes at most 1000 steps", at: stage["by"] ?? node)
      return []
    }
    let count = Int(saturating: (abs(to - from) / by.perSecond + 1e-9).rounded(.down))
    return (0...count).map { step in
      .hold(Rate(perSecond: from + Double(step) * by.perSecond * (to < from ? -1 : 1)), for: each)
    }
  }
}
