/// A few seconds in which every operation is called, errors and refusals included: what each fault needs to show.
enum EveryOperation {
  static let budgets = """
    {
      budgets: {
        getLaw: { p50: 400ms, p95: 800ms },
        listLaws: { p50: 400ms, p95: 800ms },
        voteLaw: { p50: 400ms, p95: 800ms },
        "*": { errors: 0.1%, p95: 900ms, p99: 1200ms }
      }
    }
    """

  /// Nothing that a busy machine can break.
  static let timeless = "{ errors: off, completed: off, called: off, sessions: off }"

  /// Two seconds of load, and every response is waited for: what is found does not depend on when responses come.
  static let patient = scenario(for: "2s").replacing("{ timeout: 3s, grace: 4s }", with: "{ timeout: 60s, grace: 60s }")

  static func scenario(
    arrivals: String = "12/s", for duration: String = "3s", expect: String = budgets
  ) -> String {
    """
    name: Every operation
    contract: CONTRACT
    target: embedded:murphys-laws
    client:
      headers: { X-Device-ID: "${uuid()}" }
    settings: { timeout: 3s, grace: 4s }
    sessions:
      tour:
        share: 90
        steps:
          - call: getLawOfTheDay
          - call: listLaws
            query: { limit: 25 }
            save: { ids: "$.data[*].id" }
          - call: getLaw
            path: { id: "${pick(ids)}" }
          - call: getLaw
            path: { id: 999999 }
            expect: { status: 404 }
          - call: listCategories
          - call: listAttributions
          - call: voteLaw
            path: { id: "${ids[0]}" }
            body: { vote_type: up }
          - call: removeVote
            path: { id: "${ids[0]}" }
          - call: submitLaw
            body: { text: "Whatever can be tested will fail on a Friday.", category_id: 1 }
          - call: shareCalculation
            body:
              { email: a@example.com, task: Testing, urgency: 1, complexity: 2, importance: 3, skill: 4, frequency: 5 }
          - set: { device: "${uuid()}" }
          - call: registerDevice
            body: { device_id: "${device}", token: fcm-0001, platform: ios }
          - call: setPreferences
            body: { device_id: "${device}", notification_enabled: true, notification_time: "10:00" }
          - call: getPreferences
            query: { device_id: "${device}" }
          - call: unregisterDevice
            body: { device_id: "${device}" }
      overdo:
        share: 10
        steps:
          - burst: 40
            over: 1s
            call: voteLaw
            path: { id: "${int(1, 100)}" }
            body: { vote_type: up }
    load:
      - { hold: \(arrivals), for: \(duration) }
    expect: \(expect.replacing("\n", with: " "))
    """
  }
}
