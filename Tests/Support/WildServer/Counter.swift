import Synchronization

/// Counts over threads.
public final class Counter: Sendable {
  private let count = Atomic<Int>(0)

  public init() {}

  public var value: Int { count.load(ordering: .sequentiallyConsistent) }

  /// Returns the new count.
  @discardableResult
  public func add() -> Int { count.add(1, ordering: .sequentiallyConsistent).newValue }
}
