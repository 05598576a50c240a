import Foundation

extension LawEndpoints {
  /// `POST /share-calculation`: calculates Sod's Law and puts an email with the result into the outbox.
  func shareCalculation(_ incoming: Incoming) async throws -> Work {
    let fields = try await incoming.fields(
      ["email", "task", "urgency", "complexity", "importance", "skill", "frequency"])
    let email = try fields.email("email")
    let task = try fields.optionalText("task", 1...500) ?? "My task"
    let risk = SodsLaw(
      urgency: try fields.integer("urgency", 1...10), complexity: try fields.integer("complexity", 1...10),
      importance: try fields.integer("importance", 1...10), skill: try fields.integer("skill", 1...10),
      frequency: try fields.integer("frequency", 1...10))
    return Work {
      let sentence = "\(task) has a \(risk.probability)% chance of going wrong! #MurphysLaw"
      try store.post(to: email, subject: "Sod's Law says: \(risk.grade.rawValue) risk", body: sentence)
      return .json(.ok) { json in
        json.name("probability")
        json.number(risk.probability)
        json.member("risk", risk.grade.rawValue)
        json.member("message", sentence)
      }
    }
  }
}

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
