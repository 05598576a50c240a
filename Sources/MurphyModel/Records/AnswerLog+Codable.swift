extension AnswerLog: Codable {
  private enum CodingKeys: String, CodingKey { case gaps, losses, waits, absences, writes, uncounted }

  package init(from decoder: any Decoder) throws {
    self.init()
    let values = try decoder.container(keyedBy: CodingKeys.self)
    gaps = try values.decode([AnswerGap].self, forKey: .gaps)
    losses = try values.decode(LossColumns.self, forKey: .losses).entries
    waits = try values.decode(WaitColumns.self, forKey: .waits).entries
    absences = try values.decode([Absence].self, forKey: .absences)
    writes = try values.decodeIfPresent(WriteTrail.self, forKey: .writes) ?? WriteTrail()
    uncounted = try values.decode(Int.self, forKey: .uncounted)
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(gaps, forKey: .gaps)
    try values.encode(LossColumns(losses), forKey: .losses)
    try values.encode(WaitColumns(waits), forKey: .waits)
    try values.encode(absences, forKey: .absences)
    try values.encode(writes, forKey: .writes)
    try values.encode(uncounted, forKey: .uncounted)
  }
}

/// Seconds that were whole nanoseconds are restored as the same number.
private func nanoseconds(_ seconds: Double) -> Int64 { Int64(saturating: (seconds * 1e9).rounded()) }

private struct LossColumns: Codable {
  var operation: PackedNumbers
  /// The kinds of `kind`, by their numbers there.
  var kinds: [FindingKind]
  var kind: PackedNumbers
  var sent: PackedNumbers
  var took: PackedNumbers

  init(_ losses: [LostRequest]) {
    let kinds = Array(Set(losses.compactMap(\.kind))).sorted { $0.rawValue < $1.rawValue }
    operation = PackedNumbers(column: losses.map(\.operation))
    kind = PackedNumbers(column: losses.map { loss in loss.kind.flatMap(kinds.firstIndex) ?? -1 })
    sent = PackedNumbers(losses.map { nanoseconds($0.sent) }).deltas
    took = PackedNumbers(losses.map { nanoseconds($0.ended).subtracting(nanoseconds($0.sent)) })
    self.kinds = kinds
  }

  var entries: [LostRequest] {
    get throws {
      try ColumnError.check([operation, kind, sent, took])
      return zip(operation.numbers.indices, sent.sums.numbers).map { row, begin in
        let number: Int = kind[row]
        return LostRequest(
          operation: operation[row], kind: kinds.indices.contains(number) ? kinds[number] : nil,
          sent: Double(begin) / 1e9,
          ended: Double(begin &+ took.numbers[row]) / 1e9)
      }
    }
  }
}

private struct WaitColumns: Codable {
  var operation: PackedNumbers
  var sent: PackedNumbers
  var took: PackedNumbers
  var isAnswered: PackedNumbers

  init(_ waits: [WaitingRequest]) {
    operation = PackedNumbers(column: waits.map(\.operation))
    sent = PackedNumbers(waits.map { nanoseconds($0.sent) }).deltas
    took = PackedNumbers(waits.map { nanoseconds($0.ended).subtracting(nanoseconds($0.sent)) })
    isAnswered = PackedNumbers(column: waits.map { $0.isAnswered ? 1 : 0 })
  }

  var entries: [WaitingRequest] {
    get throws {
      try ColumnError.check([operation, sent, took, isAnswered])
      return zip(operation.numbers.indices, sent.sums.numbers).map { row, begin in
        WaitingRequest(
          operation: operation[row], sent: Double(begin) / 1e9, ended: Double(begin &+ took.numbers[row]) / 1e9,
          isAnswered: isAnswered.numbers[row] != 0)
      }
    }
  }
}
