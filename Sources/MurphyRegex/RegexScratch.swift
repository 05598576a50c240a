import CPCRE2

/// What matching writes to: one for each thread, usable with every pattern. Not Sendable.
public final class RegexScratch {
  let matchData: OpaquePointer
  let context: OpaquePointer
  private let stack: OpaquePointer?
  let deadline: UnsafeMutablePointer<MatchDeadline>

  /// Memory for matches of one thread.
  public init() {
    // Only memory can be short here, for a few hundred bytes.
    guard let matchData = pcre2_match_data_create_8(1, nil), let context = pcre2_match_context_create_8(nil) else {
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
