import MurphyModel
import MurphyScenario
import MurphySchema
import Testing

@Suite struct TypeStepTests {
  private func queries(
    _ text: String, every: Distribution, debounce: Duration, atLeast: Int = 1, seed: UInt64 = 1
  ) throws -> [TypeStep.Query] {
    let call = CallStep(operation: OperationReference(id: "listLaws"), mark: SourceMark(file: "", line: 1, column: 1))
    let step = TypeStep(
      text: Template(.constant(.string(text)), source: text), every: .drawn(every), debounce: debounce,
      atLeast: atLeast,
      call: Call(call))
    var scope = Scope(variables: 0)
    var random = RandomSource(seed: seed)
    return try step.queries(typing: text, in: &scope, random: &random)
  }

  @Test func `fast typing sends once after the last key`() throws {
    let queries = try queries("toast", every: .constant(0.1), debounce: .milliseconds(300))
    #expect(queries.map(\.typed) == ["toast"])
    #expect(queries.map(\.due) == [800_000_000])
  }

  @Test func `slow typing sends after every key`() throws {
    let queries = try queries("abc", every: .constant(0.5), debounce: .milliseconds(300))
    #expect(queries.map(\.typed) == ["a", "ab", "abc"])
    #expect(queries.map(\.due) == [800_000_000, 1_300_000_000, 1_800_000_000])
  }

  @Test func `without debounce every key sends at once`() throws {
    let queries = try queries("ab", every: .constant(0.1), debounce: .zero)
    #expect(queries.map(\.due) == [100_000_000, 200_000_000])
  }

  @Test func `too short texts send nothing`() throws {
    #expect(try queries("abcd", every: .constant(1), debounce: .zero, atLeast: 3).map(\.typed) == ["abc", "abcd"])
    #expect(try queries("ab", every: .constant(1), debounce: .zero, atLeast: 3).isEmpty)
  }

  @Test(arguments: 1...50 as ClosedRange<UInt64>) func `queries are the pauses of the typing`(seed: UInt64) throws {
    let all = try queries("anything that can", every: .uniform(0.05, 0.6), debounce: .zero, seed: seed)
    let sent = try queries("anything that can", every: .uniform(0.05, 0.6), debounce: .milliseconds(300), seed: seed)
    let expected = zip(all, all.dropFirst().map { Optional($0) } + [nil]).compactMap { key, next in
      next.map { $0.due - key.due >= 300_000_000 } ?? true ? key.typed : nil
    }
    #expect(sent.map(\.typed) == expected, "seed \(seed)")
    #expect(sent.last?.typed == "anything that can")
  }

  @Test func `graphemes are typed whole`() throws {
    #expect(try queries("né👩‍👩‍👧", every: .constant(1), debounce: .zero).map(\.typed) == ["n", "né", "né👩‍👩‍👧"])
  }
}
