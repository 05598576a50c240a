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

  /// Backtracking steps from one start.
  private static let matchLimit: UInt32 = 500_000
  private static let matchLimitOfLongSubjects: UInt32 = 20_000

  /// Whether the pattern matches some part of the subject, which must be UTF-8. Does not allocate.
  public func matches(_ subject: UnsafeRawBufferPointer, _ scratch: RegexScratch) -> RegexMatch {
    guard subject.count > MatchDeadline.unboundedSize, let bounded else {
      return code.matches(subject, scratch, limit: Self.matchLimit)
    }
    scratch.deadline.pointee.end = .now + MatchDeadline.allowance
    return bounded.matches(subject, scratch, limit: Self.matchLimitOfLongSubjects)
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
