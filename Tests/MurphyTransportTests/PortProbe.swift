import WildServer

/// A port that was free a moment ago.
struct PortProbe {
  let port: Int

  init() throws {
    let server = try WildServer { _, _ in }
    port = server.port
    server.stop()
  }
}
