import MurphyJSON
import MurphyModel

/// Whether the credentials of the user who explores still work: from some response on, all requests with them to
/// operations that had succeeded are answered 401. A response 403 may come from a limiter, or forbid this one thing.
struct ExploreCredentials {
  private var works: Set<Int> = []
  private var rejected: Set<Int> = []
  private var rejections = 0
  private var first = 0.0
  private static let fewest = 20

  /// Nil while they work.
  private(set) var lost: LostCredentials?

  /// A request with the user's own credentials.
  mutating func saw(_ performed: CaseRunner.Performed) {
    guard lost == nil else { return }
    let operation = performed.call.operation
    switch performed.status {
    case 401:
      guard works.contains(operation) else { return }
      if rejections == 0 { first = performed.sent }
      rejections += 1
      rejected.insert(operation)
      guard rejections >= Self.fewest, rejected.count > 1 else { return }
      lost = LostCredentials(at: (first * 1e3).rounded(.down) / 1e3, rejections: rejections)
    // Bad requests may be rejected before the server checks credentials.
    case 200..<300:
      works.insert(operation)
      (rejections, rejected) = (0, [])
    default: break
    }
  }
}

extension JSONValue {
  /// The texts of members with these names, at any depth.
  func texts(of names: Set<String>) -> [String] {
    switch self {
    case .object(let object):
      object.members.flatMap { member -> [String] in
        if names.contains(member.key), let text = member.value.string, text.utf8.count >= 8 { return [text] }
        return member.value.texts(of: names)
      }
    case .array(let items): items.prefix(100).flatMap { $0.texts(of: names) }
    default: []
    }
  }
}
