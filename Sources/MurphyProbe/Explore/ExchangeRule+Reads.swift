import MurphyEngine
import MurphyModel
import MurphySchema

extension ExchangeRule {
  /// The resource still exists after the read, and its fields are the same.
  static func safeRead(
    _ read: String, _ before: CaseRunner.Performed, _ response: ClientResponse
  ) -> Suspicion? {
    guard before.isSuccess else { return nil }
    if response.status == 404 || response.status == 410 {
      return Suspicion(
        kind: .exploreUnsafeRead,
        message: "the item has status \(response.status) after the read \(read), but \(before.status) before it",
        cause: "gone")
    }
    guard response.isSuccess, let old = before.json.map(Explorer.item),
      let new = (try? JSONValue.parse(response.body)).map(Explorer.item), case .object(let fields) = old
    else { return nil }
    let changed = fields.members.first { field in new[field.key].map { isChange(field.value, $0) } ?? false }
    return changed.map { field in
      Suspicion(
        kind: .exploreUnsafeRead, severity: .note,
        message: "\(field.key) was \(Explorer.short(field.value)) before the read \(read), but is "
          + "\(Explorer.short(new[field.key] ?? .null)) after it", cause: "changed \(field.key)")
    }
  }

  /// True for a different state. Counters and times of reads change in many APIs.
  private static func isChange(_ old: JSONValue, _ new: JSONValue) -> Bool {
    switch (old, new) {
    case (.bool(let one), .bool(let other)): one != other
    // A word, such as the name of a state.
    case (.string(let one), .string(let other)):
      one != other
        && [one, other].allSatisfy { $0.utf8.count <= 30 && $0.allSatisfy { $0.isLetter || "_- ".contains($0) } }
    default: false
    }
  }
}
