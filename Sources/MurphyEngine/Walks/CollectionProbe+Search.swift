import MurphyContract
import MurphyModel
import MurphySchema

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
    var answers: [WalkClient.Answer] = []
    for text in Self.words(of: rows, fields: shape.fields).prefix(Self.words) + [Self.absentWord] {
      client.session += 1
      guard let answer = await ask(caller, paging(0, firstSize) + [(name, text)]) else { return }
      answers.append(answer)
    }
    // The word of a single search may be in every row.
    guard answers.count > 1 else {
      return client.recordUntested(.search, of: shape.operation, "no row had a word to search for")
    }
    let isIgnored = answers.allSatisfy { answer in
      client.ids(answer) == all && (client.page(answer)?.total ?? -1) == total
    }
    recordResult(
      .search,
      isIgnored
        ? "\(name)=\(Self.absentWord) and every other search return the same \(all.count) items as no search" : nil,
      answers.last, after: first)
  }

  /// The beginning of a word finds at least the rows of the word. The first search is repeated afterwards if other
  /// clients may write.
  func narrow(_ caller: WalkCaller) async {
    guard let name = shape.searches.first else { return }
    func found(_ text: String) async -> (answer: WalkClient.Answer, count: Int64)? {
      client.session += 1
      guard let answer = await ask(caller, paging(0, firstSize) + [(name, text)]), let page = client.page(answer)
      else { return nil }
      // Without a total, only a page that is not full shows the number of items.
      let count = client.ids(answer).count
      return page.total >= 0 ? (answer, page.total) : count < firstSize ? (answer, Int64(count)) : nil
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
              ? "\(name)=\(text) finds \(next.count) items, but \(name)=\(before.text) only \(most)" : nil,
            next.answer)
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
