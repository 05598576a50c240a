import MurphyModel

extension JudgedPolicy {
  /// The other terms of the policy. Each passes only where this traffic would have revealed a limiter that violates it.
  ///
  /// - Parameter strength: the sensitivity of this traffic; nil where the log cannot determine it.
  func claims(_ strength: LimitStrength?) -> [LimitTest] {
    LimitTest.Name.allCases.compactMap { name in
      guard !name.isSeen, let (isShown, sentence) = claim(name, strength) else { return nil }
      return LimitTest(
        test: name, outcome: isShown ? .kept : .notTested, sentence: sentence, required: policy.requires(name.aspect))
    }
  }

  /// Nil for a term that the policy does not contain.
  private func claim(_ name: LimitTest.Name, _ strength: LimitStrength?) -> (isShown: Bool, sentence: String)? {
    if let wrong = name.wrong {
      guard wrong.isWrong(for: policy) else { return nil }
      guard let strength else { return (false, Self.unknown) }
      let exposure = strength.mutants.first { $0.limiter == wrong }?.exposure ?? .not
      let adverb = exposure == .surely ? "" : exposure == .perhaps ? "not always " : "not "
      return (exposure == .surely, "a limiter with \(wrong.text) would \(adverb)have been detected")
    }
    guard policy.algorithm != .any else { return nil }
    guard let others = strength?.alsoFits else { return (false, Self.unknown) }
    guard let last = others.last else { return (true, "no other algorithm matches with this quota and window") }
    let list = others.dropLast().map(\.text).joined(separator: ", ")
    return (
      false, list.isEmpty ? "\(last.text) also matches" : "\(list) and \(last.text) also match"
    )
  }

  private static let unknown = "not measured in this run"
}

extension LimitProof.Violation {
  /// The test that such a proof fails.
  var test: LimitTest.Name {
    switch self {
    case .overAdmission: .reached
    case .overThrottling: .held
    case .contradictory: .renewed
    }
  }
}

extension [LimitTest] {
  /// `Seen: reached, held. Not tested: renewed (no refused key was admitted again).`
  var text: String {
    // Without a rejection, the first sentence is sufficient.
    if let first, allSatisfy({ $0.outcome == .notTested || !$0.test.isSeen }) {
      return "Not tested: \(first.sentence)."
    }
    func list(_ outcome: LimitTest.State, _ label: String, isSeen: Bool? = nil) -> String? {
      let some = filter { $0.outcome == outcome && (isSeen ?? $0.test.isSeen) == $0.test.isSeen }
      guard !some.isEmpty else { return nil }
      return "\(label): " + some.map { "\($0.test.text) (\($0.sentence))" }.joined(separator: ", ") + "."
    }
    return [
      list(.broken, "Failed"), list(.kept, "Seen", isSeen: true), list(.kept, "Checked", isSeen: false),
      list(.notTested, "Not tested"),
    ].compactMap(\.self).joined(separator: " ")
  }
}
