import Foundation
import Murphy
import Testing

/// `murphy import` of scripts of k6: what is known from the text becomes a scenario, and all else is listed with its line.
@Suite struct K6ImportTests {
  private static let contract = "\(Repository.scenarios)/openapi.yaml"

  private static func imported(
    _ script: String, _ body: (String, Program.Outcome, String) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      try script.write(toFile: folder + "/laws.js", atomically: true, encoding: .utf8)
      let outcome = try await Program().run([
        "import", folder + "/laws.js", "--openapi", contract, "--target", "embedded:murphys-laws", "--operation",
        "voteLaw", "--operation", "removeVote", "-o",
        folder + "/out.yaml",
      ])
      #expect(outcome.status == 0, "\(outcome.errors)")
      try await body(try String(contentsOfFile: folder + "/out.yaml", encoding: .utf8), outcome, folder + "/out.yaml")
    }
  }

  private static let script = #"""
    import http from 'k6/http';
    import { check, group, sleep } from "k6"; // not { run }
    /* const HIDDEN = http.get('http://evil.test') */
    const BASE = __ENV.BASE_URL || 'http://laws.test';
    const api = `${BASE}/api/v1`
    const trend = new Trend('x');
    export const options = {
      stages: [{ duration: '5s', target: 4 }, { duration: '1m10s', target: 4 }, { duration: '5s', target: 0 }],
      thresholds: { http_req_duration: ['p(95)<500', 'p(99) < 900'], http_req_failed: ['rate<0.01'], checks: ['rate>0.9'] },
    };

    export default function () {
      const params = { headers: { 'Content-Type': 'application/json', 'X-Trace': 'vu-' + __VU }, tags: { name: 'x' } };
      const list = http.get(api + '/laws?limit=5&sort=score')
      check(list, {
        'is fine': (r) => r.status === 200,
        'is quick': r => r.timings.duration < 200,
      });
      const id = list.json('data.0.id');
      const second = JSON.parse(list.body).data[1]['id'];
      sleep(Math.random() * 2 + 1);
      group('vote', function () {
        for (let i = 0; i < 2; i++) {
          http.post(`${api}/laws/${id}/vote`, JSON.stringify({ vote_type: 'up' }), params);
        }
        const gone = http.get(`${api}/laws/999999`, params);
        check(gone, { 'is gone': function (r) { return r.status == 404; } });
      });
      if (list.status !== 200) {
        http.get(api + '/never');
        return;
      }
      let kind = 'down';
      kind = pickKind(/[}'"]/g, kind);
      http.post(api + '/laws/1/vote', JSON.stringify({ vote_type: kind }), params);
      http.get('https://ads.test/x');
      http.del(`${api}/laws/${second}/vote`, null, { headers: { Authorization: 'Bearer hush-token-hush' } });
      http.batch([['GET', api]]);
      sleep(0.5);
    }
    """#

  @Test func `a script becomes a scenario`() async throws {
    try await Self.imported(Self.script) { text, outcome, output in
      for line in [
        #"query: { limit: 5, sort: "score" }"#, #"save: { id: "$.data[0].id", id2: "$.data[1].id" }"#,
        "- think: 1s..3s",
        "- group: vote", "- repeat: 2", #"path: { id: "${id}" }"#, #"headers: { X-Trace: "vu-${user}" }"#,
        #"body: {"vote_type":"up"}"#, "expect: { status: [2XX, 404] }", "- call: removeVote",
        #"path: { id: "${id2}" }"#,
        #"Authorization: "${env(MURPHY_"#, "- think: 0.5s", "- { users: 0..4, for: 5s }", "- { users: 4, for: 70s }",
        "- { users: 4..0, for: 5s }", #""*": { p95: 500ms, p99: 900ms, errors: 1% }"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(!(text + outcome.errors).contains("hush") && !text.contains("evil") && !text.contains("never"), "\(text)")
      #expect(text.components(separatedBy: "- call: voteLaw").count == 2, "\(text)")
      for reason in [
        "line 6: const trend = new Trend('x');", "line 15: check(list, { (the check \"is quick\")",
        "line 29: if (list.status !== 200) {", "line 34: kind = pickKind(", "line 35: http.post(api + '/laws/1/vote'",
        "line 36: http.get('https://ads.test/x');", "line 38: http.batch([['GET', api]]);",
        "the threshold checks: rate>0.9", "decisions of the script at run time; to record the requests",
      ] { #expect(outcome.errors.contains("left out: \(reason)"), "\(reason)\n\(outcome.errors)") }
      let secrets = Set(text.matches(of: /env\((MURPHY_[A-Z_]+)\)/).map { String($0.1) })
      let said = try await Program().run(
        ["try", output, "--brief"], environment: Dictionary(uniqueKeysWithValues: secrets.map { ($0, "none") }))
      let sent = said.output.matches(of: /→ ([A-Z]+) http:\/\/[0-9.:]+(\S+)/).map {
        "\($0.1) \($0.2)".replacing(/laws\/[0-9]{1,5}\b/, with: "laws/N")
      }
      #expect(
        sent == [
          "GET /api/v1/laws?limit=5&sort=score", "POST /api/v1/laws/N/vote", "POST /api/v1/laws/N/vote",
          "GET /api/v1/laws/999999", "DELETE /api/v1/laws/N/vote",
        ], "\(said.output)\(said.errors)")
    }
  }

  @Test func `scenarios of a script become sessions and arrivals`() async throws {
    let script = """
      import http from 'k6/http'
      export const options = { scenarios: {
        read: { executor: 'ramping-arrival-rate', exec: 'read', startRate: 60, timeUnit: '1m', stages: [{ target: 300, duration: '30s' }] },
      } }
      export const read = () => http.get('http://laws.test/api/v1/categories')
      export function setup() { http.get('http://laws.test/api/v1/law-of-day') }
      """
    try await Self.imported(script) { text, outcome, output in
      for line in [
        "setup:\n  - call: getLawOfTheDay", "  read:\n    steps:\n      - call: listCategories",
        "load:\n  - { ramp: 1/s..5/s, for: 30s }",
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      #expect(!outcome.errors.contains("left out"), "\(outcome.errors)")
      let checked = try await Program().run(["check", output])
      #expect(checked.status == 0, "\(checked.errors)")
    }
  }

  @Test func `a rate of a script counts in its own unit of time`() async throws {
    let script = """
      import http from 'k6/http'
      export const options = { scenarios: {
        read: { executor: 'constant-arrival-rate', exec: 'read', rate: 2, timeUnit: '500ms', duration: '1m30s' },
      } }
      export const read = () => http.get('http://laws.test/api/v1/categories')
      """
    try await Self.imported(script) { text, _, _ in #expect(text.contains("{ hold: 4/s, for: 90s }"), "\(text)") }
  }

  /// A script is text: whatever it holds, it is read to its end, or refused with a sentence.
  @Test(arguments: [
    "import x from 'k6/http'", "import http from 'k6/http'; export default function () { http.get(`${`${`",
    "from 'k6' ((((((",
    "from 'k6' }}}}]]", "from 'k6' '", "from 'k6' /*", "from 'k6' `", "from 'k6' \\", "from 'k6' export default () =>",
    "from 'k6'; for (;;) {", "from 'k6'; function default", "from 'k6' = = =", "from 'k6' /[", "from 'k6' \"\\u",
    "from 'k6'; " + String(repeating: "[", count: 20_000),
    "from 'k6'; const a = " + String(repeating: "(", count: 3_000) + "1",
    "from 'k6'; const a = " + String(repeating: "`${", count: 3_000),
    "import http from 'k6/http'; export default function () { http.get(1); http.post(); http.request('GET'); http.get({}) }",
  ])
  func noScriptIsReadWithoutEnd(script: String) async throws {
    try await withTemporaryFolder { folder in
      try script.write(toFile: folder + "/x.js", atomically: true, encoding: .utf8)
      let outcome = try await Program().run(
        ["import", folder + "/x.js", "--openapi", Self.contract, "-o", folder + "/out.yaml"], limit: 60)
      #expect(outcome.status == 2)
      #expect(outcome.errors.contains("contains no request"))
    }
  }

  @Test func `brackets without end are listed and not read`() async throws {
    let groups = String(repeating: "group('g', () => {", count: 3_000) + String(repeating: "});", count: 3_000)
    let sums = String(repeating: "(", count: 3_000) + "'a'" + String(repeating: " + 'b')", count: 3_000)
    let script = """
      import http from 'k6/http';
      const text = \(sums);
      export const options = { duration: '1h' };
      export function setup() { \(groups) }
      export default function () { http.get('http://laws.test/api/v1/laws?limit=5'); }
      """
    try await Self.imported(script) { text, outcome, _ in
      #expect(text.contains("listLaws"))
      #expect((text + outcome.output + outcome.errors).contains("more than 100 levels of nesting"))
    }
  }

  /// A constant that is made of two of the one before it doubles each time.
  @Test(arguments: ["a0 + a0", "`${a0}${a0}`", "[a0, a0]", "JSON.stringify(a0)"])
  func `constants that grow without bound are not known`(_ expression: String) async throws {
    var lines = ["import http from 'k6/http';", "const a0 = 'abc';"]
    for index in 1...64 {
      lines.append("const a\(index) = \(expression.replacing("a0", with: "a\(index - 1)"));")
    }
    lines += ["export default function () { http.get(`http://laws.test/api/v1/laws/${JSON.stringify(a64)}`); }"]
    lines += ["export function other() { http.get('http://laws.test/api/v1/laws'); }"]
    try await withTemporaryFolder { folder in
      try lines.joined(separator: "\n").write(toFile: folder + "/laws.js", atomically: true, encoding: .utf8)
      let outcome = try await Program().run([
        "import", folder + "/laws.js", "--openapi", Self.contract, "-o", folder + "/out.yaml",
      ])
      #expect([0, 2].contains(outcome.status), "\(outcome.errors.prefix(2_000))")
      #expect(outcome.errors.utf8.count < 100_000)
    }
  }
}
