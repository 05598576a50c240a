import Foundation
import MurphyServer

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
