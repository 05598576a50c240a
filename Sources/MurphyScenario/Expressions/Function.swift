/// The functions of expressions. Adding one here adds it to the language, its schema and its messages.
package enum Function: String, Sendable, Hashable, CaseIterable {
  case uuid, pick, sample, shuffle, int, float, digits, string, words, email
  case now, seq
  case base64, lower, upper, trim, length, text, number, json, join, split, replace, slice
  case count, first, last, contains, unique, sorted, reversed, sum, coalesce = "default"
  case round, floor, ceil, abs, min, max

  /// How many arguments it takes.
  package var arity: ClosedRange<Int> {
    switch self {
    case .uuid, .email, .seq: 0...0
    case .pick, .shuffle, .digits, .base64, .lower, .upper, .trim, .length, .text, .number, .json, .count,
      .first, .last, .unique, .sorted, .reversed, .sum, .round, .floor, .ceil, .abs:
      1...1
    case .string, .words: 1...2
    case .sample, .int, .float, .join, .split, .contains, .coalesce: 2...2
    case .slice: 2...3
    case .replace: 3...3
    case .now: 0...2
    case .min, .max: 1...16
    }
  }

  /// Whether it takes values of the random stream.
  package var draws: Bool {
    switch self {
    case .uuid, .pick, .sample, .shuffle, .int, .float, .digits, .string, .words, .email: true
    default: false
    }
  }

  /// Whether its value comes from the running session rather than from its arguments.
  package var dependsOnRun: Bool { self == .now || self == .seq }

  /// Which arguments may be written as bare words.
  package func takesWord(at argument: Int) -> Bool { self == .now && argument == 0 }

  /// As it is written, for messages.
  package var usage: String {
    switch self {
    case .uuid: "uuid()"
    case .pick: "pick(list)"
    case .sample: "sample(list, n)"
    case .shuffle: "shuffle(list)"
    case .int: "int(low, high)"
    case .float: "float(low, high)"
    case .digits: "digits(n)"
    case .string: "string(n) or string(shortest, longest)"
    case .words: "words(n) or words(fewest, most)"
    case .email: "email()"
    case .now: "now(), now(format) or now(format, \"+2h\")"
    case .seq: "seq()"
    case .base64: "base64(text)"
    case .lower: "lower(text)"
    case .upper: "upper(text)"
    case .trim: "trim(text)"
    case .length: "length(text)"
    case .text: "text(value)"
    case .number: "number(text)"
    case .json: "json(value)"
    case .join: "join(list, separator)"
    case .split: "split(text, separator)"
    case .replace: "replace(text, old, new)"
    case .slice: "slice(value, begin) or slice(value, begin, end)"
    case .count: "count(list)"
    case .first: "first(list)"
    case .last: "last(list)"
    case .contains: "contains(list, value)"
    case .unique: "unique(list)"
    case .sorted: "sorted(list)"
    case .reversed: "reversed(list)"
    case .sum: "sum(list)"
    case .coalesce: "default(value, otherwise)"
    case .round: "round(number)"
    case .floor: "floor(number)"
    case .ceil: "ceil(number)"
    case .abs: "abs(number)"
    case .min: "min(a, b, …)"
    case .max: "max(a, b, …)"
    }
  }
}
