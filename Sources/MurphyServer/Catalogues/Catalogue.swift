import Foundation

/// The laws of the reference API: 1,234 of them, the same for a seed, readable, and sometimes true.
struct Catalogue: Sendable {
  static let lawCount = 1234

  let laws: [Law]
  /// With ids from 1, in alphabetical order.
  let attributions: [Attribution]

  init(seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    let people = Self.people()
    var laws = Self.classics.map { classic in
      Self.law(
        classic.text, title: classic.title, category: 1, by: classic.by.map { [$0] } ?? [], isFamous: true, &numbers)
    }
    var sentences = Self.categories.map { Self.sentences(of: $0, &numbers) }
    var category = 0
    while laws.count < Self.lawCount {
      if let text = sentences[category].popLast() {
        laws.append(Self.attributed(text, category: category, people: people, &numbers))
      }
      category = (category + 1) % Self.categories.count
    }
    let names = Dictionary(
      laws.flatMap(\.attributions).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    attributions = names.values.sorted { $0.name < $1.name }.enumerated().map { index, person in
      Attribution(id: index + 1, name: person.name, contact: person.contact)
    }
    let known = Dictionary(uniqueKeysWithValues: attributions.map { ($0.name, $0) })
    for index in laws.indices {
      laws[index].id = index + 1
      laws[index].attributions = laws[index].attributions.compactMap { known[$0.name] }
    }
    self.laws = laws
  }

  /// All sentences of a category in random order: each template once, with one of the category's things.
  private static func sentences(of words: CategoryWords, _ numbers: inout SeededNumbers) -> [String] {
    templates.shuffled(using: &numbers).map { template in
      let gaps = [
        ("thing", numbers.pick(words.things)), ("people", numbers.pick(words.people)),
        ("moment", numbers.pick(words.moments)),
      ]
      return gaps.reduce(template) { sentence, gap in
        sentence.replacingOccurrences(of: "{\(gap.0)}", with: gap.1)
          .replacingOccurrences(of: "{\(gap.0.prefix(1).uppercased())\(gap.0.dropFirst())}", with: capitalised(gap.1))
      }
    }
  }

  /// One law in two has a title, and nearly all of those the name of whom it is attributed to.
  private static func attributed(
    _ text: String, category: Int, people: [Attribution], _ numbers: inout SeededNumbers
  ) -> Law {
    var credits = (0..<[0, 0, 1, 1, 1, 2][numbers.below(6)]).map { _ in numbers.pick(people) }
    if credits.count == 2, credits[0].name == credits[1].name { credits.removeLast() }
    let surname = credits.first.flatMap { $0.name.split(separator: " ").last }.map(String.init)
    let kind = numbers.pick(["Law", "Corollary", "Principle", "Paradox", "Axiom", "Observation", "Constant", "Lemma"])
    let title = numbers.below(2) == 0 ? nil : "\(surname ?? "Murphy")'s \(kind) of \(categories[category].title)"
    return law(text, title: title, category: category + 1, by: credits, &numbers)
  }

  private static func law(
    _ text: String, title: String?, category: Int, by credits: [Attribution], isFamous: Bool = false,
    _ numbers: inout SeededNumbers
  ) -> Law {
    // Few laws are famous: the fourth power of a uniform number makes most counts small.
    let fame = pow(Double(numbers.below(1000)) / 1000, 4) + (isFamous ? 1 : 0)
    let created = 1_546_300_800 + numbers.below(200_000_000)
    return Law(
      id: 0, text: text, title: title, categoryID: category, upvotes: Int(fame * 400) + numbers.below(12),
      downvotes: numbers.below(9), createdAt: Timestamp.text(secondsSince1970: created), attributions: credits)
  }

  private static func capitalised(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
