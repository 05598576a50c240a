import Foundation

/// Runs what waits for a program or a socket on a thread of its own. The tasks of all tests share as many threads as
/// there are processors: a test that blocks one of them keeps others waiting.
public func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result(catching: body)) }
  }
}
