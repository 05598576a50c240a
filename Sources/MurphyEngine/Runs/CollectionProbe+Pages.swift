import MurphyContract
import MurphyModel
import MurphySchema

/// A collection page by page: the consistency of two pages, the last page, and the targets of links.
extension CollectionProbe {
  private static let pagesOfAWalk = 60
  private static let pagesAmongOthers = 6

  /// Page after page to the end, or as far as possible. With other clients each page is read again after the next one.
  func walk(
    _ caller: WalkCaller, by query: [(String, String)], most: Int? = nil, size wanted: Int? = nil
  ) async {
    client.session += 1
    let size = wanted ?? size
    let pages = most ?? (isAlone ? Self.pagesOfAWalk : Self.pagesAmongOthers)
    var end: WalkClient.Response?
    for number in 0..<pages {
      guard let response = await send(caller, query + paging(number, size)) else { return }
      let count = rows(response).count
      if let end, !Set(client.ids(response)).isSubset(of: client.ids(end)) { recordEnd(end, before: response) }
      end = shape.next.map { response.member($0) == .null } == true ? response : nil
      follow(response, number, size)
      if !isAlone, number > 0, let again = caller.request(query + paging(number - 1, size)) {
        _ = await client.send(again, shape.operation)
      }
      if count < size { return }
    }
  }

  /// A page without a link to a next one, although the next one has items.
  private func recordEnd(_ end: WalkClient.Response, before response: WalkClient.Response) {
    guard isStill, let path = shape.next else { return }
    recordResult(.next, "\(path.joined(separator: ".")) is null, but the next page has items", response, after: end)
  }

  /// Checks that the link to the next page leads to the next page.
  private func follow(_ response: WalkClient.Response, _ number: Int, _ size: Int) {
    guard let link = shape.next.flatMap({ response.member($0)?.string }),
      let query = link.split(separator: "?", maxSplits: 1).dropFirst().first
    else { return }
    for pair in query.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let found = Int(parts[1]) else { continue }
      let name = String(parts[0])
      var expected: Int?
      if name == shape.offset?.name { expected = (number + 1) * size }
      if name == shape.page?.name, let first = shape.page?.first { expected = first + number + 1 }
      guard let expected else { continue }
      recordResult(
        .next,
        found == expected
          ? nil : "the link to the next page has \(name)=\(found), expected \(name)=\(expected)",
        response)
    }
  }

  // MARK: without a whole walk

  /// The first two pages of half the size have the items of the first page.
  func compareSizes(_ caller: WalkCaller) async {
    let half = firstSize / 2
    guard isStill, shape.id != nil, let first, half >= max(shape.limit?.minimum ?? 1, 2) else { return }
    let whole = Array(client.ids(first).prefix(2 * half))
    guard whole.count > half, let low = await send(caller, paging(0, half)),
      let high = await send(caller, paging(1, half))
    else { return }
    let (before, behind) = (client.ids(low), client.ids(high))
    guard !before.isEmpty else { return }
    let twice = Set(before).intersection(behind)
    recordResult(
      .repeats,
      twice.isEmpty
        ? nil : "with a page size of \(half), \(twice.count) items of the first page are repeated on the second page",
      high,
      after: low)
    let missing = Set(whole).subtracting(before).subtracting(behind)
    recordResult(
      .skips,
      missing.isEmpty
        ? nil
        : "\(missing.count) of the \(whole.count) items of a page are on neither page when the page size is \(half)",
      high,
      after: first)
  }

  /// The last page according to the total, if there are too many pages to read them all.
  func jumpToTheEnd(_ caller: WalkCaller) async {
    let size = size
    guard isStill, shape.total != nil, size > 0, total > Int64(size * Self.pagesOfAWalk) else { return }
    let number = Int((total - 1) / Int64(size))
    client.session += 1
    guard let last = await send(caller, paging(number, size)), let page = client.page(last), page.total == total else {
      return
    }
    let (count, wanted) = (rows(last).count, Int(total) - number * size)
    recordResult(
      .skips,
      count >= wanted
        ? nil : "the page after \(number * size) items has \(count) items, but the total is \(total)", last)
  }
}

/// Searches for words of the rows and for one that no row contains.
extension CollectionProbe {
  /// Fewer rows may all contain one word.
  private static let rowsNeeded = 5
  private static let words = 2
  private static let absentWord = "zqxjkvwpzq"

  /// A search with the same result for every string as without a search does not filter at all.
  func search(_ caller: WalkCaller) async {
    guard let name = shape.searches.first, let first, rows.count >= Self.rowsNeeded else {
      if !shape.searches.isEmpty {
        client.recordUntested(.search, of: shape.operation, "the list had fewer than \(Self.rowsNeeded) items")
      }
      return
    }
    let all = client.ids(first)
    guard !all.isEmpty else { return }
    var responses: [WalkClient.Response] = []
    for text in Self.words(of: rows, fields: shape.fields).prefix(Self.words) + [Self.absentWord] {
      client.session += 1
      guard let response = await send(caller, paging(0, firstSize) + [(name, text)]) else { return }
      responses.append(response)
    }
    // The word of a single search may be in every row.
    guard responses.count > 1 else {
      return client.recordUntested(.search, of: shape.operation, "no item contained a word to search for")
    }
    let isIgnored = responses.allSatisfy { response in
      client.ids(response) == all && (client.page(response)?.total ?? -1) == total
    }
    recordResult(
      .search,
      isIgnored
        ? "\(name)=\(Self.absentWord) and every other search return the same \(all.count) items as a request without a "
          + "search" : nil,
      responses.last, after: first)
  }

  /// The beginning of a word finds at least the rows of the word. The first search is repeated afterwards if other
  /// clients may write.
  func narrow(_ caller: WalkCaller) async {
    guard let name = shape.searches.first else { return }
    func found(_ text: String) async -> (response: WalkClient.Response, count: Int64)? {
      client.session += 1
      guard let response = await send(caller, paging(0, firstSize) + [(name, text)]), let page = client.page(response)
      else { return nil }
      // Without a total, only a page that is not full shows the number of items.
      let count = client.ids(response).count
      return page.total >= 0 ? (response, page.total) : count < firstSize ? (response, Int64(count)) : nil
    }
    for word in Self.words(of: rows, fields: shape.fields).prefix(Self.words) {
      var shorter: (text: String, count: Int64)?
      for length in Self.beginnings.filter({ $0 < word.count }) + [word.count] {
        let text = String(word.prefix(length))
        // Too short a string may be rejected, or find nothing.
        guard let next = await found(text), next.count > 0 || text == word else { continue }
        if let before = shorter {
          var most = before.count
          let isMore = next.count > most
          if isMore, !isStill, let again = await found(before.text) { most = max(most, again.count) }
          recordResult(
            .search,
            next.count > most
              ? "\(name)=\(text) finds \(next.count) items, but \(name)=\(before.text) finds only \(most)" : nil,
            next.response)
          if next.count > most { return }
        }
        shorter = (text, next.count)
      }
    }
  }

  private static let beginnings = [2, 4]

  /// Long words of distant rows, as a user would search for them.
  static func words(of rows: [JSONValue], fields: [String]) -> [String] {
    [0, rows.count - 1, rows.count / 2].compactMap { place -> String? in
      guard rows.indices.contains(place) else { return nil }
      let texts = fields.compactMap { rows[place][$0]?.string }
      let words = texts.flatMap { text in text.split { !$0.isLetter } }
      return words.filter { (4...20).contains($0.count) && $0.allSatisfy(\.isASCII) }
        .max { $0.count < $1.count }.map(String.init)
    }
  }
}
