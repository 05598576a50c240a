import MurphyModel

/// How old an answer may have been when it was made: caches between the API and murphy may hold what was true then.
package enum AnswerAge {
  /// Nanoseconds: `Age`, else how long `Cache-Control` lets a shared cache keep it (RFC 9111 §4.2, §5).
  package static func of(_ fields: FieldTable) -> Int64 {
    guard fields.has(.age) || fields.has(.cacheControl) else { return 0 }
    var control = ""
    for line in fields.lines {
      if line.is(.age) { return seconds(String(decoding: line.value, as: UTF8.self)) }
      if line.is(.cacheControl) { control += "," + String(decoding: line.value, as: UTF8.self).lowercased() }
    }
    let words = control.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\"" } }
    guard !words.contains(where: { ["no-store", "no-cache", "private"].contains($0) }) else { return 0 }
    func named(_ name: String) -> Int64? {
      words.first { $0.hasPrefix(name + "=") }.map { seconds(String($0.dropFirst(name.count + 1))) }
    }
    return (named("s-maxage") ?? named("max-age") ?? 0) + (named("stale-while-revalidate") ?? 0)
  }

  private static func seconds(_ text: String) -> Int64 { min(max(Int64(text) ?? 0, 0), 86_400 * 365) * 1_000_000_000 }
}
