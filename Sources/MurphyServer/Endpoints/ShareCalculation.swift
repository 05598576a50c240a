import Hummingbird

/// `POST /share-calculation`: calculates Sod's Law and puts an email with the result into the outbox.
struct ShareCalculation: Endpoint {
  static let operation = Operation.shareCalculation
  let store: Store

  struct Input: Sendable {
    var email: String
    var task: String?
    var risk: SodsLaw
  }

  func read(_ request: Request, id: String?) async throws -> Input {
    let fields = try await RequestFields(
      request, known: ["email", "task", "urgency", "complexity", "importance", "skill", "frequency"])
    return Input(
      email: try fields.email("email"), task: try fields.optionalText("task", 1...500),
      risk: SodsLaw(
        urgency: try fields.integer("urgency", 1...10), complexity: try fields.integer("complexity", 1...10),
        importance: try fields.integer("importance", 1...10), skill: try fields.integer("skill", 1...10),
        frequency: try fields.integer("frequency", 1...10)))
  }

  func answer(_ input: Input, to caller: Caller) throws -> Answer {
    let task = input.task ?? "My task"
    let sentence = "\(task) has a \(input.risk.probability)% chance of going wrong! #MurphysLaw"
    try store.post(to: input.email, subject: "Sod's Law says: \(input.risk.grade.rawValue) risk", body: sentence)
    return .json(.ok) { json in
      json.object { json in
        json.name("probability")
        json.number(input.risk.probability)
        json.name("risk")
        json.string(input.risk.grade.rawValue)
        json.name("message")
        json.string(sentence)
      }
    }
  }
}
