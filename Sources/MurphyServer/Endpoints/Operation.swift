/// The operations of the API, named as in its contract.
package enum Operation: String, CaseIterable, Sendable {
  case listLaws, getLaw, submitLaw, voteLaw, removeVote, getLawOfTheDay, listCategories, listAttributions
  case shareCalculation

  /// The counter that its requests are counted on.
  package var policy: LimitPolicyName {
    switch self {
    case .listLaws: .listLaws
    case .getLaw: .getLaw
    case .submitLaw: .submitLaw
    case .voteLaw, .removeVote: .votes
    case .getLawOfTheDay: .getLawOfTheDay
    case .listCategories: .listCategories
    case .listAttributions: .listAttributions
    case .shareCalculation: .shareCalculation
    }
  }
}
