import MurphyModel
import MurphyTransport

extension Shard {
  /// How long sessions written in Swift may take to notice that the load is over.
  private static let patience: Int64 = 500_000_000

  /// Between two looks at the flag that Ctrl-C sets.
  private static let pulse: Int64 = 50_000_000

  /// The whole load of this loop: from the first arrival to the last answer or the end of the grace.
  func run() async {
    let ticker = loop.start(with: self) { await $0.publishSnapshots() }
    let ender = loop.start(with: self) { await $0.endAfterGrace() }
    if context.plan.closed == nil { await admitArrivals() } else { await admitUsers() }
    await idle()
    cut()
    await ender.value
    await ticker.value
    connections.closeAll()
    transport.close()
  }

  /// When the grace is over or the run is stopped, what still runs is cut.
  private func endAfterGrace() async {
    let deadline = context.loadEnd + context.scenario.settings.grace.nanoseconds
    while !isOver, !context.cutting.isRequested, .now < deadline {
      _ = await loop.sleep(until: min(.now + Self.pulse, deadline))
    }
    cut()
    guard users > 0 else { return }
    // The interrupted sessions have jobs waiting; only those that wait for something else need longer.
    for _ in 0..<10 where users > 0 { _ = await loop.sleep(until: .now + Self.patience / 10) }
    abandonUsers()
  }

  private func publishSnapshots() async {
    var second: Int64 = 1
    // A cut wakes only those that sleep: whoever was just awake must see it for itself.
    while !isOver, await loop.sleep(until: context.start + second * 1_000_000_000) {
      context.board.publish(recorder.snapshot(users: users, at: .now + -1), of: number)
      second += 1
    }
    context.board.publish(recorder.snapshot(users: users, at: .now), of: number)
  }
}
