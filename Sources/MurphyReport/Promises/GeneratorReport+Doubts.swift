import MurphyModel

extension GeneratorReport {
  /// Everything that murphy itself did to the run, also what leaves the verdict as it is.
  var shownDoubts: [String] {
    doubts + (reservations ?? []).map(\.sentence).filter { !doubts.contains($0) }
  }
}

extension BudgetRow {
  /// What murphy alone leaves open is in doubt, not short of data.
  var outcome: Promise.State { undecided?.cause == .generator ? .doubtful : Promise.State(verdict) }
}

extension String {
  /// A sentence as part of another one.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
