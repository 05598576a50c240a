import CPCRE2

/// A regular expression with the semantics of ECMA-262 (§22.2, on code points), run by PCRE2 with its JIT.
///
/// Immutable and shared by all threads. Matching is linear for most patterns and bounded for all.
public final class ECMAPattern: Sendable {
  /// The original spelling.
  public let source: String
  private let code: CompiledPattern
  /// The same with a deadline, for long subjects. Nil if only one start is possible.
  private let bounded: CompiledPattern?

  /// - Parameters:
  ///   - source: the pattern, in the syntax of ECMA-262.
  ///   - syntax: with or without the `u` flag.
  ///   - whole: true if the pattern must match the whole subject.
  /// - Throws: `RegexError` for a pattern that violates the grammar or that PCRE2 cannot run.
  public init(_ source: String, syntax: ECMASyntax = .unicode, whole: Bool = false) throws(RegexError) {
    self.source = source
    var translator = ECMATranslator(source, syntax: syntax)
    let translated = try translator.translate()
    let text = whole ? "\\A(?:\(translated))\\z" : translated
    code = try CompiledPattern(text, source: source)
    bounded = code.hasOneStart ? nil : try CompiledPattern("(?C1)(?:\(text))", source: source)
  }

  /// True if it has a capturing group.
  var hasGroups: Bool { code.groups > 0 }

  /// The maximum number of backtracking steps from one start: for almost all subjects, and for those that need more.
  private static let quickLimit: UInt32 = 5_000
  private static let matchLimit: UInt32 = 500_000
  private static let matchLimitOfLongSubjects: UInt32 = 20_000

  /// True if the pattern matches part of the subject, which must be UTF-8. Does not allocate.
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

  /// For callers outside of hot paths: creates a scratch for this one call.
  public func matches(_ text: String) -> RegexMatch {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0), RegexScratch()) }
  }
}

extension ECMAPattern: Hashable {
  public static func == (left: ECMAPattern, right: ECMAPattern) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The result of a match.
public enum RegexMatch: Sendable, Hashable {
  case yes
  case no
  /// Backtracking exceeded the limit: the result is unknown.
  case limitExceeded
}

/// The supported grammars of patterns.
public enum ECMASyntax: Sendable, Hashable {
  /// ECMA-262 §22.2.1 with the `u` flag: an unknown escape is an error.
  case unicode
  /// The web's grammar (ECMA-262 Annex B.1.2) on code points: `\-`, `\_` and a lone `]` are literals.
  case legacy
  /// I-Regexp (RFC 9485), where a dot excludes LF and CR only (§5.3). `^` and `$` are anchors, as in the compliance
  /// suite of JSONPath. By the grammar of RFC 9485 they would be ordinary characters.
  case interoperable
}

/// The working memory of matches: one for each thread, usable with every pattern. Not Sendable.
public final class RegexScratch {
  let matchData: OpaquePointer
  let context: OpaquePointer
  private let stack: OpaquePointer?
  let deadline: UnsafeMutablePointer<MatchDeadline>
  /// The remaining time for subjects that are long or need much backtracking. One such match is bounded, but a document
  /// may have a hundred thousand. Without a limit until it is set.
  public var slowTime = Duration.seconds(3_600_000_000)

  /// The time for the strings of one document.
  public static let slowTimeOfDocument: Duration = .seconds(1)

  /// Subtracts the time of a slow match.
  fileprivate func spend(_ match: (ContinuousClock.Instant) -> RegexMatch) -> RegexMatch {
    guard slowTime > .zero else { return .limitExceeded }
    let begin = ContinuousClock.now
    defer { slowTime -= begin.duration(to: .now) }
    return match(begin)
  }

  /// Memory for matches of one thread.
  public init() {
    // This only fails if there is not enough memory for a few hundred bytes.
    // The size is that of the match and its first group.
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

/// Bounds a search through a long subject. PCRE2's match limit counts the backtracking from one start, and a subject
/// has as many starts as characters: `a*[bc]` on a megabyte of `a` never backtracks much, but takes hours.
struct MatchDeadline {
  /// The maximum duration of the search.
  static let allowance = ContinuousClock.Duration.milliseconds(200)
  /// Subjects up to this many bytes are fast enough without a deadline.
  static let unboundedSize = 8 << 10

  var end: ContinuousClock.Instant?
  private var calls = 0

  mutating func hasPassed() -> Bool {
    calls &+= 1
    guard calls & 15 == 0, let end else { return false }
    return ContinuousClock.now > end
  }
}

/// PCRE2 calls it at each start of a match, by the callout at the beginning of the pattern.
func checkDeadline(_ block: UnsafeMutablePointer<pcre2_callout_block_8>?, _ data: UnsafeMutableRawPointer?) -> Int32 {
  guard let deadline = data?.assumingMemoryBound(to: MatchDeadline.self) else { return 0 }
  return deadline.pointee.hasPassed() ? PCRE2_ERROR_CALLOUT : 0
}

/// A pattern that cannot be used.
public struct RegexError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of the error.
  public enum Reason: Sendable, Hashable {
    /// The pattern does not match the grammar.
    case syntax
    /// A correct pattern that PCRE2 cannot run (an unbounded look-behind, a huge repetition).
    case unsupported
  }

  /// The kind of the error.
  public let kind: Reason
  /// The whole pattern.
  public let pattern: String
  /// Code points from the start of the pattern.
  public let offset: Int
  /// The found and the expected, without the position.
  public let message: String

  public var description: String { "the pattern \"\(pattern)\" is not usable, at position \(offset): \(message)" }
}

/// The result of an extraction by a pattern.
public enum RegexCapture: Sendable, Hashable {
  /// The first group of the first match, or the whole match if the pattern has no group.
  case found(String)
  /// Nothing matches, or the group is not part of the match.
  case none
  /// Backtracking exceeded the limit: the result is unknown.
  case limitExceeded
}

extension ECMAPattern {
  /// The first group of the first match; the whole match if the pattern has no group.
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
  /// The range of a group in the last match, in bytes; nil if it is not part of the match.
  fileprivate func range(of group: Int) -> Range<Int>? {
    guard let places = pcre2_get_ovector_pointer_8(matchData) else { return nil }
    let (start, end) = (places[2 * group], places[2 * group + 1])
    // PCRE2_UNSET is -1 here. A `\K` in a look-ahead could end before it starts.
    return start >= 0 && end >= start ? start..<end : nil
  }
}

/// PCRE2's compiled code.
// The code is written once, in init. PCRE2 documents it as safe for any number of matching threads (pcre2api,
// MULTITHREADING).
final class CompiledPattern: @unchecked Sendable {
  private let code: OpaquePointer
  /// Every match starts at the start of the subject.
  let hasOneStart: Bool

  init(_ text: String, source: String) throws(RegexError) {
    let options =
      PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_MATCH_UNSET_BACKREF | PCRE2_DOLLAR_ENDONLY | PCRE2_NEVER_BACKSLASH_C
    var status: Int32 = 0
    var offset = 0
    let units = Array(text.utf8)
    guard let code = pcre2_compile_8(units, units.count, options, &status, &offset, nil) else {
      var message = [UInt8](repeating: 0, count: 256)
      let length = pcre2_get_error_message_8(status, &message, message.count)
      let reason = String(decoding: message.prefix(max(0, Int(length))), as: UTF8.self)
      throw RegexError(
        kind: .unsupported, pattern: source, offset: 0, message: "PCRE2 cannot run this pattern: \(reason)")
    }
    self.code = code
    // Without a JIT compiler, the interpreter is used.
    pcre2_jit_compile_8(code, PCRE2_JIT_COMPLETE)
    var flags: UInt32 = 0
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_ALLOPTIONS), &flags)
    hasOneStart = flags & PCRE2_ANCHORED != 0
  }

  deinit { pcre2_code_free_8(code) }

  func matches(_ subject: UnsafeRawBufferPointer, _ scratch: RegexScratch, limit: UInt32) -> RegexMatch {
    pcre2_set_match_limit_8(scratch.context, limit)
    // PCRE2 requires an address even for an empty subject; the address of the code is used.
    let start = subject.baseAddress ?? UnsafeRawPointer(code)
    let bytes = start.assumingMemoryBound(to: UInt8.self)
    var status = pcre2_match_8(
      code, bytes, subject.count, 0, PCRE2_NO_UTF_CHECK, scratch.matchData, scratch.context)
    if status == PCRE2_ERROR_JIT_STACKLIMIT {
      // The interpreter backtracks on the heap, which has more room.
      status = pcre2_match_8(
        code, bytes, subject.count, 0, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, scratch.matchData, scratch.context)
    }
    if status >= 0 { return .yes }
    return status == PCRE2_ERROR_NOMATCH ? .no : .limitExceeded
  }

  /// The number of capturing groups.
  var groups: Int {
    var count: UInt32 = 0
    pcre2_pattern_info_8(code, UInt32(PCRE2_INFO_CAPTURECOUNT), &count)
    return Int(count)
  }
}
