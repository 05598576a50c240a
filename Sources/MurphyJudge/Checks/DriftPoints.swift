import MurphyModel

/// The points of one operation for the search for drift: consecutive seconds, with about as many requests in each
/// point, so that all points are equally certain.
struct DriftPoints {
  private static let most = 60.0
  private static let fewestRequests = 10.0

  /// By second: requests of all operations, or users.
  private let loads: [Double]
  /// Stretches that are reported separately.
  private let outages: [Outage]

  /// - Parameter countsUsers: true if the load is given in users.
  init(_ record: RunRecord, countsUsers: Bool, besides outages: [Outage]) {
    self.outages = outages
    var loads = [Double](repeating: 0, count: (record.timeline.map(\.second).max() ?? -1) + 1)
    for point in record.timeline { loads[point.second] = Double(countsUsers ? point.users : point.planned) }
    self.loads = loads
  }

  /// Empty where there are too few requests.
  func points(of operation: OperationRecord, _ measure: Drift.Measure) -> [Drift.Point] {
    let seconds = operation.course.seconds
    func requests(_ second: OperationCourse.Second) -> Int { Int(measure == .latency ? second.timed : second.ends) }
    let all = Double(seconds.reduce(0) { $0 + requests($1) })
    let wanted = Int(saturating: (all / Self.most).rounded(.up))
    let least = max(wanted, Int(Self.fewestRequests))
    var points: [Drift.Point] = []
    var part = OperationCourse.Second()
    var first: Int?
    for (index, second) in seconds.enumerated() {
      guard !isOut(index) else {
        (part, first) = (OperationCourse.Second(), nil)
        continue
      }
      let start = first ?? index
      first = start
      part += second
      guard requests(part) >= least else { continue }
      points.append(
        Drift.Point(
          from: Double(start), until: Double(index + 1), load: load(start..<index + 1), requests: requests(part),
          value: value(part, measure)))
      (part, first) = (OperationCourse.Second(), nil)
    }
    return points
  }

  private func value(_ part: OperationCourse.Second, _ measure: Drift.Measure) -> Double {
    switch measure {
    case .latency: LogarithmicStep.nanoseconds(Double(part.steps) / Double(part.timed)) / 1000
    case .errors: Double(part.errors) / Double(part.ends)
    }
  }

  private func load(_ seconds: Range<Int>) -> Double {
    loads[seconds.clamped(to: loads.indices)].reduce(0, +) / Double(seconds.count)
  }

  private func isOut(_ second: Int) -> Bool {
    outages.contains { $0.from < Double(second + 1) && Double(second) < $0.until + 1 }
  }
}
