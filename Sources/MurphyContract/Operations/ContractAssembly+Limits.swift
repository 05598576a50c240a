import MurphyJSON
import MurphyModel

extension ContractAssembly {
  /// The limits stated nearest to the operation; without any, what a documented 429 says.
  mutating func limits(
    _ operation: Located, _ surroundings: Surroundings, _ responses: [ResponsePromise]
  ) -> [Contract.DocumentedLimit] {
    let refusal = responses.first { $0.status == .exactly(429) }
    let headers = refusal?.headers.map(\.name) ?? []
    if let own = operation["x-ratelimit"] { return limits(own, .operation, headers) }
    if let outer = surroundings.limits { return limits(outer, surroundings.limitOrigin, headers) }
    guard let refusal else { return [] }
    return [Contract.DocumentedLimit(origin: .response, headers: headers, source: refusal.source)]
  }

  private mutating func limits(
    _ site: Located, _ origin: Contract.DocumentedLimit.Origin, _ headers: [String]
  ) -> [Contract.DocumentedLimit] {
    let entries = site.value.array == nil ? [site] : site.items
    return entries.compactMap { limit($0, origin, headers) }
  }

  private mutating func limit(
    _ site: Located, _ origin: Contract.DocumentedLimit.Origin, _ headers: [String]
  ) -> Contract.DocumentedLimit? {
    let known = ["allow", "per", "key", "algorithm", "policy"]
    for (name, field) in site.members where !known.contains(name) {
      let hint = nearestName(to: name, among: known).map { ". Did you mean \"\($0)\"?" } ?? ""
      report("x-ratelimit knows no \"\(name)\"\(hint)", at: field, .warning)
    }
    guard let allow = site["allow"]?.value.int, (1...1_000_000_000).contains(allow) else {
      report(
        "x-ratelimit needs \"allow\", the number of requests per window, from 1 to 1000000000",
        at: site["allow"] ?? site, .warning)
      return nil
    }
    guard let per = site["per"].flatMap({ Self.duration($0.value) }) else {
      report("x-ratelimit needs \"per\", the window as a duration such as 60s", at: site["per"] ?? site, .warning)
      return nil
    }
    return Contract.DocumentedLimit(
      allow: allow, per: per, key: site["key"]?.value.string, algorithm: site["algorithm"]?.value.string,
      policy: site["policy"]?.value.string, origin: origin, headers: headers, source: sources.mark(site))
  }

  /// `500ms`, `60s`, `1.5m`, `1h`, `1d`; a bare number is seconds.
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
    guard let amount = Double(number), amount > 0, amount < 1e9 else { return nil }
    switch text.dropFirst(number.count).trimmed {
    case "ms": return amount / 1000
    case "s", "": return amount
    case "m", "min": return amount * 60
    case "h": return amount * 3600
    case "d": return amount * 86_400
    default: return nil
    }
  }
}
