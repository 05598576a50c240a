/// The addresses of a program's pools. Plain memory, so that a run that reads it counts no references.
struct TapeTables: BitwiseCopyable {
  let nodes: UnsafePointer<TapeNode>
  let steps: UnsafePointer<TapeStep>
  let numbers: UnsafePointer<NumberCheck>
  let bounds: UnsafePointer<NumberBound>
  let divisors: UnsafePointer<NumberDivisor>
  let strings: UnsafePointer<StringCheck>
  let arrays: UnsafePointer<ArrayCheck>
  let objects: UnsafePointer<ObjectCheck>
  let slots: UnsafePointer<PropertySlot>
  let tables: UnsafePointer<Int32>
  let bits: UnsafePointer<UInt64>
  let patternSlots: UnsafePointer<PatternSlot>
  let dependencies: UnsafePointer<Dependency>
  let lists: UnsafePointer<Int32>
  let switches: UnsafePointer<Switch>
  let cases: UnsafePointer<SwitchCase>
  let enumerations: UnsafePointer<EnumerationCheck>
  let names: UnsafePointer<TapeName>
  let integers: UnsafePointer<Int64>
  let text: UnsafePointer<UInt8>
  /// `dynamicTargets[table * resourceCount + resource]`
  let dynamicTargets: UnsafePointer<Int32>
  let resourceCount: Int
  let hasDynamicScope: Bool
  /// The program keeps them alive; the run uses them unmanaged.
  let patterns: UnsafePointer<Unmanaged<ECMAPattern>>
}

/// A program for the tape: schemas as plain memory in a few pools.
// Written by the compiler, then never again; freed with the last owner.
final class TapeProgram: @unchecked Sendable {
  let tables: UnsafePointer<TapeTables>
  private let patternOwner: [ECMAPattern]
  private let free: [() -> Void]

  init(_ pools: TapePools) {
    var free: [() -> Void] = []
    func frozen<Element>(_ array: [Element]) -> UnsafePointer<Element> {
      let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, array.count))
      memory.initialize(from: array, count: array.count)
      free.append { memory.deallocate() }
      return UnsafePointer(memory)
    }
    patternOwner = pools.patterns
    let tables = TapeTables(
      nodes: frozen(pools.nodes), steps: frozen(pools.steps), numbers: frozen(pools.numbers),
      bounds: frozen(pools.bounds), divisors: frozen(pools.divisors), strings: frozen(pools.strings),
      arrays: frozen(pools.arrays), objects: frozen(pools.objects), slots: frozen(pools.slots),
      tables: frozen(pools.tables), bits: frozen(pools.bits), patternSlots: frozen(pools.patternSlots),
      dependencies: frozen(pools.dependencies), lists: frozen(pools.lists), switches: frozen(pools.switches),
      cases: frozen(pools.cases), enumerations: frozen(pools.enumerations), names: frozen(pools.names),
      integers: frozen(pools.integers), text: frozen(pools.text), dynamicTargets: frozen(pools.dynamicTargets),
      resourceCount: pools.resourceCount, hasDynamicScope: pools.hasDynamicScope,
      patterns: frozen(pools.patterns.map { Unmanaged.passUnretained($0) }))
    self.tables = frozen([tables])
    self.free = free
  }

  deinit { for body in free { body() } }
}

/// A schema for the tape: the checks for each type of value. Plain memory; `none` is -1.
struct TapeNode {
  /// The allowed types as bits of `TypeSet`; all bits for no restriction.
  var types: UInt8 = 0xFF
  /// There is nothing to check.
  var isTrivial = true
  /// For a scalar, the checks of type, number, string and listed values are complete.
  var isPlain = true
  /// Uses the set of evaluated properties or items.
  var hasUnevaluated = false
  var resource: Int32 = 0
  var number: Int32 = -1
  var string: Int32 = -1
  var array: Int32 = -1
  var object: Int32 = -1
  var enumeration: Int32 = -1
  /// A string of so many bytes satisfies the schema, whatever they are; no length if the least is above the most.
  var leastBytes: UInt32 = 1
  var mostBytes: UInt32 = 0
  /// The integers that satisfy the schema without another check; none if the least is above the most.
  var least: Int64 = 1
  var most: Int64 = 0
  /// The steps for every type.
  var steps: Slice = Slice()
}

/// A check for values of every type.
struct TapeStep {
  enum Opcode: UInt8 {
    case enumeration
    case reference, dynamicReference
    case all, any, one, not, conditional
    /// `anyOf` or `oneOf` whose branches differ in a required property: the first number is a `Switch`.
    case chosen
    case unevaluatedItems, unevaluatedProperties, undocumented
    /// Strings with encoded content.
    case content
    /// Only the tree can decide it.
    case unchecked
  }

  let kind: Opcode
  var first: Int32 = -1
  var second: Int32 = -1
  var third: Int32 = -1
  var list = Slice()
}

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
    if isExhausted {
      return .unchecked("the check took too many steps: the schema at \(location(of: entry)) repeats itself too often")
    }
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
  let accepted = AcceptedStrings()
  /// The resources entered, outermost first.
  let scope = UnsafeMutablePointer<Int32>.allocate(capacity: TapeRun.maximumDepth + 1)

  /// Memory for validations of one thread.
  package init() {
    arena = .allocate(capacity: 1)
    arena.initialize(to: WordArena())
  }

  deinit {
    scope.deallocate()
    accepted.deallocate()
    arena.deinitialize(count: 1)
    arena.deallocate()
  }
}
