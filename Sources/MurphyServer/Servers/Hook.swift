/// A named place in the honest server whose outcome a fault may override.
///
/// Overrides lie around each other in the order in which they were added: each is given the input and what comes after
/// it, which ends in what the honest server does.
struct Hook<Input: Sendable, Output: Sendable>: Sendable {
  typealias Rest = (Input) async throws -> Output
  typealias Override = @Sendable (Input, Rest) async throws -> Output

  private struct Entry: Sendable {
    /// Asked once for each call, and so counts the calls of a fault that strikes now and then.
    var applies: @Sendable (Operation?) -> Bool
    var override: Override
  }

  private var entries: [Entry] = []

  mutating func add(when applies: @escaping @Sendable (Operation?) -> Bool, _ override: @escaping Override) {
    entries.append(Entry(applies: applies, override: override))
  }

  /// What comes of `input` in a request of `operation`. Costs one comparison in a server without faults.
  func callAsFunction(_ input: Input, of operation: Operation?, honestly: Rest) async throws -> Output {
    if entries.isEmpty { return try await honestly(input) }
    return try await run(entries[...], input, operation, honestly)
  }

  private func run(
    _ entries: ArraySlice<Entry>, _ input: Input, _ operation: Operation?, _ honestly: Rest
  ) async throws -> Output {
    guard let entry = entries.first else { return try await honestly(input) }
    let later = entries.dropFirst()
    guard entry.applies(operation) else { return try await run(later, input, operation, honestly) }
    return try await entry.override(input) { try await run(later, $0, operation, honestly) }
  }
}
