import MurphyModel

extension LimiterProduct {
  static let flask = LimiterProduct(
    name: "flask-limiter", algorithms: [.fixed, .slidingLog, .slidingCounter],
    notes: [
      "In the Flask app, import `limiter` from this file, and call limiter.init_app(app).",
      "flask-limiter supports neither token buckets nor fixed windows that begin at a full minute.",
      "By default, each server process counts requests separately.",
      "To count the requests of all processes together, set storage_uri to a Redis server.",
      "flask-limiter does not count requests that lack the header of the limit key.",
    ]
  ) { settings throws(GateError) in
    let policy = settings.policy
    guard let seconds = LimiterSettings.whole(policy.window.inSeconds) else {
      throw .usage("flask-limiter cannot express \(policy.text): its windows are whole seconds.")
    }
    let strategy =
      switch policy.algorithm {
      case .slidingLog: "moving-window"
      case .slidingCounter: "sliding-window-counter"
      default: "fixed-window"
      }
    let values = policy.key.parts.map { part in
      part.headerName.map { "request.headers.get(\"\($0)\", \"\")" } ?? "get_remote_address()"
    }
    let key =
      switch values.count {
      case 0: "\"all\""
      case 1: values[0]
      default: "\":\".join(values) if all(values := [\(values.joined(separator: ", "))]) else \"\""
      }
    let counted = settings.pattern.map { [#"COUNTED = re.compile(r"\#($0)")"#, ""] } ?? []
    let exempt = "lambda: not COUNTED.fullmatch(f\"{request.method} {request.path}\")"
    return (counted.isEmpty ? [] : ["import re", ""])
      + [
        "from flask import request", "from flask_limiter import Limiter",
        "from flask_limiter.util import get_remote_address", "",
      ] + counted
      + ["limiter = Limiter("]
      + [
        "key_func=lambda: \(key),", "application_limits=[\"\(policy.allowance) per \(seconds) second\"],",
        "strategy=\"\(strategy)\",",
      ].map { "    " + $0 }
      + (counted.isEmpty ? [] : ["    application_limits_exempt_when=\(exempt),"]) + [")"]
  }

  static let express = LimiterProduct(
    name: "express-rate-limit", algorithms: [.fixed], comment: "//",
    notes: [
      "Call app.use(limiter) before you register the routes.",
      "express-rate-limit supports only fixed windows that begin with the first request of a client.",
      "By default, each server process counts requests separately.",
      "To count the requests of all processes together, set the option `store`.",
      "express-rate-limit does not count requests that lack the header of the limit key.",
    ]
  ) { settings throws(GateError) in
    guard let window = settings.milliseconds else {
      throw .usage(
        "express-rate-limit cannot express \(settings.policy.text): its windows are whole milliseconds.")
    }
    let values = settings.policy.key.parts.map { part in
      part.headerName.map { "request.get('\($0)')" } ?? "ipKeyGenerator(request.ip)"
    }
    // The address is the key by default.
    let key =
      switch values.count {
      case 0: "'all'"
      case 1: settings.headers.isEmpty ? nil : values[0]
      default: "[\(values.joined(separator: ", "))].join(':')"
      }
    let skipped =
      settings.headers.map { "!request.get('\($0)')" }
      + (settings.pattern == nil ? [] : ["!counted.test(`${request.method} ${request.path}`)"])
    let options =
      [
        "windowMs: \(window)", "limit: \(settings.policy.allowance)", "standardHeaders: 'draft-7'",
        "legacyHeaders: false",
      ]
      + (key.map { ["keyGenerator: (request) => \($0)"] } ?? [])
      + (skipped.isEmpty ? [] : ["skip: (request) => \(skipped.joined(separator: " || "))"])
    let imports = values.count > 1 && values.contains { $0.hasPrefix("ip") } ? "ipKeyGenerator, rateLimit" : "rateLimit"
    return ["import { \(imports) } from 'express-rate-limit'", ""]
      + (settings.pattern.map { ["const counted = new RegExp(String.raw`^(?:\($0))$`)", ""] } ?? [])
      + ["export const limiter = rateLimit({"] + options.map { "  \($0)," } + ["})"]
  }
}
