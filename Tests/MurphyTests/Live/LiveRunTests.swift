import Foundation
import HeadlessBrowser
import MurphyReport
import MurphySchema
import TestSupport
import Testing

/// `murphy run --live`: watched by a real browser and a real Prometheus while it runs.
@Suite(.serialized) struct LiveRunTests {
  static let smoke = Repository.scenarios + "/smoke.yaml"

  /// Until a condition holds; whether it came to hold.
  static func until(seconds: Double = 60, _ condition: () throws -> Bool) async throws -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if try condition() { return true }
      try await Task.sleep(for: .milliseconds(200))
    }
    return false
  }

  @Test(.requires(.chromium), .timeLimit(.minutes(3)))
  func `a browser sees the run grow into its report`() async throws {
    try await withTemporaryFolder { folder in
      let port = try FreePort.find()
      async let outcome = Program().run([
        "run", Self.smoke, "--duration", "8s", "--fault", "missing-field", "--live=\(port)", "--report", folder + "/r",
      ])
      #expect(try await Self.until { FreePort.isTaken(port) }, "nobody listens")
      let seen = try await onThread { try Self.watch(port) }
      #expect(seen.missing.isEmpty, "\(seen.missing)")
      let ended = try await outcome
      #expect(ended.status == 1, "\(ended.errors)")
      #expect(ended.errors.contains("Live: http://127.0.0.1:\(port)/"))
      let written = try String(contentsOfFile: folder + "/r/report.html", encoding: .utf8)
      #expect(written.contains("<title>FAIL"))
      #expect(seen.complaints.isEmpty, "\(seen.complaints)")
    }
  }

  /// What a browser shows of a run from its first seconds to the report: what never came, and what the console said.
  private static func watch(_ port: Int) throws -> (missing: [String], complaints: [String]) {
    let browser = try Chromium()
    defer { browser.close() }
    let page = try BrowserPage(browser)
    try page.show(dark: false, width: 1280, height: 900)
    try page.open(url: "http://127.0.0.1:\(port)/")
    var missing: [String] = []
    func wait(_ what: String, _ expression: String) throws {
      let end = Date().addingTimeInterval(60)
      while try page.value(expression).bool != true {
        guard Date() < end else { return missing.append(what) }
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
    try wait("a drawing", "document.querySelectorAll('#time svg').length > 0")
    try wait("a finding", "document.querySelector('#findings table') != null")
    try wait(
      "another second",
      "(window.first ??= document.querySelector('.figures').textContent) != document.querySelector('.figures').textContent"
    )
    // After the end it is the report, frozen, though nobody serves it any more.
    try wait("the report", "document.querySelector('h1 .word')?.textContent == 'FAIL'")
    try wait("the report's script", "document.querySelectorAll('.command button').length > 0")
    return (missing, try page.takeComplaints().complaints)
  }

  @Test(.requires(.prometheus), .timeLimit(.minutes(3)))
  func `a prometheus responds for the percentile`() async throws {
    try await withTemporaryFolder { folder in
      let (port, own) = (try FreePort.find(), try FreePort.find())
      let configuration = """
        global: { scrape_interval: 1s }
        scrape_configs:
          - job_name: murphy
            static_configs: [ { targets: ["127.0.0.1:\(port)"] } ]
        """
      try configuration.write(toFile: folder + "/prometheus.yml", atomically: true, encoding: .utf8)
      let prometheus = Process()
      prometheus.executableURL = URL(filePath: try Tool.prometheus.path)
      prometheus.arguments = [
        "--config.file=\(folder)/prometheus.yml", "--storage.tsdb.path=\(folder)/data",
        "--web.listen-address=127.0.0.1:\(own)", "--log.level=error",
      ]
      prometheus.standardError = FileHandle.nullDevice
      try prometheus.run()
      defer { kill(prometheus.processIdentifier, SIGKILL) }
      #expect(try await Self.until { FreePort.isTaken(own) }, "Prometheus does not start")
      let ended = try await Program().run([
        "run", Self.smoke, "--duration", "15s", "--fault", "slow-list", "--live=\(port)", "--report", folder + "/r",
      ])
      #expect([0, 1].contains(ended.status), "\(ended.errors)")
      let query = "histogram_quantile(0.95, last_over_time(murphy_latency_seconds_bucket[5m]))"
      let answer = try await Self.ask(own, query)
      let seen = try #require(answer.flatMap(Double.init), "Prometheus has no response")
      // The whole run's, from its own result: buckets are a quarter of an octave wide, and the last second may be
      // missing.
      let result = try ResultFile.read(folder + "/r/result.json")
      let low = result.operations.map(\.latency).filter { $0.count > 0 }.map(\.p50).min() ?? .zero
      let high = result.operations.map(\.latency.max).max() ?? .zero
      #expect((low * 0.7...high * 1.3).contains(.seconds(seen)), "\(seen) s, \(low) .. \(high)")
      let sent = try #require(try await Self.ask(own, "last_over_time(murphy_sent_total[5m])").flatMap(Double.init))
      #expect(sent > 0 && sent <= Double(result.ledger.sent))
    }
  }

  /// The first value of an instant query; nil without any.
  static func ask(_ port: Int, _ query: String) async throws -> String? {
    let outcome = try await Program(executable: Tool.curl.path).run([
      "-sG", "http://127.0.0.1:\(port)/api/v1/query", "--data-urlencode", "query=\(query)",
    ])
    let answer = try JSONValue.parse(outcome.output)
    return answer["data"]?["result"]?.array?.first?["value"]?.array?.last?.string
  }

  @Test func `a port that is taken and a wrong one are sentences`() async throws {
    let listener = try await Program().run(["run", Self.smoke, "--live=99999"])
    #expect(listener.status == 2)
    #expect(listener.errors.contains("from 0 to 65535"))
    try await withTemporaryFolder { folder in
      let port = try FreePort.find()
      let server = Process()
      server.executableURL = Program.folder.appending(path: "murphy")
      server.arguments = ["serve", "murphys-laws", "--port", "\(port)"]
      server.standardOutput = FileHandle.nullDevice
      server.standardError = FileHandle.nullDevice
      try server.run()
      defer { kill(server.processIdentifier, SIGKILL) }
      #expect(try await Self.until { FreePort.isTaken(port) })
      let taken = try await Program().run(["run", Self.smoke, "--live=\(port)", "--report", folder + "/r"])
      #expect(taken.status == 2)
      #expect(taken.errors.contains("the port is in use"), "\(taken.errors)")
    }
  }

  @Test func `another name of the host is rejected`() async throws {
    try await withTemporaryFolder { folder in
      let port = try FreePort.find()
      async let outcome = Program().run([
        "run", Self.smoke, "--duration", "4s", "--live=\(port)", "--report", folder + "/r",
      ])
      #expect(try await Self.until { FreePort.isTaken(port) })
      func status(_ host: String) async throws -> String {
        try await Program(executable: Tool.curl.path).run([
          "-s", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", "http://127.0.0.1:\(port)/metrics",
        ]).output
      }
      #expect(try await status("127.0.0.1:\(port)") == "200")
      #expect(try await status("localhost:\(port)") == "200")
      #expect(try await status("evil.example") == "403")
      for path in ["/", "/metrics"] {
        let said = try await Program(executable: Tool.curl.path).run(["-s", "-i", "http://127.0.0.1:\(port)\(path)"])
          .output
        #expect(said.contains("Content-Security-Policy: frame-ancestors 'none'\r\n"), "\(said.prefix(600))")
        #expect(said.contains("Cross-Origin-Resource-Policy: same-origin\r\n"))
        #expect(!said.lowercased().contains("access-control-allow-origin"))
      }
      _ = try await outcome
    }
  }

  /// Each histogram has count, sum and buckets that agree (OpenMetrics 1.0, "Histogram").
  @Test func `the sum of the metrics fits their count`() async throws {
    try await withTemporaryFolder { folder in
      let port = try FreePort.find()
      async let outcome = Program().run([
        "run", Self.smoke, "--duration", "6s", "--live=\(port)", "--report", folder + "/r",
      ])
      #expect(try await Self.until { FreePort.isTaken(port) })
      var values: [String: Double] = [:]
      let end = Date().addingTimeInterval(30)
      while values["murphy_latency_seconds_count", default: 0] == 0, Date() < end {
        try await Task.sleep(for: .milliseconds(300))
        let said = try await Program(executable: Tool.curl.path).run(["-s", "http://127.0.0.1:\(port)/metrics"]).output
        for line in said.split(separator: "\n") where !line.hasPrefix("#") {
          let parts = line.split(separator: " ")
          if parts.count == 2, let value = Double(parts[1]) { values[String(parts[0])] = value }
        }
      }
      let (count, sum) = (values["murphy_latency_seconds_count"] ?? 0, values["murphy_latency_seconds_sum"] ?? -1)
      // The mean lies between the bounds of the first and the last bucket with a response.
      let buckets = values.compactMap { name, value in
        name.firstMatch(of: /_bucket\{le="([0-9.e-]+)"\}/).flatMap { Double($0.1) }.map { ($0, value) }
      }.sorted { $0.0 < $1.0 }
      let low = buckets.last { $0.1 == 0 }?.0 ?? 0
      let high = buckets.first { $0.1 == count }?.0 ?? .infinity
      #expect(count > 0 && sum / count >= low && sum / count <= high, "\(sum) / \(count), \(low) ... \(high)")
      _ = try await outcome
    }
  }
}
