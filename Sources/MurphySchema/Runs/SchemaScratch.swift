import MurphyRegex

/// What a validation writes to: one for each thread, usable with every program. Not Sendable.
public final class SchemaScratch {
  let arena: UnsafeMutablePointer<WordArena>
  let regex = RegexScratch()
  /// The resources entered, outermost first.
  let scope = UnsafeMutablePointer<Int32>.allocate(capacity: TapeRun.maximumDepth + 1)

  /// Memory for validations of one thread.
  public init() {
    arena = .allocate(capacity: 1)
    arena.initialize(to: WordArena())
  }

  deinit {
    scope.deallocate()
    arena.deinitialize(count: 1)
    arena.deallocate()
  }
}
