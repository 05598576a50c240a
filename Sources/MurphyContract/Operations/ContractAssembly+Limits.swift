import MurphyModel
import MurphySchema

extension ContractAssembly {
  /// The limits stated nearest to the operation; otherwise those of a documented 429.
  mutating func limits(
    _ operation: Located, _ surroundings: Surroundings, _ responses: [ResponsePromise]
  ) -> [Contract.DocumentedLimit] {
    let refusal = responses.first { $0.status == .exactly(429) }
    let headers = refusal?.headers.map(\.name) ?? []
    if Self.statesLimits(operation) { return limits(in: operation, .operation, headers) }
    if let outer = surroundings.limits { return limits(in: outer, surroundings.limitOrigin, headers) }
    guard let refusal else { return [] }
    return [Contract.DocumentedLimit(origin: .response, headers: headers, source: refusal.source)]
  }

  /// True if an operation, a path item or a document has the extension, in any spelling.
  static func statesLimits(_ site: Located) -> Bool {
    site.members.contains { name, _ in
      if extensionNames.contains(name.lowercased()) { return true }
      return prefixedWord(name).map { $0 == "allow" || spellings[$0] == "allow" } ?? false
    }
  }

  /// The extension's limits: a mapping or a list of them under `x-ratelimit`, or one whose fields are separate
  /// extensions (`x-ratelimit-limit: 100` and `x-ratelimit-window: 1h`).
  private mutating func limits(
    in site: Located, _ origin: Contract.DocumentedLimit.Origin, _ headers: [String]
  ) -> [Contract.DocumentedLimit] {
    guard let (_, stated) = site.members.first(where: { Self.extensionNames.contains($0.key.lowercased()) }) else {
      return [limit(site, isFlat: true, origin, headers)].compactMap { $0 }
    }
    let entries = stated.value.array == nil ? [stated] : stated.items
    return entries.compactMap { limit($0, isFlat: false, origin, headers) }
  }

  private mutating func limit(
    _ site: Located, isFlat: Bool, _ origin: Contract.DocumentedLimit.Origin, _ headers: [String]
  ) -> Contract.DocumentedLimit? {
    let known = ["allow", "per", "key", "algorithm", "policy"]
    var fields: [String: Located] = [:]
    for (name, field) in site.members {
      guard let word = Self.prefixedWord(name) ?? (isFlat ? nil : name.lowercased()) else { continue }
      if let meant = Self.spellings[word] ?? (known.contains(word) ? word : nil) {
        fields[meant] = fields[meant] ?? field
        continue
      }
      report("x-ratelimit cannot have \"\(name)\"\(suggestion(for: word, among: known))", at: field, .warning)
    }
    let allowance = fields["allow"]?.value
    guard let allow = allowance?.int ?? allowance?.string.flatMap({ Int($0) }),
      (1...LimitPolicy.mostAllowed).contains(allow)
    else {
      report(
        "x-ratelimit needs \"allow\", the number of requests per window, from 1 to \(LimitPolicy.mostAllowed)",
        at: fields["allow"] ?? site, .warning)
      return nil
    }
    guard let per = fields["per"].flatMap({ Self.duration($0.value) }) else {
      report("x-ratelimit needs \"per\", the window as a duration such as 60s", at: fields["per"] ?? site, .warning)
      return nil
    }
    return Contract.DocumentedLimit(
      allow: allow, per: per, key: key(fields["key"]), algorithm: fields["algorithm"]?.value.string,
      policy: fields["policy"]?.value.string, origin: origin, headers: headers, source: sources.mark(site))
  }

  /// A key or a list of its parts; nil if none is stated, or after reporting an invalid one.
  private mutating func key(_ site: Located?) -> LimitKey? {
    guard let site else { return nil }
    let parts = site.value.array ?? [site.value]
    do throws(LimitKey.Mistake) {
      return try LimitKey(names: parts.map { $0.string ?? $0.text })
    } catch {
      report("x-ratelimit: \(error.message)", at: site, .warning)
      return nil
    }
  }

  private static let extensionNames = ["x-ratelimit", "x-rate-limit", "x-ratelimits", "x-rate-limits"]

  /// Other names for the two required fields of a limit.
  private static let spellings = [
    "limit": "allow", "requests": "allow", "max": "allow", "quota": "allow", "window": "per", "period": "per",
    "interval": "per",
  ]

  /// `limit` of `x-ratelimit-limit`; nil for names of other extensions.
  private static func prefixedWord(_ name: String) -> String? {
    let name = name.lowercased()
    let prefix = ["x-ratelimit-", "x-rate-limit-"].first { name.hasPrefix($0) }
    return prefix.map { String(name.dropFirst($0.count)) }
  }

  /// A duration as a string; a bare number is seconds.
  private static func duration(_ value: JSONValue) -> Duration? {
    let text = value.string.flatMap { try? Quantity.looseDuration($0).get() }
    guard let window = value.double.map(Duration.saturating) ?? text, window > .zero,
      window <= LimitPolicy.longestWindow
    else { return nil }
    return window
  }
}

/// A supported version of the specification.
package struct OpenAPIVersion: Sendable, Hashable {
  /// The minor version; patch versions are equal.
  package enum Line: Sendable, Comparable { case v30, v31, v32 }

  /// The minor version, which selects the rules.
  package let line: Line
  /// The original spelling: `3.1.0`.
  package let text: String

  /// Nil if the document states no supported version.
  package init?(_ root: Located) {
    if SwaggerConversion.applies(to: root.value) {
      (line, text) = (.v30, "2.0")
      return
    }
    guard let text = root["openapi"]?.value.string ?? root["openapi"]?.value.number?.text else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "3" else { return nil }
    switch parts[1] {
    case "0": line = .v30
    case "1": line = .v31
    case "2": line = .v32
    default: return nil
    }
    self.text = text
  }

  /// The reason why `root` is not a supported document.
  package static func diagnostic(_ root: Located, in sources: DocumentSet) -> Diagnostic {
    if let version = root["openapi"] {
      return sources.diagnostic(
        "OpenAPI \(version.value.string ?? version.value.text) is not supported; 3.0, 3.1 and 3.2 are", at: version,
        ofName: false)
    }
    if let version = root["swagger"] {
      return sources.diagnostic(
        "Swagger \(version.value.string ?? version.value.text) is not supported; 2.0 and OpenAPI 3.0, 3.1 and 3.2 are",
        at: version, ofName: false)
    }
    let start = root.value.string?.prefix(5).lowercased() ?? ""
    let reason =
      if root["sessions"] != nil {
        "it is a scenario, with the key \"sessions\""
      } else if start.hasPrefix("<htm") || start.hasPrefix("<!doc") {
        "it is an HTML page. Check the path or the URL; the page may be a login or an API browser"
      } else {
        "the field \"openapi\" with the version is missing, such as openapi: 3.1.0"
      }
    return sources.diagnostic("not an OpenAPI document: \(reason)", at: root, ofName: false)
  }
}
