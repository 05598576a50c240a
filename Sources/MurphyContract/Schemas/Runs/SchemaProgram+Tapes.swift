import MurphyJSON

extension SchemaProgram {
  /// Checks a parsed document.
  public func isValid(_ entry: SchemaEntry, _ document: TapeResult, _ scratch: SchemaScratch) -> SchemaVerdict {
    switch document {
    case .tape(let tape): isValid(entry, tape, scratch)
    case .value(let value): isValid(entry, value)
    case .malformed(let error): error.kind == .syntax ? .invalid : .unchecked("the body is \(error.message)")
    }
  }

  /// Checks a document on the tape. Does not allocate for a valid one.
  public func isValid(_ entry: SchemaEntry, _ tape: Tape, _ scratch: SchemaScratch) -> SchemaVerdict {
    isValid(entry, tape.value(at: tape.root))
  }
}
