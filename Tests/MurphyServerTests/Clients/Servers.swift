import Foundation
import MurphyServer
import Synchronization

/// Runs a real server on a free port with a real SQLite file for the length of `body`.
/// - Parameter clock: the time that its limiters go by.
func withServer<T: Sendable>(
  _ settings: [(String, String)] = [], faults: [Fault] = [], system: String = "murphys-laws",
  clock: LimitClock = .monotonic,
  _ body: (WireClient) async throws -> T
) async throws -> T {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  var options = ReferenceOptions()
  options.database = folder.appendingPathComponent("laws.sqlite").path
  options.faults = faults
  options.limits.clock = clock
  for (name, value) in settings { try options.set(name, to: value) }
  let server = try await ReferenceAPI(named: system).start(options)
  do {
    let result = try await body(WireClient(port: server.port, device: "device-1"))
    await server.stop()
    return result
  } catch {
    await server.stop()
    throw error
  }
}

/// Limits that no test of something else runs into.
let unlimited = [("limits", "off")]

/// A clock for limiters that stands still until a test moves it.
final class HandClock: Sendable {
  private let nanoseconds = Atomic<Int64>(1_000_000_000_000)

  var limits: LimitClock { LimitClock { self.nanoseconds.load(ordering: .relaxed) } }

  func pass(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    nanoseconds.wrappingAdd(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
  }
}

/// A linear congruential generator (Knuth's MMIX constants) for repeatable arrivals.
struct TestNumbers {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }
}
