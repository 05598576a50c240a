import Foundation
import Murphy
import TestSupport
import Testing
import WildServer

/// The proxy of `murphy record`: what a client gets through it is what the target sent.
@Suite(.requires(.curl)) struct RecordingProxyTests {
  /// `gzip -n <<< '{"a": 1}'`
  private static let zipped = [UInt8](
    Data(base64Encoded: "H4sIAAAAAAAAA6tWSlSyUjCs5QIA+qFHXAkAAAA=") ?? Data())

  private static let answers: [(path: String, bytes: [UInt8])] = [
    (
      "/plain",
      Array("HTTP/1.1 200 OK\r\nX-A: 1\r\nX-A: 2\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 2\r\n\r\nok".utf8)
    ),
    (
      "/chunked",
      Array("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n".utf8)
    ),
    ("/empty", Array("HTTP/1.1 204 No Content\r\nX-B: c\r\n\r\n".utf8)),
    ("/same", Array("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n".utf8)),
    ("/error", Array("HTTP/1.1 503 Busy\r\nRetry-After: 3\r\nContent-Length: 0\r\n\r\n".utf8)),
    (
      "/zipped",
      Array(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: \(zipped.count)\r\n\r\n"
          .utf8) + zipped
    ),
  ]

  private static let respond: WildServer.Responder = { request, connection in
    guard let answer = answers.first(where: { $0.path == request.target }) else { return connection.answer(404) }
    if request.method == "HEAD" {
      connection.send(
        "HTTP/1.1 200 OK\r\nX-Head: yes\r\n\(request.target == "/plain" ? "Content-Length: 77\r\n" : "")\r\n")
    } else {
      connection.send(answer.bytes)
    }
  }

  @Test func `a stream of events is handed on to its end`() async throws {
    // Longer than a load reads a stream.
    let archive = try await RecordedTarget.recording { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
      for number in 0..<4 {
        connection.send("data: \(number)\n\n")
        connection.pause(milliseconds: 400)
      }
      connection.finish()
    } _: { target in
      let said = try await RecordedTarget.curl(target.proxy.url + "/")
      #expect(said == "data: 0\n\ndata: 1\n\ndata: 2\n\ndata: 3\n\n")
    }
    #expect(archive.entries.count == 1)
  }

  /// Status and fields, those of the connection and the reason aside, and the body in hexadecimal digits.
  private static func answer(_ arguments: String) async throws -> [String] {
    let said = try await RecordedTarget.curl(
      "-i --raw -H 'Accept-Encoding: gzip, br' \(arguments) | od -An -v -tx1 -w1 | tr -d ' \\n'")
    let bytes = stride(from: 0, to: said.count - said.count % 2, by: 2).compactMap { index in
      UInt8(said.dropFirst(index).prefix(2), radix: 16)
    }
    let end = try #require(bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) })
    let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n").map(String.init)
    let own = ["transfer-encoding", "content-length", "connection"]
    let fields = lines.dropFirst().filter { line in !own.contains { line.lowercased().hasPrefix($0 + ":") } }
    let isChunked = lines.contains { $0.lowercased() == "transfer-encoding: chunked" } && !arguments.contains("-I")
    let body = Array(bytes[(end + 4)...])
    return [String(lines[0].dropFirst(9).prefix(3))] + fields
      + [isChunked ? "abcde" : String(decoding: body, as: UTF8.self) + " \(body.count)"]
  }

  @Test(arguments: answers.map(\.path), ["", "-I "])
  func `a response comes back as the target sent it`(path: String, head: String) async throws {
    let archive = try await RecordedTarget.recording(Self.respond) { target in
      let direct = try await Self.answer(head + target.server.url + path)
      let proxied = try await Self.answer(head + target.proxy.url + path)
      #expect(direct.dropLast() == proxied.dropLast())
      #expect(direct.last == proxied.last || proxied.last == "abcde 5", "\(direct) \(proxied)")
    }
    let response = try #require(archive.entries.first?["response"])
    if path == "/zipped", head.isEmpty { #expect(response["content"]?["text"] == "{\"a\": 1}\n") }
    if path == "/chunked", head.isEmpty { #expect(response["content"]?["text"] == "abcde") }
  }

  @Test func `a length that HEAD tells is told`() async throws {
    try await RecordedTarget.recording(Self.respond) { target in
      let said = try await RecordedTarget.curl(
        "-I \(target.proxy.url)/plain \(target.proxy.url)/error \(target.proxy.url)/plain")
      #expect(said.components(separatedBy: "Content-Length: 77").count == 3, "\(said)")
      #expect(said.components(separatedBy: "X-Head: yes").count == 4, "\(said)")
    }
  }

  @Test func `the target sees its own name and one connection`() async throws {
    let respond: WildServer.Responder = { _, connection in connection.answer(body: "{}") }
    try await RecordedTarget.recording(path: "/v1", respond) { target in
      let url = target.proxy.url
      _ = try await RecordedTarget.curl(
        "-H 'Connection: X-Hop' -H 'X-Hop: 1' -H 'Referer: \(url)/page' -H 'Origin: \(url)' -d 'a=b' \(url)/laws?x=1 \(url)/b"
      )
      let request = try #require(target.server.requests.first)
      #expect(request.method == "POST" && request.target == "/v1/laws?x=1" && request.body == Array("a=b".utf8))
      #expect(request.header("host") == "127.0.0.1:\(target.server.port)")
      #expect(request.header("referer") == target.server.url + "/v1/page")
      #expect(request.header("origin") == target.server.url && request.header("x-hop") == nil)
      #expect(target.server.connections == 1 && target.server.requests.count == 2)
    }
  }

  @Test func `redirects and cookies lead back to the proxy`() async throws {
    let archive = try await RecordedTarget.recording(
      path: "/v1",
      { request, connection in
        let own = "http://" + (request.header("host") ?? "")
        let places = ["/v1/a": own + "/v1/b", "/v1/b": "/v1/c?x=1"]
        guard let place = places[request.target] else {
          return connection.answer(body: request.header("cookie") ?? "none")
        }
        connection.answer(
          302,
          headers: [
            "Location": place, "Link": "<\(own)/v1/next>; rel=next, <\(own)9/v1>; rel=other",
            "Set-Cookie": "sid=1; Domain=127.0.0.1; Path=/v1/", "Access-Control-Allow-Origin": own,
          ])
      }
    ) { target in
      let url = target.proxy.url
      let said = try await RecordedTarget.curl("-iL -c /dev/null -w '\\n%{url_effective}\\n' \(url)/a")
      #expect(said.contains("\n\(url)/c?x=1\n") && said.contains("\r\n\r\nsid=1\n"), "\(said)")
      #expect(
        said.contains("Set-Cookie: sid=1; Path=/\r\n") && said.contains("Access-Control-Allow-Origin: \(url)\r\n"))
      #expect(said.contains("Link: <\(url)/next>; rel=next, <\(target.server.url)9/v1>; rel=other"))
    }
    #expect(archive.entries.count == 3)
  }

  @Test func `what is not handed on is rejected with a problem`() async throws {
    let archive = try await RecordedTarget.recording(Self.respond) { target in
      let url = target.proxy.url
      for (arguments, status, word) in [
        ("-H 'Connection: Upgrade' -H 'Upgrade: websocket' \(url)/plain", 501, "WebSocket"),
        ("-H 'Host: evil.example' \(url)/plain", 421, "evil.example"),
        ("-X OPTIONS --request-target '*' \(url)", 400, "not a path"),
      ] {
        let said = try await RecordedTarget.curl("-i " + arguments)
        #expect(
          said.hasPrefix("HTTP/1.1 \(status) ") && said.contains("Content-Type: application/problem+json"), "\(said)")
        #expect(said.contains("\"status\":\(status),\"detail\":\"murphy record: ") && said.contains(word), "\(said)")
      }
      #expect(target.server.requests.isEmpty)
      #expect(target.proxy.session.content.refused == ["WebSocket": 1])
    }
    #expect(archive.entries.isEmpty)
  }

  @Test func `a target that closes or hangs is told as such`() async throws {
    let respond: WildServer.Responder = { request, connection in
      if request.target == "/hang" { _ = connection.waitForClose(atMost: 60) }
      if request.target == "/half" { connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf") }
      connection.finish()
    }
    let archive = try await RecordedTarget.recording(timeout: .seconds(1), respond) { target in
      for (path, status, word) in [
        ("/hang", 504, "no response within 1 s"), ("/half", 502, "ended early"), ("/close", 502, "closed"),
      ] {
        let said = try await RecordedTarget.curl("-i \(target.proxy.url)\(path)")
        #expect(said.hasPrefix("HTTP/1.1 \(status) ") && said.contains(word), "\(said)")
      }
    }
    #expect(archive.entries.map { $0["response"]?["status"] } == [0, 0, 0])
    #expect(archive.entries.allSatisfy { $0["comment"]?.string?.hasPrefix("The target did not respond: ") == true })
  }

  @Test func `long bodies go through whole and are recorded in part`() async throws {
    let archive = try await RecordedTarget.recording({ request, connection in
      connection.answer(type: "text/plain", body: String(decoding: request.body, as: UTF8.self))
    }) { target in
      try await withTemporaryFolder { folder in
        let said = try await RecordedTarget.curl(
          "-v -H 'Expect: 100-continue' -H 'Content-Type: text/plain' --data-binary @in -o out \(target.proxy.url)/echo < <(:); cmp in out && wc -c < out",
          in: { () throws in
            try String(repeating: "0123456789", count: 300_000).write(
              toFile: folder + "/in", atomically: true, encoding: .utf8)
            return folder
          }())
        #expect(said.contains("HTTP/1.1 100 Continue") && said.contains("3000000"), "\(said)")
      }
    }
    let entry = try #require(archive.entries.first)
    #expect(entry["request"]?["bodySize"] == 3_000_000 && entry["response"]?["content"]?["size"] == 3_000_000)
    for part in [entry["request"]?["postData"], entry["response"]?["content"]] {
      #expect(part?["text"]?.string?.count == 65_536 && part?["comment"]?.string?.hasPrefix("only the first ") == true)
    }
  }

  /// Two hosts may be one for the proxy and another for the target (RFC 9112 §3.2).
  @Test(
    .requires(.bash),
    arguments: [
      ("GET /plain", ["localhost", "evil.example"], 400), ("GET /plain", ["localhost", "localhost"], 400),
      ("GET http://evil.example/plain", ["localhost"], 400), ("GET http://localhost/plain", ["localhost"], 200),
      ("GET http://bob:pw@evil.example/plain", ["localhost"], 400), ("GET HTTP://LOCALHOST/plain", ["localhost"], 200),
      ("GET http://evil.example/plain", ["evil.example"], 421),
      ("GET /plain?x=http://evil.example/", ["localhost"], 404),
    ]) func `a request names one host`(line: String, hosts: [String], status: Int) async throws
  {
    try await RecordedTarget.recording(Self.respond) { target in
      let port = target.proxy.url.split(separator: ":").last ?? ""
      let fields = hosts.map { "Host: \($0)\\r\\n" }.joined()
      let said = try await Shell.run(
        """
        exec 3<>/dev/tcp/127.0.0.1/\(port)
        printf '%b' '\(line) HTTP/1.1\\r\\n\(fields)Connection: close\\r\\n\\r\\n' >&3
        cat <&3
        """
      ).said.output
      #expect(said.hasPrefix("HTTP/1.1 \(status) "), "\(said)")
      #expect(target.server.requests.isEmpty == [400, 421].contains(status))
    }
  }

  @Test(.requires(.bash)) func `a client that sends byte by byte is served`() async throws {
    try await RecordedTarget.recording(Self.respond) { target in
      let port = target.proxy.url.split(separator: ":").last ?? ""
      let said = try await Shell.run(
        """
        exec 3<>/dev/tcp/127.0.0.1/\(port)
        text=$'GET /plain HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n'
        for ((i = 0; i < ${#text}; i++)); do printf '%s' "${text:i:1}" >&3; sleep 0.005; done
        cat <&3
        """
      ).said.output
      #expect(said.hasPrefix("HTTP/1.1 200 OK\r\n") && said.hasSuffix("\r\n\r\nok"), "\(said)")
    }
  }

  @Test(.requires(.openssl)) func `the certificate of the target is verified`() async throws {
    try await withTemporaryFolder { folder in
      let authority = try await TestAuthority(in: folder)
      try "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nSet-Cookie: a=b; Secure; SameSite=None\r\n\r\nsafe"
        .write(toFile: folder + "/items", atomically: true, encoding: .utf8)
      try await authority.serving { url in
        let trusted = try await RecordedTarget.recording(url, authorities: authority.authority) { proxy in
          let said = try await RecordedTarget.curl("-i \(proxy.url)/items")
          #expect(
            said.hasPrefix("HTTP/1.1 200 ") && said.hasSuffix("safe") && said.contains("Set-Cookie: a=b\r\n"), "\(said)"
          )
        }
        #expect(trusted.entries.first?["request"]?["url"] == .string(url + "/items"))
        _ = try await RecordedTarget.recording(url, authorities: authority.stranger) { proxy in
          let said = try await RecordedTarget.curl("-i \(proxy.url)/items")
          #expect(said.hasPrefix("HTTP/1.1 502 ") && said.contains("target is not trusted"), "\(said)")
        }
      }
    }
  }
}
