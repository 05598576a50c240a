import MurphyModel
import MurphyScenario
import Testing

/// The defaults that docs/scenario/ states against the reader: a scenario without a key is read like one with the
/// stated default, and unlike one with another value.
@Suite struct DefaultTests {
  /// A key in a scenario. `KEY` in the text is the place of the key.
  struct Place: Sendable, CustomTestStringConvertible {
    var key: String
    var text: String
    /// A value that is not the default.
    var other: String
    /// The default as the scenario writes it, if the page describes it in words.
    var written: String?
    /// What stands at the place of a missing key.
    var missing = "x-none: 0"

    var testDescription: String { key }
  }

  @Test func `each stated default is tested`() {
    #expect(Set(LanguageReference.defaults.keys) == Set(Self.places.map(\.key)).union(Self.ofJudges))
    #expect(Self.places.count == Set(Self.places.map(\.key)).count)
  }

  @Test(arguments: places) func `a missing key means its stated default`(place: Place) throws {
    let stated = try #require(LanguageReference.defaults[place.key], "the page states no default")
    let name = place.key.split(separator: ".").last.map(String.init) ?? ""
    let missing = try Self.read(place.text, place.missing)
    let written = try Self.read(place.text, "\(name): \(place.written ?? stated)")
    let other = try Self.read(place.text, "\(name): \(place.other)")
    #expect(written == missing)
    #expect(other != missing)
  }

  /// Everything that the reader found, except the places in the file.
  private static func read(_ text: String, _ key: String) throws -> [String] {
    let files = ["laws.csv": "text\none\n", "photo.png": "PNG"]
    return values(try LawsAPI.read(text.replacing("KEY", with: key), files: files), "scenario")
  }

  private static func values(_ value: Any, _ path: String) -> [String] {
    if value is SourceMark || value is Diagnostic || value is [String: Diagnostic] || value is [Diagnostic] {
      return []
    }
    let children = Mirror(reflecting: value).children
    return children.isEmpty
      ? ["\(path) = \(value)"] : children.flatMap { values($0.value, "\(path).\($0.label ?? "")") }
  }
}

extension DefaultTests {
  private static func head(_ key: String, _ head: String, _ other: String, written: String? = nil) -> Place {
    Place(key: key, text: LawsAPI.scenario(steps: "- call: listLaws", head: head), other: other, written: written)
  }

  private static func step(_ key: String, _ step: String, _ other: String, written: String? = nil) -> Place {
    Place(key: key, text: LawsAPI.scenario(steps: "- \(step)"), other: other, written: written)
  }

  private static func state(_ key: String, _ other: String) -> Place {
    let ledger =
      "{ ledger: votes, key: path.id, voter: header.X-Device-ID, write: { voteLaw: up }, read: { getLaw: { up: $.up } }, KEY }"
    return Place(
      key: "invariant.\(key)",
      text: LawsAPI.scenario(
        steps: "- { call: voteLaw, path: { id: 1 }, body: { vote_type: up } }", head: "expect: { state: [\(ledger)] }"),
      other: other)
  }

  private static let oauth2 = "client: { auth: { oauth2: { token-url: /t, client-id: a, client-secret: b, KEY } } }"
  private static let retry = "{ call: listLaws, retry: { on: [503], KEY } }"
  private static let typing = "{ type: toast, every: 100ms, call: listLaws, query: { q: \"${typed}\" }, KEY }"
  private static let feed = "feeds: { laws: { file: laws.csv, KEY } }"
  private static let part = "{ call: submitLaw, multipart: { photo: { file: photo.png, KEY } } }"
  private static let limit = "expect: { limits: { listLaws: { allow: 3, per: 1s, key: ip, KEY } } }"
  private static let count = "expect: { limits: { listLaws: { allow: 3, per: 1s, key: ip, count: { KEY } } } }"

  /// The judges decide what these keys mean if they are missing.
  static let ofJudges: Set = ["relation.stale", "relation.walk", "invariant.stale"]

  static let places: [Place] = [
    head("settings.timeout", "settings: { KEY }", "31s"),
    head("settings.connect-timeout", "settings: { KEY }", "6s"),
    head("settings.max-body", "settings: { KEY }", "9MB"),
    head("settings.http", "settings: { KEY }", "2"),
    head("settings.redirects", "settings: { KEY }", "1"),
    head("settings.compression", "settings: { KEY }", "false"),
    head("settings.tracing", "settings: { KEY }", "1%"),
    head("settings.grace", "settings: { KEY }", "11s"),
    head("settings.abort-after", "settings: { KEY }", "11s"),
    head("abort-after.silence", "settings: { abort-after: { KEY } }", "11s"),
    head("abort-after.lost", "settings: { abort-after: { KEY } }", "30s"),
    head("client.cookies", "client: { KEY }", "false"),
    head("client.connections", "client: { KEY }", "reuse"),
    head("api-key.in", "client: { auth: { api-key: { name: X, value: a, KEY } } }", "query"),
    head("oauth2.grant", oauth2, "password, user: a, password: b"),
    head("oauth2.client-auth", oauth2, "body"),
    head("feed.order", feed, "random"),
    head("feed.at-end", feed, "stop"),
    head("feed.per", feed, "user"),
    Place(
      key: "session.share",
      text: """
        name: test
        contract: openapi.yaml
        sessions: { one: { steps: [{ call: listLaws }], KEY } }
        load: [{ hold: 1/s, for: 1s }]
        """, other: "2"),
    step("poll.times", "{ poll: 1s, until: \"${answer.status == 200}\", call: listLaws, KEY }", "5"),
    step("type.newer", typing, "waits"),
    step("type.at-least", typing, "2"),
    step("way.share", "{ choose: [{ call: getLawOfTheDay }, { call: listLaws, KEY }] }", "2"),
    step("request.method", "{ call: { url: /health, KEY } }", "HEAD"),
    Place(
      key: "call.stream", text: LawsAPI.scenario(steps: "- { call: listLaws, KEY }"), other: "2s",
      missing: "stream: { x-none: 0 }"),
    step("multipart-part.name", part, "other.png", written: "photo.png"),
    step("multipart-part.type", part, "text/plain", written: "image/png"),
    step("retry.times", retry, "3"),
    step("retry.wait", retry, "1s"),
    step("retry.factor", retry, "3"),
    step("retry.longest", retry, "40s"),
    step("retry.jitter", retry, "10%"),
    step("retry.retry-after", retry, "ignored"),
    step("stream.for", "{ call: listLaws, stream: { KEY } }", "2s"),
    step("check.on-failure", "{ call: listLaws, expect: { status: 200, KEY } }", "continue"),
    Place(
      key: "load.arrivals",
      text: LawsAPI.scenario(steps: "- call: listLaws", load: "{ stages: [{ hold: 1/s, for: 1s }], KEY }"),
      other: "poisson"),
    head("expect.errors", "expect: { KEY }", "2%"),
    head("expect.completed", "expect: { KEY }", "95%"),
    head("expect.connections", "expect: { KEY }", "reused >= 90%", written: "off"),
    head("expect.called", "expect: { KEY }", "off"),
    head("expect.sessions", "expect: { KEY }", "off"),
    head("limit.algorithm", limit, "fixed"),
    head("limit.refusals", limit, "[503]", written: "[429]"),
    head("count.failed", count, "yes"),
    head("count.refused", count, "yes"),
    state("rule", "toggle"),
    state("within", "10s"),
    state("final", "off"),
  ]
}
