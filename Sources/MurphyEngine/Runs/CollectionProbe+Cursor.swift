import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// A list that is read from cursor to cursor: each response contains the cursor of the next one.
extension CollectionProbe {
  /// One response of the sequence.
  private struct Stop {
    var response: WalkClient.Response
    var ids: [Int64]
    /// Nil if responses do not contain it.
    var hasMore: Bool?
    var next: String?
  }

  /// The responses from the first one on, and whether they reached the end of the list.
  private struct Trail {
    var stops: [Stop] = []
    var isWhole = false
    /// True if the cursors themselves are wrong, so that the items between them cannot be used.
    var isBroken = false

    var ids: [Int64] { stops.flatMap(\.ids) }
  }

  private static let stopsOfATrail = 24

  /// Read in the largest pages, in small ones, and in large ones again: without other writers, each shows all items.
  func follow(_ cursor: CollectionShape.Cursor, _ caller: WalkCaller) async {
    guard isStill else {
      return client.recordUnsupported(.cursor, of: shape.operation, "other clients may write at the same time")
    }
    let large = shape.limit.map { $0.maximum ?? max($0.standard ?? 20, 1) }
    let before = await trail(cursor, caller, pieces: large)
    guard before.isWhole, !before.ids.isEmpty else { return }
    var trails = [before]
    if shape.limit != nil {
      let small = max((before.ids.count + 2) / 3, shape.limit?.minimum ?? 1, 1)
      trails.append(await trail(cursor, caller, pieces: min(small, large ?? small)))
    }
    trails.append(await trail(cursor, caller, pieces: large))
    guard trails.allSatisfy({ $0.isWhole && !$0.isBroken }) else { return }
    guard trails.contains(where: { $0.stops.count >= 2 }) else {
      return client.recordUntested(.cursor, of: shape.operation, "the first response contained the whole list")
    }
    compare(trails)
    recordResult(.cursor, nil, trails[0].stops.last?.response)
  }

  private func trail(_ cursor: CollectionShape.Cursor, _ caller: WalkCaller, pieces: Int?) async -> Trail {
    client.session += 1
    var trail = Trail()
    var token: String?
    while trail.stops.count < Self.stopsOfATrail {
      guard let stop = await stop(cursor, caller, pieces, token) else { return trail }
      let last = trail.stops.last
      trail.stops.append(stop)
      if cursor.isMoment { checkMoment(stop, cursor) }
      guard stop.hasMore ?? (stop.next != nil && !stop.ids.isEmpty) else {
        trail.isWhole = true
        await checkEnd(cursor, caller, pieces, &trail)
        return trail
      }
      guard let next = stop.next else {
        trail.isBroken = true
        recordResult(
          .cursor, "the response announces more items, but \(cursor.path.joined(separator: ".")) is missing",
          stop.response)
        return trail
      }
      if stop.ids.isEmpty, let last, last.next == next, stop.hasMore == true {
        trail.isBroken = true
        recordResult(
          .cursor, "the response announces more items, but the next page is empty and repeats the cursor",
          stop.response,
          after: last.response)
        return trail
      }
      if next == token, !stop.ids.isEmpty {
        trail.isBroken = true
        recordResult(
          .cursor, "the cursor refers to its own page: the next response is the same page", stop.response,
          after: last?.response)
        return trail
      }
      token = next
    }
    return trail
  }

  private func stop(
    _ cursor: CollectionShape.Cursor, _ caller: WalkCaller, _ pieces: Int?, _ token: String?
  ) async -> Stop? {
    var query: [(String, String)] = []
    if let pieces, let limit = shape.limit { query.append((limit.name, String(pieces))) }
    if let token { query.append((cursor.name, token)) }
    guard let response = await send(caller, query), let value = response.value else { return nil }
    func member(_ path: [String]) -> JSONValue? { path.reduce(value) { $0?[$1] } }
    let more = shape.hasMore.flatMap { member($0) }
    let hasMore: Bool? = if case .bool(let truth)? = more { truth } else { nil }
    return Stop(
      response: response, ids: client.ids(response), hasMore: hasMore,
      next: member(cursor.path)?.string.flatMap { $0.isEmpty ? nil : $0 })
  }

  /// This is declared as the last response. If it nevertheless has a cursor, there must be no items after it.
  private func checkEnd(
    _ cursor: CollectionShape.Cursor, _ caller: WalkCaller, _ pieces: Int?, _ trail: inout Trail
  ) async {
    guard let last = trail.stops.last, last.hasMore == false, let token = last.next,
      let behind = await stop(cursor, caller, pieces, token)
    else { return }
    let more = Set(behind.ids).subtracting(trail.ids)
    guard !more.isEmpty else { return }
    trail.isBroken = true
    recordResult(
      .cursor, "the response announces no more items, but the next request returns \(more.count) new items",
      behind.response, after: last.response)
  }

  /// A client that continues from a cursor misses changes between the response and the time of its cursor.
  private func checkMoment(_ stop: Stop, _ cursor: CollectionShape.Cursor) {
    // A cache or a gateway has a clock of its own.
    guard stop.response["via"] == nil, stop.response["age"] == nil,
      let moment = stop.next.flatMap({ HTTPDate.seconds(iso: $0) }),
      let now = stop.response["date"].flatMap({ HTTPDate.seconds($0) })
    else { return }
    // The field has whole seconds, servers update it periodically, and clocks differ: murphy's own must agree.
    guard moment > now + 1.5, moment > Double(WallClock.nanoseconds()) / 1e9 + 0.5 else { return }
    recordResult(
      .cursor,
      "\(cursor.path.joined(separator: ".")) is later than the Date of the response: a client that continues from this "
        + "cursor misses the changes between the two times", stop.response)
  }

  private func compare(_ trails: [Trail]) {
    for trail in trails {
      var seen: Set<Int64> = []
      for (index, stop) in trail.stops.enumerated() {
        if index > 0, !seen.isDisjoint(with: stop.ids) {
          // A feed of changes may include items with exactly the requested time.
          let isFeed = shape.cursor?.isMoment == true
          return recordResult(
            .repeats, "a page repeats items of the previous page", stop.response,
            after: trail.stops[index - 1].response,
            severity: isFeed ? .warning : .error)
        }
        seen.formUnion(stop.ids)
      }
      if trail.stops.count >= 2 { recordResult(.repeats, nil, trail.stops.last?.response) }
    }
    let all = Set(trails.flatMap(\.ids))
    let short = trails.first { Set($0.ids) != all }
    let whole = trails.first { Set($0.ids) == all }
    let missing = short.map { all.count - Set($0.ids).count } ?? 0
    recordResult(
      .skips,
      missing == 0
        ? nil
        : "\(missing) of \(all.count) items were missing when murphy read all pages once, and present when it read all "
          + "pages again",
      (short ?? trails[0]).stops.last?.response, after: whole?.stops.last?.response)
  }
}
