import Murphy
import Testing

extension ImportTests {
  @Test func `curl commands become a session`() async throws {
    let script = #"""
      # copied from a browser
      curl 'https://laws.test/api/v1/laws?limit=5&sort=score' \
        -H 'accept: application/json' -H $'x-trace: it\'s' --compressed
      API=https://laws.test/api/v1
      TOKEN=$(curl -s $API/login -d '{"user":"a","password":"hush-1"}' | jq -r '.data[0].token')
      sleep 2
      curl "$API/laws/12/vote" -H "Authorization: Bearer $TOKEN" -H "X-Api-Key: hush-2" --json '{"vote_type": "'$KIND'"}'
      curl -sSG $API/laws --data-urlencode "q=a b&c" -d limit=3 > /dev/null 2>&1
      curl -u ada:hush-3 -F photo=@/home/a/p.png -F 'title=A law;type=text/plain' -b 'sid=hush-4' "$API/upload"
      curl --data @- -X POST $API/laws <<END
      {"text": "x"}
      END
      curl https://other.test/x?sig=hush-5
      ls -l
      """#
    try await Self.imported(script, as: "laws.sh") { text, outcome, _ in
      for line in [
        "  commands:", #"query: { limit: 5, sort: "score" }"#, #"headers: { x-trace: "it's" }"#,
        #"- call: { method: POST, url: "/api/v1/login" }"#, #"save: { token: "$.data[0].token" }"#, "- think: 2s",
        #"headers: { Authorization: "Bearer ${token}", X-Api-Key: "${env(MURPHY_X_API_KEY)}" }"#,
        #"body: {"vote_type":"${env(MURPHY_KIND)}"}"#, #"query: { q: "a b&c", limit: 3 }"#,
        #"photo: { value: "murphy", name: "p.png" }"#, #"title: { value: "A law", type: text/plain }"#,
        "- call: submitLaw", #"body: {"text":"x"}"#,
      ] { #expect(text.contains(line), "\(line)\n\(text)") }
      for reason in [
        "line 9: its cookies", "line 9: the content of p.png", "line 13: it is sent to https://other.test",
        "line 14: the command ls",
      ] { #expect(outcome.errors.contains("left out: \(reason)"), "\(reason)\n\(outcome.errors)") }
      #expect(!(text + outcome.errors).contains("hush"), "\(text)\(outcome.errors)")
    }
  }

  @Test(arguments: [
    "curl ^\"https://laws.test/api/v1/laws?limit=5^&sort=score^\" ^\n  -H ^\"x-trace: a^\"",
    "$ curl -H'x-trace: a' --url https://laws.test/api/v1/laws -G -dlimit=5 -d sort=score",
    "curl.exe \"https://laws.test/api/v1/laws?limit=5&sort=score\" -Hx-trace:a;",
  ])
  func `quotes of all shells are read`(command: String) async throws {
    try await Self.imported(command, as: "one.txt") { text, _, _ in
      #expect(text.contains(#"query: { limit: 5, sort: "score" }"#), "\(text)")
      #expect(text.contains(#"headers: { x-trace: "a" }"#), "\(text)")
    }
  }
}
