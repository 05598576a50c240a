import MurphyModel

extension RecordMaker {
  /// How all processes together kept up: the worst of each figure that is one of a loop or a machine, the sum of what adds
  /// up. What one of them did to its shard stays said, with the number of the shard.
  var generator: GeneratorReport {
    let reports = part.logs.map(\.generator)
    guard var whole = reports.first else { preconditionFailure("a run has at least one part") }
    whole.lateness = LatencySummary(sums.lateness)
    guard reports.count > 1 else { return whole }
    whole.loops = reports.reduce(0) { $0 + $1.loops }
    whole.loopStalls = reports.reduce(0) { $0 + $1.loopStalls }
    whole.longestStall = reports.map(\.longestStall).max() ?? 0
    whole.cpuPercent = reports.map(\.cpuPercent).max() ?? 0
    let seconds = max(duration, 0.001)
    whole.offered = Double(sums.ledger.planned) / seconds
    whole.achieved = Double(sums.ledger.sent) / seconds
    whole.peakUsers = sums.peakUsers
    whole.peakMemory = reports.map(\.peakMemory).max() ?? 0
    whole.perLoop = part.logs.flatMap { log in
      (log.generator.perLoop ?? []).map { loop in
        var loop = loop
        loop.shard = log.shard
        return loop
      }
    }
    let missed = sums.dropped[.loadOver] ?? 0
    let dropped = sums.dropped.reduce(0) { $0 + ($1.key.isForWantOfRoom ? $1.value : 0) }
    let unsent = missed + dropped + sums.lacking.values.reduce(0, +)
    let planned = sums.ledger.planned
    whole.achievedPercent = planned > 0 ? Double(max(planned - unsent, 0)) * 100 / Double(planned) : nil
    whole.resources = resources(reports.compactMap(\.resources))
    (whole.doubts, whole.reservations) = ([], nil)
    whole.add(
      part.logs.flatMap { log in
        (log.generator.reservations ?? []).map {
          GeneratorReservation($0.kind, "shard \(log.shard): \($0.sentence)")
        }
      })
    return whole
  }

  /// The worst of all machines.
  private func resources(_ all: [GeneratorResources]) -> GeneratorResources? {
    guard var worst = all.first else { return nil }
    for other in all.dropFirst() {
      worst.stealPercent = [worst.stealPercent, other.stealPercent].compactMap(\.self).max()
      worst.peakDescriptors = max(worst.peakDescriptors, other.peakDescriptors)
      worst.descriptorLimit = min(worst.descriptorLimit, other.descriptorLimit)
      worst.peakTimeWait = max(worst.peakTimeWait, other.peakTimeWait)
      worst.ports = min(worst.ports, other.ports)
    }
    return worst
  }
}
