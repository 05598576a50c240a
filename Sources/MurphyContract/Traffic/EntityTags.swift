/// Holds the entity tags of one operation's answers against their contents, for a sample of them.
final class EntityTags {
  private struct Seen {
    let tag: [UInt8]
    let content: Int
  }

  private var seen: [String: Seen] = [:]
  private var answers = 0
  private static let targetsKept = 200
  /// The first answers are all looked at, later ones one in 64: to hash a content costs as much as to judge it.
  private static let firstAnswers = 300

  /// - Returns: the rule that this answer breaks beside an earlier one to the same target.
  func observe(_ tag: UnsafeRawBufferPointer, _ response: ResponseView) -> ProtocolSlips.Rule? {
    answers += 1
    guard !response.target.isEmpty, answers <= Self.firstAnswers || answers.isMultiple(of: 64) else { return nil }
    guard let known = seen[response.target] else {
      if seen.count < Self.targetsKept {
        seen[response.target] = Seen(tag: Array(tag), content: Self.hash(response.body))
      }
      return nil
    }
    let isSame = known.tag.elementsEqual(tag)
    let content = Self.hash(response.body)
    if isSame == (known.content == content) { return nil }
    if isSame { return tag.first == UInt8(ascii: "\"") ? .sharedTag : nil }
    return .restlessTag
  }

  private static func hash(_ body: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: body)
    return hasher.finalize()
  }
}
