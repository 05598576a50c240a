extension Catalogue {
  /// The laws that everybody knows; they come first, in category 1.
  static let classics: [(title: String?, text: String, by: Attribution?)] = [
    (
      "Murphy's Law", "If anything can go wrong, it will.",
      Attribution(
        id: 0, name: "Edward A. Murphy Jr.",
        contact: .url("https://en.wikipedia.org/wiki/Edward_A._Murphy_Jr."))
    ),
    (
      "Stapp's Paradox", "The universal aptitude for ineptitude makes any human accomplishment an incredible miracle.",
      Attribution(id: 0, name: "John Paul Stapp", contact: .url("https://en.wikipedia.org/wiki/John_Stapp"))
    ),
    (
      "Parkinson's Law", "Work expands so as to fill the time available for its completion.",
      Attribution(
        id: 0, name: "C. Northcote Parkinson", contact: .url("https://en.wikipedia.org/wiki/Parkinson%27s_law"))
    ),
    (
      "Hofstadter's Law", "It always takes longer than you expect, even when you take this law into account.",
      Attribution(
        id: 0, name: "Douglas Hofstadter", contact: .url("https://en.wikipedia.org/wiki/Hofstadter%27s_law"))
    ),
    (
      "The Peter Principle", "In a hierarchy, every employee tends to rise to the level of their incompetence.",
      Attribution(id: 0, name: "Laurence J. Peter", contact: .url("https://en.wikipedia.org/wiki/Peter_principle"))
    ),
    (
      "Brooks's Law", "Adding manpower to a late software project makes it later.",
      Attribution(id: 0, name: "Fred Brooks", contact: .url("https://en.wikipedia.org/wiki/Brooks%27s_law"))
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
