import MurphyModel

extension LimiterProduct {
  package static let nginx = LimiterProduct(
    name: "nginx", algorithms: [.tokenBucket],
    notes: [
      "Include this file in the block `http` of nginx.conf.",
      "nginx supports no time windows. `burst` with `nodelay` works as a token bucket.",
      "nginx does not count requests with an empty limit key. It does not send Retry-After.",
    ]
  ) { settings throws(GateError) in
    let policy = settings.policy
    let parts = policy.key.parts.map { part in
      part.headerName.map { "$http_" + $0.replacingScalars("-", with: "_") } ?? "$binary_remote_addr"
    }
    let key = parts.isEmpty ? "all" : parts.joined()
    let counted = settings.pattern.map { pattern in
      [
        "map \"$request_method $uri\" $\(settings.name)_key {", "  default \"\";",
        "  \"~^(?:\(pattern))$\" \"\(key)\";",
        "}",
      ]
    }
    let burst = policy.allowance > 1 ? " burst=\(policy.allowance - 1) nodelay" : ""
    return (counted ?? []) + [
      "limit_req_zone \(counted == nil ? key : "$\(settings.name)_key") zone=\(settings.name):10m rate="
        + (try Self.rate(settings)) + ";",
      "limit_req_status 429;", "limit_req zone=\(settings.name)\(burst);",
    ]
  }

  /// `20r/s`, `30r/m`
  private static func rate(_ settings: LimiterSettings) throws(GateError) -> String {
    let rate = settings.policy.rate.perSecond
    if let whole = LimiterSettings.whole(rate), whole > 0 { return "\(whole)r/s" }
    if let whole = LimiterSettings.whole(rate * 60), whole > 0 { return "\(whole)r/m" }
    throw .usage(
      "nginx cannot express \(settings.policy.text): a rate is a whole number of requests per second or per minute.")
  }

  package static let haproxy = LimiterProduct(
    name: "haproxy", algorithms: [.slidingCounter],
    notes: [
      "Add these lines to a section `frontend` of haproxy.cfg. HAProxy allows one stick-table in each section.",
      "HAProxy counts rates with sliding counters. It supports no fixed window, sliding log or token bucket.",
      "These lines use gpc0_rate to count only admitted requests. http_req_rate also counts rejected requests.",
      "HAProxy does not count requests that lack a header of the limit key. It does not send Retry-After.",
    ]
  ) { settings throws(GateError) in
    guard let period = settings.milliseconds else {
      throw .usage("haproxy cannot express \(settings.policy.text): a period is a whole number of milliseconds.")
    }
    let samples = settings.policy.key.parts.map { part in part.headerName.map { "req.fhdr(\($0))" } ?? "src" }
    let type: String
    let key: String
    var lines: [String] = []
    switch samples.count {
    case 0: (type, key) = ("integer", "int(0)")
    case 1: (type, key) = (samples[0] == "src" ? "ipv6" : "string len 128", samples[0])
    default:
      (type, key) = ("string len 128", "var(txn.\(settings.name))")
      let format = samples.map { "%[\($0)]" }.joined(separator: ":")
      lines = ["http-request set-var-fmt(txn.\(settings.name)) '\(format)'"]
    }
    let present =
      settings.headers.count > 0 && samples.count > 1 ? settings.headers.map { " { req.fhdr(\($0)) -m found }" } : []
    let conditions =
      settings.routes.isEmpty
      ? [""] : settings.routes.map { " { method \($0.methods.joined(separator: " ")) } { path_reg '^\($0.pattern)$' }" }
    lines.insert(
      "stick-table type \(type) size 1m expire \(max(2 * period, 10_000))ms store gpc0,gpc0_rate(\(period)ms)", at: 0)
    for condition in conditions {
      let all = condition + present.joined()
      lines.append("http-request track-sc0 \(key)" + (all.isEmpty ? "" : " if" + all))
    }
    return lines + [
      "http-request deny deny_status 429 if { sc_gpc0_rate(0) ge \(settings.policy.allowance) }",
      "http-request sc-inc-gpc0(0)",
    ]
  }

  static let envoy = LimiterProduct(
    name: "envoy", algorithms: [.tokenBucket],
    notes: [
      "Add this filter to `http_filters`, before the router. It needs Envoy 1.34 or later.",
      "Envoy supports no time windows: a local rate limit is a token bucket.",
      "Each Envoy process counts requests separately.",
      "Envoy does not count requests that lack the header of the limit key.",
      "If more than 100,000 limit keys are in use, Envoy deletes the counts of the oldest keys.",
      "Envoy counts by the peer address of the connection.",
      "To count by X-Forwarded-For instead, set `use_remote_address` and `xff_num_trusted_hops`.",
    ]
  ) { settings throws(GateError) in
    guard let refill = settings.refill else {
      throw .usage(
        "envoy cannot express \(settings.policy.text): a refill takes a whole number of milliseconds, at least 50, and "
          + "the bucket must hold all its tokens.")
    }
    let keys = settings.policy.key.parts.map { part in
      part.headerName.map { name in
        (action: "request_headers: { header_name: \(name), descriptor_key: \(name) }", key: name)
      } ?? (action: "remote_address: {}", key: "remote_address")
    }
    let matches: [(action: String, key: String)] =
      settings.routes.isEmpty
      ? keys.isEmpty ? [("generic_key: { descriptor_value: \(settings.name) }", "generic_key")] : []
      : settings.routes.map { route in
        let headers = [
          "{ name: ':method', string_match: { safe_regex: { regex: '\(route.methods.joined(separator: "|"))' } } }",
          "{ name: ':path', string_match: { safe_regex: { regex: '\(route.pattern)(\\?.*)?' } } }",
        ]
        return (
          "header_value_match: { descriptor_value: \(settings.name), headers: [\(headers.joined(separator: ", "))] }",
          "header_match"
        )
      }
    let actions = (matches.isEmpty ? [[]] : matches.map { [$0.action] }).map { $0 + keys.map(\.action) }
    let entries = matches.prefix(1).map { "key: \($0.key), value: \(settings.name)" } + keys.map { "key: \($0.key)" }
    let enabled = "{ default_value: { numerator: 100, denominator: HUNDRED } }"
    return [
      "- name: envoy.filters.http.local_ratelimit", "  typed_config:",
      "    '@type': type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit",
      "    stat_prefix: \(settings.name)", "    max_dynamic_descriptors: 100000", "    filter_enabled: \(enabled)",
      "    filter_enforced: \(enabled)", "    rate_limits:",
    ]
      + actions.flatMap { ["    - actions:"] + $0.map { "      - \($0)" } }
      + ["    descriptors:", "    - entries:"] + entries.map { "      - { \($0) }" }
      + [
        "      token_bucket:", "        max_tokens: \(settings.policy.allowance)",
        "        tokens_per_fill: \(refill.tokens)",
        "        fill_interval: \(Figure.decimals(Double(refill.milliseconds) / 1000, 3))s",
      ]
  }

  static let kong = LimiterProduct(
    name: "kong", algorithms: [.fixedAligned], windows: kongPeriods.map(\.length.inSeconds),
    notes: [
      "Add this plugin to kong.yaml. To limit only one route, add `route: NAME` to the plugin.",
      "Kong supports only fixed windows that begin at a full second, minute, hour or day.",
      "Kong counts the requests of each route separately.",
      "With the policy `local`, each Kong node also counts requests separately.",
    ]
  ) { settings throws(GateError) in
    let policy = settings.policy
    guard let period = kongPeriods.first(where: { $0.length == policy.window }) else {
      throw .usage("kong cannot express \(policy.text): its windows are a second, a minute, an hour or a day.")
    }
    guard policy.key.parts.count < 2 else {
      throw .usage("kong cannot express \(policy.text): a key has only one part.")
    }
    let key =
      switch policy.key.parts.first {
      case nil: ["limit_by: service"]
      case .sourceAddress?: ["limit_by: ip"]
      case let part?: ["limit_by: header", "header_name: \(part.text == "token" ? "authorization" : part.text)"]
      }
    return ["_format_version: '3.0'", "plugins:", "- name: rate-limiting", "  config:"]
      + (["\(period.name): \(policy.allowance)", "policy: local"] + key).map { "    \($0)" }
  }

  private static let kongPeriods: [(length: Duration, name: String)] = [
    (.seconds(1), "second"), (.seconds(60), "minute"), (.seconds(3600), "hour"), (.seconds(86_400), "day"),
  ]
}
