import Foundation

/// The probability that a task goes wrong: `((U+C+I) × (10−S))/20 × A × 1/(1−sin(F/10))` with A = 0.7, on a scale that
/// ends at 8.6 (British Gas, 2004), as a percentage.
struct SodsLaw: Sendable, Equatable {
  enum Grade: String, Sendable {
    case low, medium, high
  }

  var urgency: Int
  var complexity: Int
  var importance: Int
  var skill: Int
  var frequency: Int

  /// 0 to 100, with one decimal.
  var probability: Double {
    let pressure = Double((urgency + complexity + importance) * (10 - skill)) / 20
    let score = pressure * 0.7 / (1 - sin(Double(frequency) / 10))
    return (min(score / 8.6, 1) * 1000).rounded() / 10
  }

  var grade: Grade { probability < 33 ? .low : probability < 67 ? .medium : .high }
}
