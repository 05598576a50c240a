import MurphyModel

/// Versions as a chain of slots, each written once: slot v was written at some time between L(v) and U(v). The chain
/// can be satisfied iff the prefix maximum of L never exceeds the suffix minimum of U (docs/state.md §4).
package struct VersionRule: Sendable {
  /// False if others may also write while the run lasts.
  package var isExclusive: Bool

  package init(isExclusive: Bool = true) { self.isExclusive = isExclusive }

  /// A bound with the exchange that sets it; -1 for none.
  private struct Bound {
    var at: Int64
    var index: Int
  }

  /// - Parameter first: the version of the key before the log begins; nil where it is unknown.
  package func judge(_ history: VersionHistory, key: Int32, first: Int64? = nil) -> KeyVerdict {
    var power = KeyVerdict.Power(reads: history.views.count, writes: history.pushes.count)
    let least = history.pushes.lazy.filter { !$0.change.isOptional }.map(\.change.span.from).min() ?? .max
    power.sharp = history.views.count { $0.span.until > least } + max(history.pushes.count { $0.given != nil } - 1, 0)
    let first = first ?? Self.first(history)
    return KeyVerdict(key: key, contradiction(history, first), power: power)
  }

  /// The oldest version that is judged: versions below it existed before.
  private static func first(_ history: VersionHistory) -> Int64 {
    (history.views.map(\.version) + history.pushes.filter { $0.given != nil }.map(\.based)).min() ?? .max
  }

  private func contradiction(_ history: VersionHistory, _ first: Int64) -> StateViolation? {
    var slots = Slots()
    if let violation = enter(history.pushes, &slots) { return violation }
    if let violation = enter(history.views, first, &slots) { return violation }
    if isExclusive, let violation = unwritten(first, &slots) { return violation }
    if let violation = slots.order() { return violation }
    guard isExclusive else { return nil }
    return history.refusals.lazy.compactMap { slots.refused($0, first) }.first
  }

  private func enter(_ pushes: [VersionHistory.Push], _ slots: inout Slots) -> StateViolation? {
    for push in pushes {
      let index = push.change.index
      if push.change.isOptional {
        slots.maybe[push.based + 1, default: []].append((push.change.span.from, push.content, index))
        continue
      }
      guard let given = push.given else {
        // The response did not contain the version: it is the next one.
        slots.maybe[push.based + 1, default: []].append((push.change.span.from, push.content, index))
        continue
      }
      guard given == push.based + 1 else {
        return StateViolation(.stateVersionStep, .versionStep(based: push.based, given: given), witness: [index])
      }
      if let other = slots.writers[given] {
        return StateViolation(.stateVersionTwice, .versionTwice(given), witness: [other, index])
      }
      slots.writers[given] = index
      if push.content >= 0 { slots.contents[given] = (push.content, index) }
      slots.raise(given, to: push.change.span.from, index)
      slots.lower(given, to: push.change.span.until, index)
      slots.raise(given + 1, to: push.change.span.from, index)
    }
    return nil
  }

  private func enter(_ views: [VersionHistory.View], _ first: Int64, _ slots: inout Slots) -> StateViolation? {
    for view in views {
      slots.raise(view.version + 1, to: view.span.from, view.index)
      slots.lower(view.version, to: view.span.until, view.index)
      if isExclusive, view.version > first, slots.writers[view.version] == nil {
        let fits = (slots.maybe[view.version] ?? []).contains {
          $0.from <= view.span.until && (view.content < 0 || $0.content < 0 || $0.content == view.content)
        }
        guard fits else {
          return StateViolation(.stateVersionUnwritten, .versionUnwritten(view.version), witness: [view.index])
        }
      }
      guard view.content >= 0 else { continue }
      if let (content, index) = slots.contents[view.version], content != view.content {
        return StateViolation(.stateVersionContent, .versionContents(view.version), witness: [index, view.index])
      }
      if slots.contents[view.version] == nil { slots.contents[view.version] = (view.content, view.index) }
    }
    return nil
  }

  /// Every version up to the newest one was written by a client of this run.
  private func unwritten(_ first: Int64, _ slots: inout Slots) -> StateViolation? {
    let shown = slots.upper.filter { $0.value.at < Span.forever }
    guard let newest = shown.keys.max(), newest > first, newest - first <= 1_000_000 else { return nil }
    for version in (first + 1)...newest where slots.writers[version] == nil {
      let content = slots.contents[version]?.content
      let writers = (slots.maybe[version] ?? []).filter {
        content == nil || $0.content < 0 || $0.content == content
      }
      guard let earliest = writers.min(by: { $0.from < $1.from }) else {
        let shown = slots.upper.filter { $0.key >= version }.min { $0.key < $1.key }
        return StateViolation(.stateVersionUnwritten, .versionUnwritten(version), witness: [shown?.value.index])
      }
      slots.raise(version, to: earliest.from, earliest.index)
    }
    return nil
  }

  /// Bounds on the times at which versions were written.
  private struct Slots {
    var lower: [Int64: Bound] = [:]
    var upper: [Int64: Bound] = [:]
    var writers: [Int64: Int] = [:]
    /// Pushes that may have written a version.
    var maybe: [Int64: [(from: Int64, content: Int32, index: Int)]] = [:]
    var contents: [Int64: (content: Int32, index: Int)] = [:]
    private var versions: [Int64] = []
    private var earliest: [Bound] = []
    private var latest: [Bound] = []

    mutating func raise(_ version: Int64, to moment: Int64, _ index: Int) {
      if lower[version].map({ $0.at < moment }) ?? true { lower[version] = Bound(at: moment, index: index) }
    }

    mutating func lower(_ version: Int64, to moment: Int64, _ index: Int) {
      if upper[version].map({ $0.at > moment }) ?? true { upper[version] = Bound(at: moment, index: index) }
    }

    /// A version that was written after a later one was over.
    mutating func order() -> StateViolation? {
      versions = Set(lower.keys).union(upper.keys).sorted()
      var best = Bound(at: .min, index: -1)
      earliest = versions.map { version in
        if let bound = lower[version], bound.at > best.at { best = bound }
        return best
      }
      best = Bound(at: .max, index: -1)
      latest = Array(repeating: best, count: versions.count)
      for place in versions.indices.reversed() {
        if let bound = upper[versions[place]], bound.at < best.at { best = bound }
        latest[place] = best
      }
      for place in versions.indices where earliest[place].at > latest[place].at {
        return StateViolation(
          .stateVersionBack, .versionBack(shown: versions[place] - 1, after: versions[place]),
          witness: [earliest[place].index, latest[place].index])
      }
      return nil
    }

    /// A push of the current version that was rejected: the next was written after the rejection, and this one before
    /// it.
    func refused(_ refusal: VersionHistory.Refusal, _ first: Int64) -> StateViolation? {
      guard refusal.value >= first else { return nil }
      let (next, current) = (begin(of: refusal.value + 1), end(of: refusal.value, first))
      guard next.at > refusal.span.until, current.at < refusal.span.from else { return nil }
      return StateViolation(
        .stateVersionRefused, .versionRefused(refusal.value), witness: [refusal.index, next.index, current.index])
    }

    /// The earliest possible time at which a version was written.
    private func begin(of version: Int64) -> Bound {
      let place = count(upTo: version) - 1
      let known = place >= 0 ? earliest[place] : Bound(at: .min, index: -1)
      guard writers[version] == nil else { return known }
      guard let first = maybe[version]?.min(by: { $0.from < $1.from }) else { return Bound(at: .max, index: -1) }
      return first.from > known.at ? Bound(at: first.from, index: first.index) : known
    }

    private func end(of version: Int64, _ first: Int64) -> Bound {
      // No client of this run can have written it: it existed before.
      if version <= first, maybe[version] == nil { return Bound(at: .min, index: -1) }
      let place = count(upTo: version - 1)
      return place < latest.count ? latest[place] : Bound(at: .max, index: -1)
    }

    /// Known versions that are at most `version`.
    private func count(upTo version: Int64) -> Int { versions.prefixCount { $0 <= version } }
  }
}

/// The log of one key with optimistic concurrency: each accepted push increases its version by one.
package struct VersionHistory: Sendable {
  /// A write that is based on a version.
  package struct Push: Sendable {
    /// The possible time of the push.
    package var change: Change
    /// The version that the client had read.
    package var based: Int64
    /// Nil for a push without a response.
    package var given: Int64?
    /// -1 where none was sent or read.
    package var content: Int32

    package init(_ change: Change, based: Int64, given: Int64?, content: Int32) {
      self.change = change
      self.based = based
      self.given = given
      self.content = content
    }
  }

  /// A response that shows a version; also the body of a rejection.
  package struct View: Sendable {
    /// The possible time of the version.
    package var span: Span
    /// The shown version.
    package var version: Int64
    /// A number that represents the content.
    package var content: Int32
    /// The exchange's index in the log.
    package var index: Int

    package init(_ span: Span, version: Int64, content: Int32, index: Int) {
      self.span = span
      self.version = version
      self.content = content
      self.index = index
    }
  }

  /// The base version of a push that was rejected although it may have been current.
  package typealias Refusal = Sighting<Int64>

  /// The pushes that may have taken effect.
  package var pushes: [Push] = []
  /// The responses that show a version.
  package var views: [View] = []
  /// The pushes that were rejected because of their version.
  package var refusals: [Refusal] = []

  package init() {}
}

extension VersionHistory {
  init(_ indices: ArraySlice<Int>, of log: StateLog, _ terms: StateTerms) {
    for index in indices {
      let exchange = log.exchanges[index]
      switch exchange.role {
      case .write:
        guard let based = exchange.value(\.a) else { continue }
        if let change = terms.change(exchange, index: index) {
          pushes.append(Push(change, based: based, given: exchange.value(\.b), content: exchange.c))
        } else if exchange.status == 409 || exchange.status == 412 {
          refusals.append(Refusal(Span(exchange.sent, exchange.answered), value: based, index: index))
        }
      case .read, .conflict:
        guard let version = exchange.value(\.a) else { continue }
        views.append(View(terms.view(exchange), version: version, content: exchange.c, index: index))
      default: break
      }
    }
  }
}
