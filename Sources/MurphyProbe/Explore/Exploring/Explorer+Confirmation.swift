import MurphyEngine
import MurphyModel
import MurphySchema

extension Explorer {
  /// Repeats a case with things of its own; only what shows again counts, cut down to the smallest request that shows it.
  func look(into suspicion: Suspicion, _ one: ExploreCase) async throws(CaseRunner.Stop) {
    let claim = ExploreState.Claim(kind: suspicion.kind, operation: one.call.operation, cause: suspicion.cause)
    // Where no credentials are needed, wrong ones show nothing else; nor do others of another scheme.
    let parts = suspicion.kind == .exploreAuthIgnored ? ["without", "with credentials"] : one.parts
    try await confirm(claim, parts: parts, at: suspicion.seen, patience: 1) {
      () async throws(CaseRunner.Stop) -> Shown? in
      if suspicion.kind == .exploreValidRefused, try await !isRefusedAlone(one) { return nil }
      guard let again = try await shows(suspicion, one) else { return nil }
      let smallest = try await shrunk(one, suspicion, again)
      return (
        found(suspicion, smallest.case, smallest.performed, original: one, name: one.name),
        suspicion.kind == .exploreServerError ? smallest.performed.last?.alikeness ?? "" : ""
      )
    }
  }

  /// What a repetition showed, with an answer that is equal for equal answers.
  typealias Shown = (ExploreState.Found, answer: String)

  /// What shows again counts.
  ///
  /// - Parameters:
  ///   - parts: causes of which each alone would explain it.
  ///   - moment: when it was seen.
  ///   - again: repeats it; nil where it shows nothing.
  func confirm(
    _ claim: ExploreState.Claim, parts: [String] = [], at moment: Double? = nil, patience: Double,
    _ again: () async throws(CaseRunner.Stop) -> Shown?
  ) async throws(CaseRunner.Stop) {
    // No other user looks into it.
    guard board.claim(claim, parts: parts, at: moment) else { return }
    runner.patience = patience
    defer { runner.patience = 0 }
    do throws(CaseRunner.Stop) {
      guard let (found, answer) = try await again() else { return board.drop(claim) }
      board.confirm(claim, found, answer: answer)
    } catch {
      board.drop(claim, isRepeated: false)
      throw error
    }
  }

  /// Whether the base that the case differs from is still answered well, and identifiers that no item has change nothing.
  private func isRefusedAlone(_ one: ExploreCase) async throws(CaseRunner.Stop) -> Bool {
    if let base = board.base(of: one.call.operation) {
      guard try await runner.run(base, isFresh: true).last?.isSuccess == true else { return false }
    }
    let renamed = one.withNewIdentifiers
    guard renamed != one else { return true }
    return try await runner.run(renamed.steps, isFresh: true).last?.isSuccess != true
  }

  /// The case's requests, where they show the same again.
  private func shows(
    _ suspicion: Suspicion, _ one: ExploreCase, isFresh: Bool = true
  ) async throws(CaseRunner.Stop) -> [CaseRunner.Performed]? {
    let performed = try await runner.run(one.steps, isFresh: isFresh)
    guard let last = performed.last else { return nil }
    let isSame = Suspicion.all(one, last).contains { $0.kind == suspicion.kind && $0.cause == suspicion.cause }
    return isSame ? performed : nil
  }

  /// Leaves out of a request whatever the failure does not need.
  private func shrunk(
    _ one: ExploreCase, _ suspicion: Suspicion, _ performed: [CaseRunner.Performed]
  ) async throws(CaseRunner.Stop) -> (case: ExploreCase, performed: [CaseRunner.Performed]) {
    var best = (case: one, performed: performed)
    // Smaller requests are not worth the quota.
    guard Shrinking.helps(suspicion.kind), !board.isLimited(one.call.operation), performed.last?.failure == nil else {
      return best
    }
    var attempts = 0
    var isSmaller = true
    while isSmaller {
      isSmaller = false
      for smaller in Shrinking.steps(of: best.case) where attempts < Shrinking.most {
        attempts += 1
        do throws(CaseRunner.Stop) {
          guard let shown = try await shows(suspicion, smaller, isFresh: false) else { continue }
          best = (smaller, shown)
          isSmaller = true
          break
        } catch {
          if case .unprepared = error { continue }
          if case .unwritable = error { continue }
          return best
        }
      }
    }
    return best
  }
}

extension CaseRunner.Performed {
  /// Status and body without numbers and identifiers.
  fileprivate var alikeness: String {
    guard let answer = try? ending.get() else { return "" }
    let text = String(decoding: answer.body.prefix(400), as: UTF8.self)
    return "\(answer.status) " + text.replacing(/[0-9a-fA-F-]{6,}|\d+/, with: "#")
  }
}
