import Synchronization

/// Says to another thread that something happened.
public final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  public init() {}

  public var isRaised: Bool { value.load(ordering: .sequentiallyConsistent) }

  public func raise() { value.store(true, ordering: .sequentiallyConsistent) }
}
