import MurphyModel
import MurphyScenario

/// A stage of the load with its place in time, nanoseconds since the load began.
struct LoadStage: Sendable {
  var text: String
  var begin: Int64
  var end: Int64

  static func stages(of load: LoadProfile) -> [LoadStage] {
    let lengths: [Duration] =
      switch load {
      case .open(let stages, _): stages.map(\.duration)
      case .closed(let closed): closed.stages.map(\.duration)
      }
    var begin: Int64 = 0
    return zip(load.lines, lengths).map { text, length in
      defer { begin += length.nanoseconds }
      return LoadStage(text: text, begin: begin, end: begin + length.nanoseconds)
    }
  }
}

extension [LoadStage] {
  /// The stage at `time`; what comes after the last belongs to it.
  func index(at time: Int64) -> Int {
    firstIndex { time < $0.end } ?? Swift.max(count - 1, 0)
  }
}
