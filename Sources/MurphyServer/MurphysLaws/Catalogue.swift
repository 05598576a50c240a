import Foundation

/// The laws of the reference API: 1,234 readable sentences, the same for a seed.
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

  /// All sentences of a category in random order: each template once, with one of the category's nouns.
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

  /// One law in two has a title. Nearly all of those name the person to whom the law is attributed.
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

extension Catalogue {
  /// Invented contributors: one in three has a web page, one in three an email address, the rest no contact.
  static func people() -> [Attribution] {
    let given = [
      "Ada", "Basil", "Clara", "Dmitri", "Edna", "Fergus", "Greta", "Hugo", "Imogen", "Jasper", "Keiko", "Lionel",
    ]
    let family = ["Bungle", "Crumpet", "Drizzle", "Fumble", "Glitch", "Hiccup", "Mishap", "Snag"]
    return given.enumerated().flatMap { row, first in
      family.enumerated().compactMap { column, last in
        guard (row + column) % 2 == 0 else { return nil }
        let handle = "\(first).\(last)".lowercased()
        let contact: Attribution.Contact? =
          switch (row * family.count + column) % 3 {
          case 0: .init(type: "url", value: "https://\(last.lowercased()).example.org/~\(first.lowercased())")
          case 1: .init(type: "email", value: "\(handle)@example.com")
          default: nil
          }
        return Attribution(id: 0, name: "\(first) \(last)", contact: contact)
      }
    }
  }
}

/// A category and the words from which its laws are generated.
struct CategoryWords: Sendable {
  var title: String
  var description: String
  /// With article, as in "the printer".
  var things: [String]
  /// Plural, as in "the users".
  var people: [String]
  /// The time at which it goes wrong, as in "on a Friday evening".
  var moments: [String]

  init(_ title: String, _ description: String, things: String, people: String, moments: String) {
    self.title = title
    self.description = description
    self.things = things.components(separatedBy: "; ")
    self.people = people.components(separatedBy: "; ")
    self.moments = moments.components(separatedBy: "; ")
  }

  /// The title in lower case, words joined by hyphens, all other characters left out.
  var slug: String {
    title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "'")) }
      .map { $0.filter { $0 != "'" } }.joined(separator: "-")
  }
}

extension Catalogue {
  /// Well-known laws; they are first, in category 1.
  static let classics: [(title: String?, text: String, by: Attribution?)] = [
    (
      "Murphy's Law", "If anything can go wrong, it will.",
      .onWikipedia("Edward A. Murphy Jr.", "Edward_A._Murphy_Jr.")
    ),
    (
      "Stapp's Paradox", "The universal aptitude for ineptitude makes any human accomplishment an incredible miracle.",
      .onWikipedia("John Paul Stapp", "John_Stapp")
    ),
    (
      "Parkinson's Law", "Work expands so as to fill the time available for its completion.",
      .onWikipedia("C. Northcote Parkinson", "Parkinson%27s_law")
    ),
    (
      "Hofstadter's Law", "It always takes longer than you expect, even when you take this law into account.",
      .onWikipedia("Douglas Hofstadter", "Hofstadter%27s_law")
    ),
    (
      "The Peter Principle", "In a hierarchy, every employee tends to rise to the level of their incompetence.",
      .onWikipedia("Laurence J. Peter", "Peter_principle")
    ),
    (
      "Brooks's Law", "Adding manpower to a late software project makes it later.",
      .onWikipedia("Fred Brooks", "Brooks%27s_law")
    ),
    ("O'Toole's Commentary", "Murphy was an optimist.", nil),
    ("Sod's Law", "If something can go wrong, it will, with the greatest possible consequences.", nil),
    ("The Toast Theorem", "A slice of bread falls on its buttered side.", nil),
    ("Etorre's Observation", "The other queue moves faster.", nil),
    ("The First Corollary", "Nothing is as easy as it looks.", nil),
    ("The Second Corollary", "Everything takes longer than you think.", nil),
    (nil, "Left to themselves, things tend to go from bad to worse.", nil),
    (nil, "Nature always sides with the hidden flaw.", nil),
    (nil, "If everything seems to be going well, you have obviously overlooked something.", nil),
    (nil, "It is impossible to make anything foolproof because fools are so ingenious.", nil),
    (nil, "Whenever you set out to do something, something else must be done first.", nil),
    (nil, "Every solution breeds new problems.", nil),
  ]
}

extension Attribution {
  fileprivate static func onWikipedia(_ name: String, _ page: String) -> Attribution {
    Attribution(id: 0, name: name, contact: Contact(type: "url", value: "https://en.wikipedia.org/wiki/" + page))
  }
}

extension Catalogue {
  /// Sentences with gaps: `{thing}`, `{people}` and `{moment}` of a category; with a capital letter at the beginning.
  static let templates: [String] = [
    "{Thing} works perfectly until {people} are watching.",
    "If {thing} can fail only once, it will be {moment}.",
    "{Thing} will be found in the last place you look, and you will have looked there first.",
    "The probability that {thing} fails is proportional to the number of {people} in the room.",
    "Nothing ever happens to {thing} until you mention that nothing ever happens to {thing}.",
    "Whenever you need {thing}, {people} have it.",
    "{Thing} never breaks in a way that {people} can see.",
    "Once you have replaced {thing}, the old one begins to work again.",
    "There is always time to repair {thing} {moment}, but never before.",
    "The simpler {thing} looks, the longer {people} will discuss it.",
    "Any attempt to improve {thing} makes it worse, and {people} will prefer it that way.",
    "If {people} say that {thing} is foolproof, a better fool is already on the way.",
    "{Thing} obeys no law except this one, and not {moment}.",
    "Two of {people} will give you three opinions on {thing}; all of them apply {moment}.",
    "You will remember where {thing} is the moment you no longer need it.",
    "A watched problem with {thing} never occurs; an ignored one occurs {moment}.",
    "The cost of {thing} is known exactly only when it is too late to complain.",
    "Whatever you do about {thing}, you should have done it before {people} arrived.",
    "If {thing} seems to be going well, you have overlooked {people}.",
    "The light at the end of the tunnel is {thing}, coming towards you {moment}.",
    "{Thing} fits everywhere except where it belongs.",
    "The one time you leave {thing} at home is the one time {people} ask for it.",
    "Every solution for {thing} breeds two new problems, both of them {moment}.",
    "{People} who can explain {thing} are never there {moment}.",
    "A spare for {thing} guarantees that something else will break.",
    "The instructions for {thing} begin to make sense when you have finished without them.",
    "{Thing} will wait for the warranty, and for you, and then go wrong {moment}.",
    "In any group of {people}, the one holding {thing} knows least about it.",
    "You can never find {thing} that you bought so that you would never have to look for it again.",
    "When {people} finally agree about {thing}, it no longer matters.",
    "The chance of {thing} falling down grows with the value of what lies under it.",
    "All parts of {thing} are equally important, but the missing one is more equal.",
    "It is impossible to make {thing} safe from {people} who are sufficiently helpful.",
    "{Thing} is always ready one day after you gave up waiting for it.",
    "The less you think about {thing}, the more {people} do.",
    "Trouble with {thing} comes in threes, and the third one comes {moment}.",
    "If you understand {thing}, it is out of date.",
    "{Moment}, {thing} has its own opinion.",
    "{Moment}, the only thing that works is the thing you brought in case of {thing}.",
    "{Moment}, even {people} become experts on {thing}.",
    "The quickest way to find {thing} is to start looking for something else {moment}.",
    "{Thing} has two states: not needed and not available.",
    "What {people} call a minor issue with {thing} is called history afterwards.",
    "Left to itself, {thing} goes from bad to worse; {people} only speed it up.",
    "If there are two ways to hold {thing}, {people} will show you a third.",
    "The last one to touch {thing} will be you.",
  ]
}
