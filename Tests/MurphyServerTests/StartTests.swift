import Foundation
import GRDB
import Glibc
import MurphyServer
import Synchronization
import Testing

@Suite(.serialized) struct StartTests {
  private func failure(_ system: String = "murphys-laws", _ change: (inout ReferenceOptions) -> Void) async -> String {
    var options = ReferenceOptions()
    change(&options)
    do {
      await (try ReferenceAPI(named: system).start(options)).stop()
      return "it started"
    } catch {
      return "\(error)"
    }
  }

  @Test func `a port in use is a sentence`() async throws {
    let first = try await ReferenceAPI.murphysLaws.start()
    let port = first.port
    let message = await failure { $0.port = port }
    await first.stop()
    let reason = "the port is in use. Choose another port, or 0 for any free port."
    #expect(message == "cannot listen on 127.0.0.1:\(port): \(reason)")
    #expect(await failure { $0.port = port } == "it started")
  }

  @Test func `an address of another machine and an unknown host are sentences`() async {
    let message = await failure { $0.host = "192.0.2.1" }
    #expect(message == "cannot listen on 192.0.2.1:0: this machine does not have this address.")
    #expect(await failure { $0.host = "no.such.host.invalid" }.hasPrefix("cannot listen on no.such.host.invalid:0: "))
  }

  @Test func `an unknown system is told the nearest one`() async {
    #expect(await failure("murphy-laws") { _ in } == "unknown system \"murphy-laws\". Did you mean \"murphys-laws\"?")
  }

  @Test func `a fault or a limit of another system is told whose it is`() async throws {
    let votes = try LimitOverride(parsing: "votes=1/1s")
    #expect(
      await failure("journal") { $0.faultNames = ["lost-vote"] }
        == "journal has no fault \"lost-vote\": it is a fault of murphys-laws.")
    #expect(
      await failure("milo") { $0.limits.overrides = [votes] }
        == "milo has no rate limit \"votes\". Known: notifications.")
    #expect(await failure("monica") { $0.faultNames = ["limit-plus-one"] } == "it started")
  }

  @Test func `a file that is not a database, of another program or of another seed is left alone`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let text = folder.appendingPathComponent("text").path
    try String(repeating: "not a database ", count: 100).write(toFile: text, atomically: true, encoding: .utf8)
    #expect(await failure { $0.database = text } == "cannot open the database \(text): file is not a database")
    let foreign = folder.appendingPathComponent("foreign").path
    try await DatabaseQueue(path: foreign).write { try $0.execute(sql: "CREATE TABLE cats (name TEXT)") }
    #expect(
      await failure { $0.database = foreign }
        == "cannot set up the database \(foreign): it belongs to another program. Name another file.")
    let ours = folder.appendingPathComponent("ours").path
    #expect(await failure { ($0.database, $0.seed) = (ours, 1) } == "it started")
    #expect(
      await failure { ($0.database, $0.seed) = (ours, 2) }
        == "cannot set up the database \(ours): it was created with seed 1, not 2. Name another file.")
    #expect(
      await failure("monica") { ($0.database, $0.seed) = (ours, 1) }
        == "cannot set up the database \(ours): it belongs to murphys-laws, not to monica. Name another file.")
    try await DatabaseQueue(path: ours).write { try $0.execute(sql: "UPDATE origin SET schema = ''") }
    #expect(
      await failure { ($0.database, $0.seed) = (ours, 1) }
        == "cannot set up the database \(ours): another version of murphy created it. Name another file.")
    #expect(
      await failure { $0.database = "/nowhere/laws" }
        == "cannot open the database /nowhere/laws: unable to open database file")
  }

  @Test func `stopping does not wait for clients, nor for responses that never come`() async throws {
    var options = ReferenceOptions()
    options.faults = [try ReferenceAPI.murphysLaws.fault("hang")]
    let server = try await ReferenceAPI.murphysLaws.start(options)
    let client = WireClient(port: server.port, device: "a")
    // One request in twenty hangs: when the others are answered, its client waits.
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await client.get("/laws/1").status } }
      var statuses: [Int] = []
      while let status = try await group.next() {
        statuses.append(status)
        if statuses.count == 19 { await server.stop() }
      }
      return statuses
    }
    #expect(statuses == Array(repeating: 200, count: 19) + [0])
    await #expect(throws: POSIXError.self) { try await client.get("/laws/1") }
  }

  @Test func `a stopped server keeps neither its database nor its port`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("murphy-\(UUID().uuidString).sqlite").path
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) } }
    func openFiles() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { number in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)"))?.hasPrefix(file) == true
      }
    }
    for _ in 0..<5 {
      var options = ReferenceOptions()
      options.database = file
      let server = try await ReferenceAPI.murphysLaws.start(options)
      let client = WireClient(port: server.port)
      #expect(try await client.get("/laws/1").status == 200)
      #expect(try openFiles() > 0)
      await server.stop()
      #expect(try openFiles() == 0)
      await #expect(throws: POSIXError.self) { try await client.get("/laws/1") }
    }
  }

  @Test func `connections that open while a server stops do not end the process`() async throws {
    for _ in 0..<25 {
      var options = ReferenceOptions()
      options.threads = 2
      let server = try await ReferenceAPI.murphysLaws.start(options)
      Self.isOpen.store(true, ordering: .relaxed)
      let port = UInt16(server.port)
      // Threads, because they leave no time to other tasks.
      for _ in 0..<2 {
        Thread { while Self.isOpen.load(ordering: .relaxed) { Self.connect(port) } }.start()
      }
      try await Task.sleep(for: .milliseconds(5))
      await server.stop()
      Self.isOpen.store(false, ordering: .relaxed)
    }
  }

  private static let isOpen = Atomic(true)

  private static func connect(_ port: UInt16) {
    let handle = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(handle) }
    var address = sockaddr_in()
    (address.sin_family, address.sin_port) = (sa_family_t(AF_INET), port.bigEndian)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    _ = withUnsafeBytes(of: &address) {
      Glibc.connect(handle, $0.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t($0.count))
    }
  }
}
