import Synchronization

/// Ends a run early, as Ctrl-C does. `request` may be called from a signal handler: it only sets a flag.
public final class StopSignal: Sendable {
  private let flag = Atomic<Bool>(false)

  public init() {}

  public var isRequested: Bool { flag.load(ordering: .relaxed) }

  public func request() { flag.store(true, ordering: .relaxed) }
}
