import CPCRE2

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
