/// A category and the words from which its laws are made.
struct CategoryWords: Sendable {
  var title: String
  var description: String
  /// With article, as in "the printer".
  var things: [String]
  /// Plural, as in "the users".
  var people: [String]
  /// When it goes wrong, as in "on a Friday evening".
  var moments: [String]

  init(_ title: String, _ description: String, things: String, people: String, moments: String) {
    self.title = title
    self.description = description
    self.things = things.components(of: ";")
    self.people = people.components(of: ";")
    self.moments = moments.components(of: ";")
  }

  /// The title in lower case, words joined by hyphens, everything else left out.
  var slug: String {
    title.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "'")) }
      .map { $0.filter { $0 != "'" } }.joined(separator: "-")
  }
}

extension String {
  fileprivate func components(of separator: Character) -> [String] {
    split(separator: separator).map { $0.drop { $0 == " " } }.map(String.init)
  }
}
