/// The keys of one kind of mapping. The reader's checks and the JSON Schema are derived from it.
struct Vocabulary: Sendable {
  struct Key: Sendable {
    let name: String
    /// One sentence, shown by editors.
    let summary: String
    let shape: Shape
    let isRequired: Bool

    init(_ name: String, _ summary: String, _ shape: Shape, isRequired: Bool = false) {
      self.name = name
      self.summary = summary
      self.shape = shape
      self.isRequired = isRequired
    }
  }

  /// The name of its definition in the schema.
  var name: String
  /// With its article, for messages: `a session`.
  var title: String
  var summary: String
  var keys: [Key]
  /// Exactly one of each group must be present.
  var alternatives: [[String]] = []
  /// The alternatives that may also be combined with another.
  var companions: Set<String> = []

  subscript(name: String) -> Key? { keys.first { $0.name == name } }
}

extension Vocabulary {
  init(
    name: String, title: String, summary: String, _ keys: Key..., alternatives: [[String]] = [],
    companions: Set<String> = []
  ) {
    self.init(
      name: name, title: title, summary: summary, keys: keys, alternatives: alternatives, companions: companions)
  }
}

/// The possible values of a key, for the schema. The reader implements them in code.
indirect enum Shape: Sendable {
  case text
  /// String, number, boolean, null, list or mapping, with `${…}` in its strings.
  case template
  /// A string that may contain `${…}`.
  case textTemplate
  case boolean
  case whole(atLeast: Int)
  case number
  case duration
  /// A duration, a distribution of durations, or `${…}`.
  case drawnDuration
  /// A number of times, a range of them, a distribution, or `${…}`.
  case drawnCount
  case rate
  case rateRange
  case users
  case share
  case size
  /// A JSONPath query.
  case path
  case condition
  case status
  case choice([String])
  case constant(String)
  case vocabulary(String)
  case list(Shape)
  /// Any names, each with such a value.
  case names(Shape, String)
  case either([Shape])
  case anything
  /// An unquoted `null`.
  case null

  static let texts = Shape.either([.text, .list(.text)])
  static let steps = Shape.list(.vocabulary("step"))

  /// One of the names of an enumeration.
  static func choice<Choice: RawRepresentable<String> & CaseIterable>(of _: Choice.Type) -> Shape {
    .choice(Choice.allCases.map(\.rawValue))
  }
}
