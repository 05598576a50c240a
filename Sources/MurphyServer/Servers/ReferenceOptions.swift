/// How a reference server is to be started.
public struct ReferenceOptions: Sendable {
  /// Address to listen on.
  public var host = "127.0.0.1"
  /// Port to listen on; 0 for any free one.
  public var port = 0
  /// Threads of the server. With one, each request stays on that thread from its socket to its answer.
  public var threads = 1
  /// SQLite file, made when it is not there; nil keeps all in memory.
  public var database: String?
  /// Draws the laws, their votes, the law of the day, and the places of faults that strike now and then.
  public var seed: UInt64 = 1
  public var faults: [Fault] = []
  package var limits = LimitSettings()
  /// The names of the options that were set, in order.
  public internal(set) var chosen: [String] = []

  public init() {}
}
