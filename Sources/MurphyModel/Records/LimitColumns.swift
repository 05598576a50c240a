/// Entries of a limit log as columns of numbers. Times count from the log's start.
package struct LimitColumns: Sendable, Codable {
  private var operation: PackedNumbers
  private var identity: PackedNumbers
  private var sent: PackedNumbers
  /// The time from the send to the response; -1 without one.
  private var took: PackedNumbers
  private var status: PackedNumbers
  private var headers: PackedNumbers
  private var body: PackedNumbers
  private var request: PackedNumbers

  package init(_ entries: some Collection<LimitObservation>, start: Instant) {
    operation = PackedNumbers(column: entries.map(\.operation))
    identity = PackedNumbers(column: entries.map(\.identity))
    sent = PackedNumbers(entries.map { $0.sent - start }).deltas
    took = PackedNumbers(entries.map { entry in entry.answered.map { max($0 - entry.sent, 0) } ?? -1 })
    status = PackedNumbers(column: entries.map(\.status))
    headers = PackedNumbers(column: entries.map(\.headers))
    body = PackedNumbers(column: entries.map(\.body))
    request = PackedNumbers(column: entries.map(\.request))
  }

  /// - Throws: `ColumnError` if the columns differ in length.
  package func entries(start: Instant) throws(ColumnError) -> [LimitObservation] {
    try ColumnError.check([operation, identity, sent, took, status, headers, body, request])
    let moments = sent.sums.numbers
    try ColumnError.check(moments: moments)
    try ColumnError.check(moments: took.numbers)
    return moments.indices.map { row in
      let begin = start + moments[row]
      return LimitObservation(
        operation: operation[row], identity: identity[row], sent: begin,
        answered: took.numbers[row] < 0 ? nil : begin + took.numbers[row], status: status[row], headers: headers[row],
        body: body[row], request: request[row])
    }
  }
}

/// A table with inconsistent columns: the file was changed or cut.
package struct ColumnError: Error, Sendable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  /// - Throws: an error if the columns differ in length.
  package static func check(_ columns: [PackedNumbers]) throws(ColumnError) {
    let lengths = Set(columns.map(\.numbers.count))
    guard lengths.count > 1 else { return }
    throw ColumnError("its columns have \(lengths.sorted().map(String.init).joined(separator: ", ")) rows")
  }

  /// - Throws: an error if a time is further from the load's beginning than the longest possible run, in nanoseconds.
  package static func check(moments: some Sequence<Int64>) throws(ColumnError) {
    for moment in moments where moment.magnitude > longest && moment != .max {
      throw ColumnError("an entry lies \(moment) ns from the load's beginning, longer than any run")
    }
  }

  /// Two years.
  private static let longest: UInt64 = 63_000_000_000_000_000

  /// - Throws: an error if a number of the column is not a row of a table of `count` rows.
  package static func check(rows: some Sequence<UInt32>, in table: String, of count: Int) throws(ColumnError) {
    for number in rows where Int(number) >= count {
      throw ColumnError("an entry names row \(number) of its \(table), which has \(count)")
    }
  }

  /// - Throws: an error if a number of the column is neither -1 nor a row of a table of `count` rows.
  package static func check(_ numbers: some Sequence<Int32>, in table: String, of count: Int) throws(ColumnError) {
    for number in numbers where number < -1 || Int(number) >= count {
      throw ColumnError("an entry names row \(number) of its \(table), which has \(count)")
    }
  }
}
