import Foundation
import Testing

/// A suite that measures time. `Tests/run` takes these suites out of the tests that run side by side, and runs them
/// beside the others, with the higher priority.
///
/// A suite that takes cores away on purpose is marked `.alone`: it runs last, when no other suite measures time.
///
/// A test that fails while the machine stalls measured the machine, so it is repeated, twice at most. Its first failures
/// are known issues in the output. A test that fails on a quiet machine fails at once.
///
/// What cannot be right on a busy machine calls `Timed.require()`, so that a test which uses it outside of such a suite
/// fails each time, and not only when the machine happens to be busy.
public struct Timed: SuiteTrait, TestTrait, TestScoping {
  /// Whether the test at hand belongs to such a suite.
  @TaskLocal public static var isMeasured = false

  /// Set by `Tests/run` for the tests that run side by side.
  private static let isSideBySide = ProcessInfo.processInfo.environment["MURPHY_SIDE_BY_SIDE"] == "1"

  public let isRecursive = true

  /// Records an issue in a test that measures time and whose suite does not say so.
  public static func require(sourceLocation: SourceLocation = #_sourceLocation) {
    if !isMeasured {
      Issue.record("this measures time: mark the suite `.timed` or `.alone`", sourceLocation: sourceLocation)
    }
  }

  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if Self.isSideBySide {
      Issue.record("Tests/run did not find this suite: `@Suite(.timed) struct` is one line, as with `.alone`")
    }
    try await Self.$isMeasured.withValue(true) {
      for _ in 1..<Self.attempts {
        let watch = StallWatch()
        let wasRepeatable = try await watch.attempt(function)
        if !wasRepeatable { return }
      }
      try await function()
    }
  }

  private static let attempts = 3
}

extension Trait where Self == Timed {
  /// The suite measures time: see `Timed`.
  public static var timed: Timed { Timed() }

  /// The suite measures time, and slows down all that run beside it: see `Timed`.
  public static var alone: Timed { Timed() }
}
