import MurphyModel

/// The first screen: the word, why, and the few numbers that say how big the run was.
struct VerdictSection {
  let result: RunResult

  var markup: Markup {
    element(.header, .class("verdict \(result.verdict.rawValue)")) {
      element(.p, .class("kicker")) {
        element(.strong, text: "murphy")
        " · \(result.run.target) · \(started)"
      }
      element(.h1) {
        element(.span, .class("word"), text: result.verdict.word)
        element(.span, .class("spoken"), text: ": ")
        element(.span, .class("scenario"), text: result.run.scenario)
      }
      element(.p, .class("answer"), text: result.answer)
      if !result.reasons.isEmpty {
        element(.ul, .class("reasons")) { for reason in result.reasons.prefix(8) { element(.li, text: reason) } }
        if result.reasons.count > 8 {
          element(.p, .class("cut"), text: "and \(counted(result.reasons.count - 8, "more reason"))")
        }
      }
      KeyFigures(result: result).markup
    }
  }

  /// `2026-11-21 02:14 UTC` of an RFC 3339 time; any other text as it is.
  private var started: String {
    let text = result.run.started
    guard text.count >= 16, text.dropFirst(10).first == "T" else { return text }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
  }
}

extension RunResult {
  /// The answer to "may this release go out?" in a sentence.
  package var answer: String {
    let promises = promises
    let broken = promises.count { $0.outcome == .broken }
    switch verdict {
    case .pass:
      let open = promises.count { $0.outcome == .unchecked }
      return "This release may go out: \(counted(promises.count { $0.outcome == .kept }, "promise")) kept, none broken"
        + (open == 0 ? "." : ", \(open) not checked in full.")
    case .fail:
      return broken == 0
        ? "This release may not go out."
        : "This release may not go out: \(broken) of \(counted(promises.count { $0.outcome != .untested }, "promise")) broken."
    case .invalid:
      return "No verdict on the API: " + (run.cutShort ? "the run was cut short." : "murphy itself was the bottleneck.")
    case .noData:
      let open = promises.count { $0.outcome == .noData }
      return "No verdict on the API: "
        + (open == 0 ? "too few samples." : "\(counted(open, "promise")) could not be decided.")
    }
  }
}
