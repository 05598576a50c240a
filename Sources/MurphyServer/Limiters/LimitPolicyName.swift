/// The counters of the API: one for each operation, but votes given and taken back share one.
package enum LimitPolicyName: String, CaseIterable, Sendable {
  case listLaws, getLaw, getLawOfTheDay, listCategories, listAttributions, submitLaw, votes, shareCalculation

  /// Requests per minute and client, as the API's architecture document promises.
  package var allowance: Int {
    switch self {
    case .listLaws, .getLaw, .getLawOfTheDay, .listCategories, .listAttributions: 60
    case .votes: 30
    case .submitLaw: 3
    case .shareCalculation: 5
    }
  }

  var isRead: Bool { allowance == 60 }

  /// What there are too many of, in the message of a refusal.
  var noun: String {
    switch self {
    case .votes: "votes"
    case .submitLaw: "submissions"
    case .shareCalculation: "shared calculations"
    default: "requests"
    }
  }
}
