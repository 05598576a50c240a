import Foundation
import Murphy
import WildServer

extension OutcomeCase {
  static let healthy: WildServer.Responder = { _, connection in connection.answer(body: ShopAPI.body) }

  private static let large: WildServer.Responder = { _, connection in
    connection.answer(body: "{\"a\":\"" + String(repeating: "x", count: 100_000) + "\"}")
  }

  /// Runs that send something: promises kept, broken and not decided, outages, and responses that break HTTP.
  static let runs: [OutcomeCase] =
    [
      OutcomeCase("every promise kept", .pass, .pass, respond: healthy),
      OutcomeCase("a response that breaks the contract", .fail, .fail) { _, connection in connection.answer(body: "[]")
      },
      OutcomeCase(
        "a latency over its budget", .fail, .fail, shop(expect: "budgets: { listItems: { p50: 20ms } }")
      ) { _, connection in
        connection.pause(milliseconds: 60)
        connection.answer(body: ShopAPI.body)
      },
      OutcomeCase(
        "an expectation that is not met", .fail, .fail,
        shop(steps: "- { call: listItems, expect: { status: 201 } }"), respond: healthy),
      OutcomeCase(
        "a rate limit that admits too many", .fail, .fail,
        shop(
          steps: "- { call: listItems, headers: { X-Key: one } }",
          expect: "limits: { listItems: { allow: 5, per: 60s, key: X-Key, tick: 10ms } }"), respond: healthy),
      OutcomeCase(
        "too few samples for a budget", .noData, .noData, shop(expect: "budgets: { listItems: { p99.9: 9s } }"),
        respond: healthy),
      OutcomeCase("an outage", .fail, .fail, shop(settings: "abort-after: 2s", load: "[{ hold: 20/s, for: 60s }]")) {
        _, connection in
        if connection.number > 20 { _ = connection.waitForClose(atMost: 60) } else { connection.answer(body: "{}") }
      },
      OutcomeCase("all requests lost", .fail, .fail) { _, connection in connection.finish() },
      OutcomeCase("a target that hangs", .fail, .fail) { _, connection in _ = connection.waitForClose(atMost: 60) },
      OutcomeCase("a body without end", .fail, .fail) { _, connection in
        connection.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        while connection.send("1\r\n \r\n") { connection.pause(milliseconds: 20) }
      },
      OutcomeCase(
        "a body over the limit", .noData, .noData, shop(settings: "max-body: 10KB"), respond: large),
      OutcomeCase(
        "a body over the limit where all are to be checked", .fail, .fail,
        shop(expect: "fail-on-unchecked: true", settings: "max-body: 10KB"), respond: large),
    ] + hostile + nothingWorks

  /// The contract documents every status, and no request does what it is for: no check may pass on that.
  private static var nothingWorks: [OutcomeCase] { failing + handled }

  /// No step requires these statuses, although the step handles them: the target or the credentials are wrong.
  private static var handled: [OutcomeCase] {
    ["expect: { status: [2XX, 401, 403, 404] }", "on: { 4XX: continue }"].flatMap { step in
      [401, 403, 404].map { status in
        OutcomeCase(
          "every response is \(status), \(step)", .unreachable, .invalid, shop(steps: "- { call: listItems, \(step) }")
        ) { _, connection in connection.answer(status) }
      }
    }
  }

  private static var failing: [OutcomeCase] {
    let lax = "called: off, sessions: off, completed: off, errors: off, budgets: { listItems: { p50: 9s } }"
    let deep = #"{"a":"# + String(repeating: "[", count: 1100) + String(repeating: "]", count: 1100) + "}"
    return ["", lax].flatMap { expect in
      [429, 304, 302, 300].map { status in
        OutcomeCase(
          "every response is \(status)\(expect.isEmpty ? "" : ", lax")", .noData, .noData, shop(expect: expect)
        ) {
          _, connection in connection.answer(status, body: status == 304 ? "" : "{}")
        }
      } + [
        OutcomeCase("nested too deep\(expect.isEmpty ? "" : ", lax")", .noData, .noData, shop(expect: expect)) {
          _, connection in connection.answer(body: deep)
        }
      ]
    } + [
      OutcomeCase("every response is 404, lax", .unreachable, .invalid, shop(expect: lax)) { _, connection in
        connection.answer(404)
      },
      OutcomeCase(
        "every response is the 404 that was expected", .pass, .pass,
        shop(steps: "- { call: listItems, expect: { status: 404 } }")
      ) { _, connection in connection.answer(404) },
      OutcomeCase(
        "one operation never succeeds", .noData, .noData,
        shop(steps: "- call: listItems\n- { call: getItem, path: { id: 1 }, on: { 429: continue } }")
      ) { request, connection in connection.answer(request.target == "/items/1" ? 429 : 200) },
    ]
  }

  /// Responses that break a rule of HTTP and can be read all the same.
  private static let hostile = [
    ("Content-Length beside Transfer-Encoding", "200 OK\r\nContent-Length: 9\r\nTransfer-Encoding: chunked", chunked),
    ("bytes behind the response", "200 OK\r\nContent-Length: 1", "{}"),
    ("a coding that was not asked for", "200 OK\r\nContent-Encoding: rot13\r\nContent-Length: 2", "{}"),
    ("a bare carriage return in a header", "200 OK\r\nX-A: a\rb\r\nContent-Length: 2", "{}"),
    ("a NUL in a header", "200 OK\r\nX-A: a\0b\r\nContent-Length: 2", "{}"),
    ("status 600", "600 Odd\r\nContent-Length: 2", "{}"),
    ("a folded header", "200 OK\r\nX-A: a\r\n b\r\nContent-Length: 2", "{}"),
    ("two lengths", "200 OK\r\nContent-Length: 2\r\nContent-Length: 3", "{}"),
  ].map { name, head, body in
    OutcomeCase(name, .fail, .fail, shop(load: "[{ hold: 20/s, for: 500ms }]")) { _, connection in
      connection.send("HTTP/1.1 \(head)\r\nContent-Type: application/json\r\n\r\n\(body)")
      connection.finish()
    }
  }

  private static let chunked = "2\r\n{}\r\n0\r\n\r\n"
}
