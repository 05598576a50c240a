import MurphyRegex

/// What a validation writes to: one for each thread, usable with every program. Not Sendable.
public final class SchemaScratch {
  var arena = WordArena()
  let regex = RegexScratch()
  /// The resources entered, outermost first.
  let scope = UnsafeMutablePointer<Int32>.allocate(capacity: TapeRun.maximumDepth + 1)

  public init() {}

  deinit { scope.deallocate() }
}
