import MurphyModel
import MurphyScenario
import MurphyTransport

extension Shard {
  /// Closed model: every `loops`-th user belongs to this loop.
  func admitUsers() async {
    guard let closed = context.plan.closed else { return }
    var tasks: [Task<Void, Never>] = []
    for user in stride(from: number, to: closed.mostUsers, by: context.loops) {
      let user = ClosedUser(shard: self, number: user, load: closed)
      tasks.append(loop.start(with: user) { await $0.live() })
    }
    for task in tasks { await task.value }
  }
}

/// A user of a closed model: begins a session when its last one has ended.
private final class ClosedUser {
  let shard: Shard
  let number: Int
  let load: ClosedLoad
  private var connection: Connection?

  init(shard: Shard, number: Int, load: ClosedLoad) {
    self.shard = shard
    self.number = number
    self.load = load
  }

  func live() async {
    let context = shard.context
    var iteration = 0
    for presence in load.presences(of: number) {
      var due = context.start + presence.begin
      while iteration < load.iterations ?? .max, context.elapsed(due) < presence.end {
        if due > .now { _ = await shard.loop.sleep(until: due) }
        guard !shard.isStopped else { return leave() }
        let arrival = context.plan.session(user: number, iteration: iteration)
        iteration += 1
        guard let run = shard.begin(arrival, due: due, connection: connection) else { return leave() }
        connection = run.connection
        await run.execute()
        // A session that neither waits nor calls takes no time: the next one begins now, not for ever at one moment.
        due = (run.due > due ? run.due : max(due, .now)) + pause(run)
        if shard.loop.isOverdue { await Task.yield() }
      }
    }
    leave()
  }

  private func pause(_ run: SessionRun) -> Int64 {
    (try? load.pause.evaluate(in: &run.scope, random: &run.random)) ?? 0
  }

  private func leave() {
    connection?.close()
    connection = nil
  }
}
