extension SchemaProgram {
  /// A document that simdjson rejects is invalid or unchecked.
  package func isValid(_ entry: SchemaEntry, _ document: TapeResult, _ scratch: SchemaScratch) -> SchemaVerdict {
    switch document {
    case .tape(let tape): isValid(entry, tape, scratch)
    case .value(let value): isValid(entry, value)
    case .malformed(let error): error.kind == .syntax ? .invalid : .unchecked(error.message)
    }
  }

  /// Checks a document on the tape. Does not allocate for a valid one.
  ///
  /// A document that does not pass on the tape is checked again as a tree, which is exact.
  package func isValid(_ entry: SchemaEntry, _ tape: Tape, _ scratch: SchemaScratch) -> SchemaVerdict {
    var run = TapeRun(tables, tape, scratch)
    let holds = run.holds(entry.node, tape.root, nil)
    let isExhausted = run.isExhausted
    scratch.arena.pointee.releaseAll()
    if holds { return .valid }
    if isExhausted { return .unchecked("too much work: the schema at \(location(of: entry)) multiplies without end") }
    return isValid(entry, tape.value(at: tape.root))
  }

  /// True if the tape alone proves that the document is valid.
  package func holdsOnTape(_ entry: SchemaEntry, _ tape: Tape, _ scratch: SchemaScratch) -> Bool {
    var run = TapeRun(tables, tape, scratch)
    defer { scratch.arena.pointee.releaseAll() }
    return run.holds(entry.node, tape.root, nil)
  }
}

/// The working memory of validations: one for each thread, usable with every program. Not Sendable.
package final class SchemaScratch {
  let arena: UnsafeMutablePointer<WordArena>
  let regex = RegexScratch()
  /// The resources entered, outermost first.
  let scope = UnsafeMutablePointer<Int32>.allocate(capacity: TapeRun.maximumDepth + 1)

  /// Memory for validations of one thread.
  package init() {
    arena = .allocate(capacity: 1)
    arena.initialize(to: WordArena())
  }

  deinit {
    scope.deallocate()
    arena.deinitialize(count: 1)
    arena.deallocate()
  }
}
