import MurphyModel

/// What the run's own judges say twice: an exploration has cut it down and repeated it.
struct ExploredFindings {
  private let serverErrors: Set<String>

  init(_ found: [Finding]) {
    serverErrors = Set(found.filter { $0.kind == .exploreServerError }.compactMap(\.operation))
  }

  /// Those of the engine's findings that say something new.
  func kept(of findings: [Finding]) -> [Finding] {
    findings.filter { finding in
      guard let operation = finding.operation else { return true }
      switch finding.kind {
      // Those are meant to depart from it.
      case .contractUndocumentedOperation: return false
      case .contractStatus where finding.message.hasPrefix("status 5"): return !serverErrors.contains(operation)
      // One that does not come again says nothing, and one that does is told as `explore.no-answer`.
      case .transportClosed, .transportClosedEarly, .transportClosedIdle, .transportTimeout, .transportUnanswered,
        .transportIncomplete:
        return false
      default: return true
      }
    }
  }
}
