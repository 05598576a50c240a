import Synchronization

/// The faults of every system that make requests wait.
extension Fault {
  static let latencyFaults =
    [
      Fault(
        "stall", .latency, "nothing is answered for 2 s of every 10 s",
        .delay(byAge: { age in
          let phase = age % (10_000 * millisecond)
          return 2000 * millisecond..<4000 * millisecond ~= phase ? 4000 * millisecond - phase : 0
        })),
      Fault(
        "growing-delay", .latency, "each answer takes 100 ms longer per second of the server's life",
        .delay(byAge: { age in age / 10 })),
      Fault(
        "slow-tail", .latency, frequency: .oneIn(20), "one answer in 20 takes 1.5 s longer", .delay(milliseconds: 1500)),
      Fault(
        "slow-start", .latency, "answers take 1 s longer for the first 3 s after the first request",
        .delay(byAge: { age in age < 3000 * millisecond ? 1000 * millisecond : 0 })),
      Fault(
        "slow-429", .latency, "refusals take 1.5 s longer",
        .at(\.refusal) { refusal, rest in
          try await Task.sleep(for: .milliseconds(1500))
          return try await rest(refusal)
        }),
    ]

  private static let millisecond: Int64 = 1_000_000
}

extension Effect {
  /// Makes requests wait for each other, so many milliseconds each.
  static func waitingInLine(milliseconds: Int64) -> Effect {
    Effect { server in
      let line = WaitingLine()
      server.override(\.delay) { now, rest in
        try await rest(now) + line.join(at: now, for: milliseconds * 1_000_000)
      }
    }
  }

  /// Makes requests wait while more than so many came within a second.
  static func delay(milliseconds: Int64, above requests: Int) -> Effect {
    Effect { server in
      let visits = RecentVisits()
      server.override(\.delay) { now, rest in
        try await rest(now) + (visits.count(at: now) > requests ? milliseconds * 1_000_000 : 0)
      }
    }
  }

  /// Makes requests wait, by the nanoseconds that have passed since the first one.
  fileprivate static func delay(byAge nanoseconds: @escaping @Sendable (Int64) -> Int64) -> Effect {
    Effect { server in
      let life = ServerLife()
      server.override(\.delay) { now, rest in try await rest(now) + nanoseconds(life.age(at: now)) }
    }
  }
}

/// How long a server has answered requests.
private final class ServerLife: Sendable {
  private let first = Mutex<Int64?>(nil)

  /// Nanoseconds since the first call.
  func age(at now: Int64) -> Int64 {
    first.withLock { first in
      let start = first ?? now
      first = start
      return max(now - start, 0)
    }
  }
}

/// The requests of the last second.
private final class RecentVisits: Sendable {
  private let moments = Mutex<[Int64]>([])

  /// How many there are with the one that comes now.
  func count(at now: Int64) -> Int {
    moments.withLock { moments in
      moments.removeAll { $0 <= now - 1_000_000_000 }
      moments.append(now)
      return moments.count
    }
  }
}

/// Requests that are answered one after the other.
private final class WaitingLine: Sendable {
  private let end = Mutex<Int64>(0)

  /// Until the one who joins now is done.
  func join(at now: Int64, for turn: Int64) -> Int64 {
    end.withLock { end in
      end = max(end, now) + turn
      return end - now
    }
  }
}

/// Work that takes longer than it would by a share of its own time.
package enum WorkStretch {
  /// Shorter waits are spun: a sleep of 50 µs takes 100 µs or more.
  private static let sleepable: Int64 = 2_000_000

  package static func stretch<Output>(by share: Double, _ work: () async throws -> Output) async throws -> Output {
    try await stretch(by: { _ in share }, work)
  }

  /// - Parameter share: by the nanoseconds that the work took.
  static func stretch<Output>(
    by share: (Int64) -> Double, _ work: () async throws -> Output
  ) async throws -> Output {
    let start = MonotonicClock.now()
    let output = try await work()
    let took = MonotonicClock.now() - start
    let end = start + took + Int64(Double(took) * share(took))
    let left = end - MonotonicClock.now()
    if left > sleepable { try await Task.sleep(for: .nanoseconds(left)) }
    while MonotonicClock.now() < end {}
    return output
  }
}
