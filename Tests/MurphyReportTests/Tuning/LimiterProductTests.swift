import Foundation
import MurphyModel
import MurphyReport
import TestSupport
import Testing

/// A policy as the configuration of the rate limiters that APIs use.
@Suite struct LimiterProductTests {
  private static let keys = [
    LimitKey.sourceAddress, .header("x-device-id"), .token, .global,
    LimitKey([.sourceAddress, .header("x-device-id")]),
  ]
  private static let routes = [
    LimiterSettings.Route(id: "voteLaw", method: "POST", path: "/v1/laws/{id}/vote"),
    LimiterSettings.Route(id: "getFile", method: "GET", path: "/v1/files/{name}.json"),
  ]

  private static func settings(
    _ product: LimiterProduct, key: LimitKey = .header("x-device-id"), allowance: Int = 20, window: Double = 60,
    routes: [LimiterSettings.Route] = routes
  ) -> LimiterSettings {
    let policy = LimitPolicy(
      name: "votes", operations: [], algorithm: .any, allowance: allowance, window: .seconds(window), key: key)
    return LimiterSettings(product.adapted(policy), routes: routes)
  }

  /// Every kind of configuration of a product: each key, with and without routes.
  private static func configurations(_ product: LimiterProduct) throws -> [String] {
    try keys.flatMap { key in
      try [[], routes].map { try product.configuration(settings(product, key: key, routes: $0)) }
    }
  }

  @Test func `each product gets its own configuration`() throws {
    let texts = try LimiterProduct.all.map { "==== \($0.name)\n" + (try $0.configuration(Self.settings($0))) }
    try Golden.expect(texts.joined(separator: "\n"), is: "limiters.txt")
  }

  @Test func `a policy without an algorithm of the product gets one`() {
    let policy = LimitPolicy(
      name: "votes", operations: [], algorithm: .slidingLog, allowance: 20, window: .seconds(60), key: .sourceAddress)
    #expect(
      LimiterProduct.all.map { $0.adapted(policy).algorithm } == [
        .tokenBucket, .slidingCounter, .tokenBucket, .fixedAligned, .slidingLog, .fixed,
      ])
    #expect(throws: GateError.self) {
      try LimiterProduct.nginx.configuration(LimiterSettings(policy, routes: []))
    }
  }

  @Test(arguments: [("nginx", 1, 7.0), ("kong", 20, 10), ("flask-limiter", 20, 0.5), ("haproxy", 20, 0.0005)])
  func `a product that cannot express a policy says why`(_ name: String, _ allowance: Int, _ window: Double) throws {
    let product = try #require(LimiterProduct.all.first { $0.name == name })
    let error = #expect(throws: GateError.self) {
      try product.configuration(Self.settings(product, allowance: allowance, window: window))
    }
    #expect(error?.description.contains("\(name) cannot express") == true)
  }

  @Test(arguments: LimiterProduct.all.map(\.name))
  func `text from a contract never becomes code`(_ name: String) throws {
    let product = try #require(LimiterProduct.all.first { $0.name == name })
    let window = product.windows?.first ?? 60
    for scalar in (UInt8(0)...255).map(Unicode.Scalar.init) where !scalar.properties.isAlphabetic {
      guard !("0"..."9" ~= scalar), scalar != "-" else { continue }
      let key = LimitKey.header("x\(scalar)y")
      let error = #expect(throws: GateError.self) {
        try product.configuration(Self.settings(product, key: key, window: window))
      }
      #expect(error?.description.contains("letters, digits and hyphens only") == true)
    }
    let route = LimiterSettings.Route(id: "a\nINJECTED\r\nINJECTED\u{2028}INJECTED", method: "GET", path: "/a")
    let text = try product.configuration(Self.settings(product, window: window, routes: [route]))
    let lines = text.split(whereSeparator: \.isNewline).filter { $0.contains("INJECTED") }
    #expect(lines.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("//") } && !lines.isEmpty)
  }

  @Test func `a bucket that cannot hold a fill is refused at once`() throws {
    let product = try #require(LimiterProduct.all.first { $0.name == "envoy" })
    for (allowance, window) in [(LimitPolicy.mostAllowed, 0.001), (10, 0.01)] {
      let error = #expect(throws: GateError.self) {
        try product.configuration(Self.settings(product, allowance: allowance, window: window))
      }
      #expect(error?.description.contains("the bucket must hold all its tokens") == true)
    }
    let text = try product.configuration(Self.settings(product, allowance: 100, window: 0.1))
    #expect(text.contains("tokens_per_fill: 50\n"))
  }

  @Test(.requires(.nginx)) func `nginx accepts each configuration`() async throws {
    for text in try Self.configurations(.nginx) {
      let outcome = try await Self.check(text, with: .nginx, ["-t", "-c"]) { limits, folder in
        """
        pid \(folder)/pid; error_log /dev/null; events {}
        http { access_log off;
        \(limits)
        server { listen 127.0.0.1:1; } }
        """
      }
      #expect(outcome.status == 0, "\(outcome.errors)\n\(text)")
    }
  }

  @Test(.requires(.haproxy)) func `haproxy accepts each configuration without a warning`() async throws {
    for text in try Self.configurations(.haproxy) {
      let outcome = try await Self.check(text, with: .haproxy, ["-c", "-f"]) { limits, _ in
        """
        defaults
          mode http
          timeout connect 2s
          timeout client 2s
          timeout server 2s
        frontend api
          bind 127.0.0.1:1
        \(limits)
          http-request return status 200

        """
      }
      #expect(outcome.status == 0 && !outcome.errors.contains("WARNING"), "\(outcome.errors)\n\(text)")
    }
  }

  private static func check(
    _ limits: String, with tool: Tool, _ arguments: [String], _ whole: (String, String) -> String
  ) async throws -> Command.Outcome {
    let folder = NSTemporaryDirectory() + "murphy-limiter-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let file = folder + "/limiter.conf"
    try whole(limits, folder).write(toFile: file, atomically: true, encoding: .utf8)
    return try await Command(tool.path, arguments + [file]).run()
  }
}
