import CPCRE2

/// A regular expression with the meaning of ECMA-262 (§22.2, on code points), run by PCRE2 with its JIT.
///
/// Immutable and shared by all threads; matching is linear for most patterns and bounded for all.
public final class ECMAPattern: Sendable {
  /// As it was given.
  public let source: String
  private let code: CompiledPattern
  /// The same with a deadline, for long subjects. Nil where there is only one start.
  private let bounded: CompiledPattern?

  /// - Parameters:
  ///   - source: the pattern, in the syntax of ECMA-262.
  ///   - syntax: with the `u` flag or without.
  ///   - whole: the pattern must match the whole subject instead of some part of it.
  /// - Throws: `RegexError` for a pattern that breaks the grammar or that PCRE2 cannot run.
  public init(_ source: String, syntax: ECMASyntax = .unicode, whole: Bool = false) throws(RegexError) {
    self.source = source
    var translator = ECMATranslator(source, syntax: syntax)
    let translated = try translator.translate()
    let text = whole ? "\\A(?:\(translated))\\z" : translated
    code = try CompiledPattern(text, source: source)
    bounded = code.hasOneStart ? nil : try CompiledPattern("(?C1)(?:\(text))", source: source)
  }

  /// Whether it has a group that captures.
  var hasGroups: Bool { code.groups > 0 }

  /// Backtracking steps from one start: for nearly all subjects, and for those that need more.
  private static let quickLimit: UInt32 = 5_000
  private static let matchLimit: UInt32 = 500_000
  private static let matchLimitOfLongSubjects: UInt32 = 20_000

  /// Whether the pattern matches some part of the subject, which must be UTF-8. Does not allocate.
  public func matches(_ subject: UnsafeRawBufferPointer, _ scratch: RegexScratch) -> RegexMatch {
    guard subject.count > MatchDeadline.unboundedSize, let bounded else {
      let found = code.matches(subject, scratch, limit: Self.quickLimit)
      guard found == .limitExceeded else { return found }
      return scratch.spend { _ in code.matches(subject, scratch, limit: Self.matchLimit) }
    }
    return scratch.spend { begin in
      scratch.deadline.pointee.end = begin + MatchDeadline.allowance
      return bounded.matches(subject, scratch, limit: Self.matchLimitOfLongSubjects)
    }
  }

  /// For callers outside hot paths: makes a scratch for this one call.
  public func matches(_ text: String) -> RegexMatch {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0), RegexScratch()) }
  }
}

extension ECMAPattern: Hashable {
  public static func == (left: ECMAPattern, right: ECMAPattern) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The answer of a pattern.
public enum RegexMatch: Sendable, Hashable {
  case yes
  case no
  /// Backtracking went beyond the bound: the answer is unknown.
  case limitExceeded
}

/// The grammars a pattern may follow.
public enum ECMASyntax: Sendable, Hashable {
  /// ECMA-262 §22.2.1 with the `u` flag: an escape without meaning is an error.
  case unicode
  /// The web's grammar (ECMA-262 Annex B.1.2) on code points: `\-`, `\_` and a lone `]` stand for themselves.
  case legacy
  /// I-Regexp (RFC 9485), where a dot stops at LF and CR only (§5.3). `^` and `$` are anchors, as in the compliance
  /// suite of JSONPath, and not the ordinary characters that the grammar of RFC 9485 makes of them.
  case interoperable
}

/// What matching writes to: one for each thread, usable with every pattern. Not Sendable.
public final class RegexScratch {
  let matchData: OpaquePointer
  let context: OpaquePointer
  private let stack: OpaquePointer?
  let deadline: UnsafeMutablePointer<MatchDeadline>
  /// What is left for subjects that are long or that a pattern backtracks far in. One such match is bounded; a document
  /// may have a hundred thousand. Without a bound until somebody sets it.
  public var slowTime = Duration.seconds(3_600_000_000)

  /// For the texts of one document.
  public static let slowTimeOfDocument: Duration = .seconds(1)

  /// Takes the time of a slow match.
  fileprivate func spend(_ match: (ContinuousClock.Instant) -> RegexMatch) -> RegexMatch {
    guard slowTime > .zero else { return .limitExceeded }
    let begin = ContinuousClock.now
    defer { slowTime -= begin.duration(to: .now) }
    return match(begin)
  }

  /// Memory for matches of one thread.
  public init() {
    // Only memory can be short here, for a few hundred bytes.
    // The match and its first group.
    guard let matchData = pcre2_match_data_create_8(2, nil), let context = pcre2_match_context_create_8(nil) else {
      preconditionFailure("out of memory")
    }
    self.matchData = matchData
    self.context = context
    stack = pcre2_jit_stack_create_8(32 << 10, 1 << 20, nil)
    deadline = .allocate(capacity: 1)
    deadline.initialize(to: MatchDeadline())
    pcre2_jit_stack_assign_8(context, nil, stack.map { UnsafeMutableRawPointer($0) })
    pcre2_set_heap_limit_8(context, 64 << 10)
    pcre2_set_callout_8(context, checkDeadline, deadline)
  }

  deinit {
    pcre2_match_data_free_8(matchData)
    pcre2_match_context_free_8(context)
    pcre2_jit_stack_free_8(stack)
    deadline.deallocate()
  }
}

/// Bounds a search through a long subject. PCRE2's match limit counts the backtracking from one start, and the starts
/// are as many as the subject has characters: `a*[bc]` on a megabyte of `a` never backtracks much, yet needs hours.
struct MatchDeadline {
  /// The search may last this long.
  static let allowance = ContinuousClock.Duration.milliseconds(200)
  /// Subjects up to this many bytes end soon enough without a deadline.
  static let unboundedSize = 8 << 10

  var end: ContinuousClock.Instant?
  private var calls = 0

  mutating func hasPassed() -> Bool {
    calls &+= 1
    guard calls & 15 == 0, let end else { return false }
    return ContinuousClock.now > end
  }
}

/// Called by PCRE2 at each start of a match, by the callout at the front of the pattern.
func checkDeadline(_ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ data: UnsafeMutableRawPointer?) -> Int32 {
  guard let deadline = data?.assumingMemoryBound(to: MatchDeadline.self) else { return 0 }
  return deadline.pointee.hasPassed() ? PCRE2_ERROR_CALLOUT : 0
}

/// A pattern that cannot be used.
public struct RegexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What sort of mistake it is.
  public enum Reason: Sendable, Hashable {
    /// The pattern does not follow the grammar.
    case syntax
    /// A correct pattern that PCRE2 cannot run (a look-behind without bound, a huge repetition).
    case unsupported
  }

  /// What sort of mistake it is.
  public let kind: Reason
  /// The whole pattern.
  public let pattern: String
  /// Code points from the start of the pattern.
  public let offset: Int
  /// What was found and what was expected, without the place.
  public let message: String

  public var description: String { "pattern \"\(pattern)\", position \(offset): \(message)" }
}

/// What a pattern takes out of a text.
public enum RegexCapture: Sendable, Hashable {
  /// The first group of the first match, or all of the match where the pattern has no group.
  case found(String)
  /// Nothing matches, or the group took no part in the match.
  case none
  /// Backtracking went beyond the bound: the answer is unknown.
  case limitExceeded
}

extension ECMAPattern {
  /// What the first group of the first match holds; all of the match where the pattern has no group.
  public func capture(in text: String, _ scratch: RegexScratch) -> RegexCapture {
    var text = text
    return text.withUTF8 { bytes in
      switch matches(UnsafeRawBufferPointer(bytes), scratch) {
      case .no: return .none
      case .limitExceeded: return .limitExceeded
      case .yes:
        guard let range = scratch.range(of: hasGroups ? 1 : 0) else { return .none }
        return .found(String(decoding: bytes[range], as: UTF8.self))
      }
    }
  }
}

extension RegexScratch {
  /// Where a group of the last match stands, in bytes; nil where it took no part.
  fileprivate func range(of group: Int) -> Range<Int>? {
    guard let places = pcre2_get_ovector_pointer_8(matchData) else { return nil }
    let (start, end) = (places[2 * group], places[2 * group + 1])
    // PCRE2_UNSET is -1 here; a `\K` in a look-ahead could end before it starts.
    return start >= 0 && end >= start ? start..<end : nil
  }
}
