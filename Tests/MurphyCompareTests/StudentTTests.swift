import MurphyCompare
import Testing

/// Against scipy.stats.t.
@Suite struct StudentTTests {
  struct Row: Sendable {
    var freedom: Int
    var quantiles: [Double]
    var below: Double
  }

  static let rows = [
    Row(freedom: 1, quantiles: [6.313751514675037, 31.820515953773935, 79.57328271164434], below: 0.7912855998398473),
    Row(
      freedom: 2, quantiles: [2.9199855803537242, 6.9645567342832715, 11.113145730715873], below: 0.8383764840919798),
    Row(freedom: 7, quantiles: [1.8945786050900062, 2.9979515668685277, 3.666613164195424], below: 0.8826160823038114),
    Row(freedom: 29, quantiles: [1.6991270265334972, 2.4620213601504126, 2.848269923153056], below: 0.898080408168985),
  ]

  @Test(arguments: rows) func agreesWithScipy(row: Row) {
    let student = StudentT(freedom: row.freedom)
    for (share, expected) in zip([0.95, 0.99, 0.996], row.quantiles) {
      #expect(abs(student.quantile(share) / expected - 1) < 1e-9)
      #expect(abs(student.quantile(1 - share) / -expected - 1) < 1e-9)
    }
    #expect(abs(student.probability(below: 1.3) - row.below) < 1e-12)
    #expect(abs(student.probability(below: -1.3) - (1 - row.below)) < 1e-12)
  }
}
