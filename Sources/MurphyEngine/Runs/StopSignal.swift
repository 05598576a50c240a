import Synchronization

/// Ends a run early, as Ctrl-C does. `request` may be called from a signal handler: it only sets a flag.
public final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)

  /// Not requested.
  public init() {}

  /// Whether somebody asked for the end.
  public var isRequested: Bool { flag.load(ordering: .relaxed) }

  /// Asks for the end; from any thread, and again without effect.
  public func request() { flag.store(true, ordering: .relaxed) }
}
