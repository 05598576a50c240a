import Foundation
import Murphy
import TestSupport
import WildServer

/// A server behind a recording proxy, with curl before it.
struct RecordedTarget {
  let server: WildServer
  let proxy: RecordingProxy

  /// Runs `body` against a proxy before a server that answers as `respond` says.
  ///
  /// - Returns: the archive of what went through.
  @discardableResult
  static func recording(
    path: String = "", timeout: Duration = .seconds(60), _ respond: @escaping WildServer.Responder,
    _ body: (RecordedTarget) async throws -> Void
  ) async throws -> JSONValue {
    let server = try WildServer(respond)
    defer { server.stop() }
    return try await recording(server.url + path, timeout: timeout) { proxy in
      try await body(RecordedTarget(server: server, proxy: proxy))
    }
  }

  /// The same before any target.
  static func recording(
    _ target: String, authorities: String? = nil, timeout: Duration = .seconds(60),
    _ body: (RecordingProxy) async throws -> Void
  ) async throws -> JSONValue {
    var options = RecordingProxy.Options(target: target)
    options.timeout = timeout
    options.authorities = authorities
    let proxy = try await RecordingProxy.start(options)
    do {
      try await body(proxy)
    } catch {
      await proxy.stop()
      throw error
    }
    await proxy.stop()
    return try JSONValue.parse(Array(HARWriter(version: "test").text(proxy.session.content).utf8))
  }

  /// What curl shows of a response, header fields and all.
  static func curl(_ arguments: String, in folder: String = Repository.root) async throws -> String {
    let said = try await Shell.run("curl -sS --max-time 60 " + arguments, in: folder).said
    return said.output + said.errors
  }
}

extension JSONValue {
  /// Of an archive.
  var entries: [JSONValue] { self["log"]?["entries"]?.array ?? [] }
}
