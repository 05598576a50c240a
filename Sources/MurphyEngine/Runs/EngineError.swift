/// Why a run could not begin.
public enum EngineError: Error, Sendable, CustomStringConvertible {
  /// The target is no usable URL.
  case target(String)
  /// The target's name has no address.
  case unreachable(String)
  /// The operating system gives no thread, epoll set or file.
  case system(String)
  case sessions(String)

  public var description: String {
    switch self {
    case .target(let text), .unreachable(let text), .system(let text), .sessions(let text): text
    }
  }
}
