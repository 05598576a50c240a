import MurphyJSON
import MurphyModel

extension ContractAssembly {
  /// The limits stated nearest to the operation; without any, what a documented 429 says.
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

  /// Whether an operation, a path item or a document has the extension, in whatever spelling.
  static func statesLimits(_ site: Located) -> Bool {
    site.members.contains { name, _ in
      if extensionNames.contains(name.lowercased()) { return true }
      return prefixedWord(name).map { $0 == "allow" || spellings[$0] == "allow" } ?? false
    }
  }

  /// The extension's limits: a mapping or a list of them under `x-ratelimit`, or one whose fields stand by themselves
  /// (`x-ratelimit-limit: 100` beside `x-ratelimit-window: 1h`).
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
      let hint = nearestName(to: word, among: known).map { ". Did you mean \"\($0)\"?" } ?? ""
      report("x-ratelimit knows no \"\(name)\"\(hint)", at: field, .warning)
    }
    let allowance = fields["allow"]?.value
    guard let allow = allowance?.int ?? allowance?.string.flatMap({ Int($0) }), (1...1_000_000_000).contains(allow)
    else {
      report(
        "x-ratelimit needs \"allow\", the number of requests per window, from 1 to 1000000000",
        at: fields["allow"] ?? site, .warning)
      return nil
    }
    guard let per = fields["per"].flatMap({ Self.duration($0.value) }) else {
      report("x-ratelimit needs \"per\", the window as a duration such as 60s", at: fields["per"] ?? site, .warning)
      return nil
    }
    return Contract.DocumentedLimit(
      allow: allow, per: per, key: fields["key"]?.value.string, algorithm: fields["algorithm"]?.value.string,
      policy: fields["policy"]?.value.string, origin: origin, headers: headers, source: sources.mark(site))
  }

  private static let extensionNames = ["x-ratelimit", "x-rate-limit", "x-ratelimits", "x-rate-limits"]

  /// Words that other documents use for the two fields that every limit has.
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

  /// `500ms`, `60s`, `1.5m`, `1h`, `1d`, `1 hour`, `minute`; a bare number is seconds.
  static func duration(_ value: JSONValue) -> Duration? {
    guard let window = seconds(value), window > 0, window <= longestWindow else { return nil }
    return .saturating(seconds: window)
  }

  /// Ten years.
  private static let longestWindow = 3_660.0 * 86_400

  private static func seconds(_ value: JSONValue) -> Double? {
    if let seconds = value.double { return seconds }
    guard let text = value.string else { return nil }
    let number = text.prefix { $0.isNumber || $0 == "." }
    // `hour` alone is one.
    let isWord = number.isEmpty && text.count > 1
    guard let amount = isWord ? 1 : Double(number), amount > 0, amount < 1e9 else { return nil }
    switch text.dropFirst(number.count).trimmed {
    case "ms": return amount / 1000
    case "s", "", "sec", "second", "seconds": return amount
    case "m", "min", "minute", "minutes": return amount * 60
    case "h", "hour", "hours": return amount * 3600
    case "d", "day", "days": return amount * 86_400
    default: return nil
    }
  }
}
