import MurphyEngine
import MurphyModel
import Testing

/// When responses 401 end the load, and what only looks like credentials that stopped working: simulated requests, seconds
/// in, seconds out. A false end of a run is worse than a late one.
@Suite struct CredentialWatchTests {
  /// What one request of the load meets.
  struct Response {
    var operation = 0
    var status = 200
    /// When the session of the request began.
    var session = 0.0
    var isHandled = false
    var hasCredentials = true
    var hasLimitFields = false
  }

  static let read = 0
  static let write = 1
  static let admin = 2
  static let open = 3
  static let login = 4

  /// The second at which the load is ended; nil when it is not.
  ///
  /// - Parameters:
  ///   - isRenewed: sessions get credentials of their own.
  ///   - isShared: all sessions have the same credentials.
  ///   - isLimitedBy403: a limit is declared to reject with 403.
  ///   - duration: of the load, seconds.
  ///   - response: to the request of this number, and of this second of the load.
  static func end(
    loops: Int = 2, isRenewed: Bool = false, isShared: Bool = false, isLimitedBy403: Bool = false, rate: Int = 20,
    duration: Int = 60, of response: (Int, Double) -> Response?
  ) -> Double? {
    let isOpen = (0...login).map { $0 == open || $0 == login }
    var recorders = (0..<loops).map { _ in
      CredentialRecorder(
        isOpen: isOpen, isLogin: (0...login).map { $0 == login },
        isLimitedBy403: Array(repeating: isLimitedBy403, count: isOpen.count))
    }
    let watch = CredentialWatch(isRenewed: isRenewed, isShared: isShared)
    func nanoseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e9) }
    for number in 0..<duration * rate {
      let now = Double(number) / Double(rate)
      // The loop leaves out what a rate limit rejected.
      if let response = response(number, now), response.status != 429 {
        recorders[number % loops].recordResponse(
          response.operation, status: response.status, sent: nanoseconds(now), at: nanoseconds(now + 0.02),
          session: nanoseconds(response.session), isHandled: response.isHandled,
          hasLimitFields: response.hasLimitFields, hasCredentials: response.hasCredentials)
      }
      guard (number + 1).isMultiple(of: rate) else { continue }
      let standings = recorders.map { recorder in
        var standing = recorder.standing
        standing.published = nanoseconds(now)
        return standing
      }
      let isOver = number + 1 == duration * rate
      if watch.lost(standings, isOver: isOver) != nil { return now }
    }
    return nil
  }

  /// Reads and writes in turn.
  static func plain(_ number: Int, _ status: Int = 200, session: Double = 0) -> Response {
    Response(operation: number / 2 % 2, status: status, session: session)
  }

  @Test(arguments: [1, 2, 4]) func `a token that everybody shares and that dies ends the load`(loops: Int) throws {
    let end = try #require(Self.end(loops: loops) { Self.plain($0, $1 < 10 ? 200 : 401) })
    #expect((15...17).contains(end))
  }

  @Test func `the only operation that worked is enough`() throws {
    let end = try #require(Self.end { Response(status: $1 < 10 ? 200 : 401) })
    #expect((15...17).contains(end))
  }

  @Test func `what the contract leaves open does not hide it`() throws {
    let end = Self.end { $0 % 3 == 0 ? Response(operation: Self.open) : Self.plain($0, $1 < 10 ? 200 : 401) }
    #expect(end != nil)
  }

  @Test func `users who log in anew and are rejected end it, users who are let in again do not`() {
    // Each session lasts for 4 s; from second 20 on no token is accepted.
    func session(_ now: Double) -> Double { (now / 4).rounded(.down) * 4 }
    #expect(Self.end(isRenewed: true) { Self.plain($0, $1 < 20 ? 200 : 401, session: session($1)) } != nil)
    // Tokens live for half a session.
    #expect(
      Self.end(isRenewed: true) { Self.plain($0, $1 - session($1) < 2 ? 200 : 401, session: session($1)) } == nil)
    // All tokens die at once, and the sessions that hold them go on for long; nobody has logged in since.
    #expect(Self.end(isRenewed: true) { Self.plain($0, $1 < 20 ? 200 : 401, session: 1) } == nil)
  }

  @Test func `a token that a step renews on 401 ends nothing`() {
    // `on: { 401: … }` handles it; the next request has a new token.
    #expect(
      Self.end { number, now in
        var response = Self.plain(number, Int(now) % 10 < 7 ? 200 : 401)
        response.isHandled = true
        return response
      } == nil)
    // Each token lives for 3 s; whoever is rejected renews it within a second.
    #expect(Self.end(isRenewed: true) { Self.plain($0, Int($1) % 4 < 3 ? 200 : 401) } == nil)
  }

  @Test func `a session that logs out at its end by script ends nothing`() {
    // Its last step reads once more and is rejected; sessions overlap.
    #expect(Self.end(isRenewed: true) { Self.plain($0, $0 % 5 == 4 ? 401 : 200, session: $1 - 1) } == nil)
    // Sessions follow one another, each of 8 s, logged out for the last four.
    #expect(
      Self.end(isRenewed: true) { number, now in
        let begin = (now / 8).rounded(.down) * 8
        if now == begin { return Response(operation: Self.login, session: begin) }
        return Self.plain(number, now - begin < 4 ? 200 : 401, session: begin)
      } == nil)
  }

  @Test func `one banned user of many ends nothing`() {
    #expect(Self.end { Self.plain($0, $1 > 10 && $0 % 10 != 0 ? 401 : 200, session: $1) } == nil)
  }

  @Test func `users with different rights end nothing`() {
    // Users who may not do what others may; from second 20 on only they are there, and all they get is 403.
    #expect(
      Self.end { number, now in
        Response(operation: number / 2 % 3, status: now < 20 ? 200 : 403, session: now)
      } == nil)
    // Some are told so by a 401; what they may do works.
    #expect(
      Self.end { number, now in
        number % 4 == 0 ? Response(operation: Self.read) : Response(operation: Self.admin, status: now < 5 ? 200 : 401)
      } == nil)
  }

  @Test func `a limiter that responds 403 ends nothing`() {
    #expect(Self.end { Self.plain($0, Int($1) % 30 < 4 ? 200 : 403) } == nil)
    #expect(Self.end { Self.plain($0, $1 < 10 ? 200 : 403) } == nil)
    // Nor does one that answers 429, and neither hides that credentials died.
    #expect(Self.end { Self.plain($0, $1 < 10 ? 200 : 429) } == nil)
    #expect(Self.end { Self.plain($0, $1 < 10 ? 200 : [401, 403, 429][$0 % 3]) } != nil)
  }

  @Test(arguments: [1, 2]) func `one user of all sessions who is forbidden everything for 30 seconds ends the load`(
    loops: Int
  ) throws {
    let end = try #require(Self.end(loops: loops, isShared: true) { Self.plain($0, $1 < 10 ? 200 : 403) })
    #expect((40...42).contains(end))
    // A share of them is told so by 401.
    let mixed = try #require(
      Self.end(loops: loops, isShared: true) { Self.plain($0, $1 < 10 ? 200 : 401 + $0 % 2 * 2) })
    #expect((15...17).contains(mixed), "401 alone is enough")
  }

  @Test func `ten seconds of 403 at the end of the load are enough`() {
    #expect(Self.end(isShared: true, duration: 25) { Self.plain($0, $1 < 10 ? 200 : 403) } != nil)
    #expect(Self.end(isShared: true, duration: 18) { Self.plain($0, $1 < 10 ? 200 : 403) } == nil)
  }

  @Test func `responses 403 that credentials do not explain end nothing`() {
    func end(
      isLimitedBy403: Bool = false, _ change: (inout Response, Int, Double) -> Void = { _, _, _ in }
    ) -> Double? {
      Self.end(isShared: true, isLimitedBy403: isLimitedBy403) { number, now in
        var response = Self.plain(number, now < 10 ? 200 : 403)
        change(&response, number, now)
        return response
      }
    }
    #expect(end() != nil)
    #expect(end(isLimitedBy403: true) == nil, "a limit is declared to reject so")
    #expect(end { response, _, _ in response.hasLimitFields = true } == nil, "a limiter says so")
    #expect(end { response, _, _ in response.isHandled = true } == nil, "a step expects it")
    #expect(
      end { response, number, _ in if number.isMultiple(of: 7) { response.operation = Self.open } } == nil,
      "a firewall rejects requests without credentials, too")
    #expect(
      end { response, number, _ in
        if number.isMultiple(of: 200) { response.status = 200 }
      } == nil, "some succeed")
    #expect(end { response, _, now in response.status = (10..<35).contains(now) ? 403 : 200 } == nil, "it stops again")
    #expect(
      end { response, _, now in
        if now < 10 { response.operation = Self.read } else { response.operation = Self.admin }
      } == nil, "the forbidden operations had never succeeded")
  }

  @Test func `an API that rejects anonymous users by design ends nothing`() {
    // Users with a token come for 20 s, anonymous ones after that.
    #expect(
      Self.end { number, now in
        var response = Self.plain(number, now < 20 ? 200 : 401)
        response.hasCredentials = now < 20
        return response
      } == nil)
    // Nobody was ever let in.
    #expect(Self.end { number, _ in Self.plain(number, 401) } == nil)
  }

  @Test func `an authentication that fails for a few seconds ends nothing`() {
    // A fault of the API, which its findings tell.
    #expect(Self.end { Self.plain($0, (20..<24).contains($1) ? 401 : 200) } == nil)
  }

  @Test func `few rejections end nothing`() {
    #expect(
      Self.end(rate: 2) { number, now in now < 30 || number % 4 == 0 ? Self.plain(number, now < 30 ? 200 : 401) : nil }
        == nil)
  }
}
