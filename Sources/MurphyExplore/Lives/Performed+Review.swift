import MurphyJSON
import MurphyModel

extension CaseRunner.Performed {
  /// Whether a read was answered as for what is not there.
  var isMissing: Bool { status == 404 || status == 410 }

  /// `"status" "in_review"`, where the response says that somebody has yet to approve what was created; nil otherwise.
  var review: String? {
    guard isSuccess, request.method == "POST", case .object(let item)? = json.map(Explorer.item) else { return nil }
    let member = item.members.first { member in
      guard Self.states.contains(where: member.key.lowercased().contains), let state = member.value.string else {
        return false
      }
      return state.lowercased().split { !$0.isLetter }.contains { Self.waiting.contains(String($0)) }
    }
    return member.map { "\"\($0.key)\" \($0.value.text)" }
  }

  private static let states = ["status", "state", "stage", "moderation", "approval"]
  private static let waiting: Set = [
    "review", "pending", "moderation", "approval", "draft", "unpublished", "unapproved", "queued",
  ]
}

extension Suspicion {
  /// The same as a note where what was created waits for review: then reads need not show it yet.
  func unless(_ review: String?) -> Suspicion {
    guard let review else { return self }
    var note = self
    note.severity = .note
    note.details.append("The creation was answered with \(review): reads may not show it before that ends.")
    return note
  }
}
