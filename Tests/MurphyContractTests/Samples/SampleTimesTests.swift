import MurphyContract
import MurphySchema
import Testing

/// The end of a generated period is after its beginning.
@Suite struct SampleTimesTests {
  private static let time = JSONValue.string("2026-01-31T12:00:00Z")

  @Test(arguments: [
    "endsAt", "end", "end_date", "validUntil", "expires_at", "to", "dueDate", "valid-to", "deadline", "endDateTime",
  ]) func `an end is later`(name: String) {
    #expect(SampleTimes.later(Self.time, name) == "2099-01-31T12:00:00Z")
    #expect(SampleTimes.later("2026-01-31", name) == "2099-01-31")
  }

  @Test(arguments: ["startsAt", "start", "createdAt", "updated_at", "date", "sentAt", "birthday"])
  func `another time stays`(name: String) {
    #expect(SampleTimes.later(Self.time, name) == Self.time)
  }

  @Test func `a text that is no generated time stays`() { #expect(SampleTimes.later("murphy", "end") == "murphy") }

  @Test func `an operation gets a period`() throws {
    let contract = try Contracts.load(
      """
        /silences:
          post:
            operationId: silence
            requestBody:
              content:
                application/json:
                  schema:
                    type: object
                    required: [startsAt, endsAt]
                    properties:
                      startsAt: { type: string, format: date-time }
                      endsAt: { type: string, format: date-time }
            responses: { "200": { description: fine } }
      """)
    var sample = ContractSample(contract)
    let body = sample.bodies(of: contract.operations[0]).first?.value
    #expect(body?["startsAt"] == Self.time && body?["endsAt"] == "2099-01-31T12:00:00Z", "\(body?.text ?? "")")
  }

  @Test func `an enumeration within anyOf is given`() throws {
    let contract = try Contracts.load(
      """
        /previews/{format}:
          get:
            operationId: preview
            parameters:
              - { name: format, in: path, required: true,
                  schema: { anyOf: [{ type: string, enum: [png, jpg] }, { type: "null" }] } }
            responses: { "200": { description: fine } }
      """)
    let parameter = contract.operations[0].parameters[0]
    #expect(ContractSample.given(parameter, contract) == "png")
    #expect(ContractSample.given(parameter, contract, fromEnumeration: true) == "png")
  }
}
