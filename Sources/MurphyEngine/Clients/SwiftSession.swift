/// A session written in Swift: runs under the same load, judges and reports as a scripted one.
///
///     SwiftSession("read") { client in
///       let page = try await client.call("listLaws", query: ["limit": 25]).decode(Page.self)
///       try await client.think(.seconds(1))
///       try await client.call("getLaw", path: ["id": .number(page.data[0].id)])
///     }
///
/// An error that the body throws ends that one session and is counted as its reason.
public struct SwiftSession: Sendable {
  /// What the report calls it.
  public var name: String
  /// Its weight among all sessions' shares; positive.
  public var share: Double
  /// What a user does, from arrival to leaving.
  public var body: @Sendable (Client) async throws -> Void

  /// A session; `share` is its weight among the sessions of the gate.
  public init(_ name: String, share: Double = 1, body: @escaping @Sendable (Client) async throws -> Void) {
    self.name = name
    self.share = share
    self.body = body
  }
}
