import MurphyScenario
import Testing

@Suite struct StepReadingTests {
  @Test func `an operation may be named by method and path`() throws {
    let scenario = try LawsAPI.read(LawsAPI.scenario(steps: "- call: get /laws/{id}\n  path: { id: 1 }"))
    let call = try #require(scenario.sessions[0].steps[0].calls.first)
    #expect(call.operation == OperationReference(id: "getLaw", index: 2))
  }

  @Test func `reactions follow the status`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - call: getLaw
            path: { id: 1 }
            expect: { status: [404, 2XX] }
            on: { 429: wait, 5XX: continue, error: continue }
          - call: listLaws
          """))
    let careful = try #require(scenario.sessions[0].steps[0].calls.first)
    let plain = try #require(scenario.sessions[0].steps[1].calls.first)
    #expect(
      [200, 404, 400, 429, 503].map { careful.reaction(to: $0, isRejected: $0 == 429) } == [
        .proceed, .proceed, .end, .wait, .proceed,
      ])
    #expect(
      [200, 302, 404, 429, 503].map { plain.reaction(to: $0, isRejected: $0 == 429) } == [
        .proceed, .proceed, .end, .proceed, .end,
      ])
    #expect(careful.reactionToTransportFailure == .proceed)
    #expect(plain.reactionToTransportFailure == .end)
    #expect(careful.savesFrom(404) && !careful.savesFrom(400) && plain.savesFrom(201))
  }

  @Test func `the word present and the text present are told apart`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - call: listLaws
            expect:
              body:
                $.a: present
                $.b: "present"
                $.c: absent
                $.d: { equals: absent }
                $.e: { present: false }
                $.f: { type: Point, coordinates: [1, 2] }
                $.g: { equals: { type: string } }
                $.h: { type: string }
          """))
    let call = try #require(scenario.sessions[0].steps[0].calls.first)
    #expect(
      call.checks.body.map { "\($0.path) \($0.condition.text)" } == [
        "$.a to be present", "$.b to be \"present\"", "$.c to be absent", "$.d to be \"absent\"", "$.e to be absent",
        "$.f to be {\"type\":\"Point\",\"coordinates\":[1,2]}", "$.g to be {\"type\":\"string\"}",
        "$.h to be of type string",
      ])
  }

  @Test func `every call knows its number`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - think: 1s
          - repeat: 2
            steps: [{ think: 1s }, { call: listLaws }]
          - if: "${status == 200}"
            call: listLaws
            else: [{ call: listLaws }]
          - choose: [{ call: listLaws }, { steps: [{ call: listLaws }] }]
          """))
    #expect(
      scenario.sessions[0].steps.flatMap(\.calls).map(\.number) == ["2.2", "3", "3.else.1", "4.way1", "4.way2.1"])
  }

  @Test func `reactions that change nothing are warned about`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - call: listLaws
            on: { 2XX: continue, 429: continue, 404: end, 4XX: continue, 418: wait, 5XX: end, error: end }
          - call: listLaws
            expect: { status: 200 }
            on: { 429: wait, 200: continue }
          - call: listLaws
            expect: { status: 200, on-failure: continue }
            on: { 429: wait, 5XX: continue, 503: end }
          - call: listLaws
            expect: { status: 404 }
            on: { 404: end, error: continue }
          """))
    let anyway = "after such a response, the session"
    #expect(
      scenario.warnings.map(\.message) == [
        "2XX: continue has no effect: \(anyway) continues anyway",
        "429: continue has no effect: \(anyway) continues anyway",
        "418: wait has no effect: an earlier entry applies to each of these statuses",
        "429: wait has no effect: `expect: status` does not contain this status, so the response ends the session; add "
          + "the status, or write on-failure: continue", "200: continue has no effect: \(anyway) continues anyway",
        "503: end has no effect: an earlier entry applies to each of these statuses",
      ])
    #expect(scenario.warnings.allSatisfy { $0.sourceLine != nil })
  }

  @Test func `a request outside of the contract that is an operation is warned about`() throws {
    let scenario = try LawsAPI.read(
      LawsAPI.scenario(
        steps: """
          - call: listLaws
            save: { ids: "$.data[*].id" }
          - call: { method: POST, url: "/laws/${pick(ids)}/vote?x=1" }
          - call: { url: "/laws/${ids[0] / 2}" }
          - call: { method: POST, url: /laws/1/votes }
          - call: { method: PUT, url: /laws/1 }
          """))
    let tail =
      "of the contract; murphy does not check the responses of this request. To check the responses, write call:"
    #expect(
      scenario.warnings.map(\.message) == [
        "POST /laws/{pick(ids)}/vote?x=1 is the operation voteLaw \(tail) voteLaw",
        "GET /laws/{ids[0] / 2} is the operation getLaw \(tail) getLaw",
      ])
    #expect(scenario.undocumentedRequests.map(\.id).count == 4)
  }
}
