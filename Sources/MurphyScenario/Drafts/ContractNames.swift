import MurphyContract
import MurphyModel
import MurphySchema

/// Fields of a body that name an item of another collection: `book_id`, `authorId`.
package enum BodyNames {
  /// Their places, with the item's noun.
  ///
  /// - Parameter isCollection: true if a name without `id` at its end names a collection: `task` with a number or a
  ///   UUID.
  package static func references(
    in body: JSONValue, isCollection: (_ name: String, _ isNumber: Bool) -> Bool = { _, _ in false }
  ) -> [(pointer: JSONPointer, name: String)] {
    var found: [(JSONPointer, String)] = []
    func isBare(_ value: JSONValue, _ name: String, isElement: Bool) -> Bool {
      guard value.int != nil || value.string.map(isUUID) == true else { return false }
      return (isElement || DraftNames.singular(name) == name) && isCollection(name, value.int != nil)
    }
    func visit(_ value: JSONValue, _ pointer: JSONPointer, _ name: String, isElement: Bool = false) {
      guard pointer.tokens.count <= 4 else { return }
      switch value {
      case .object(let object):
        for member in object.members { visit(member.value, pointer.appending(member.key), member.key) }
      case .array(let items):
        for (index, item) in items.enumerated() { visit(item, pointer.appending(index), name, isElement: true) }
      case .string, .number:
        if isReference(name) || isBare(value, name, isElement: isElement) { found.append((pointer, name)) }
      default: break
      }
    }
    visit(body, .root, "")
    return found
  }

  /// Upper or lower case.
  package static func isUUID(_ text: String) -> Bool {
    text.wholeMatch(of: /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/) != nil
  }

  /// True if the field names an item of another collection.
  package static func isReference(_ name: String) -> Bool { suffix(of: name) != nil }

  /// `bookId` → `book`
  package static func noun(_ name: String) -> String {
    let stem = suffix(of: name).map { String(name.dropLast($0.count)) } ?? name
    return DraftNames.plain(DraftNames.singular(stem))
  }

  private static func suffix(of name: String) -> String? {
    ["_ids", "_id", "Ids", "IDs", "Id", "ID", "_uuid", "Uuid", "-id"].first {
      name.hasSuffix($0) && name.count > $0.count
    }
  }
}

/// The collections of a contract, by the names that bodies use for their items.
package struct CollectionNames: Sendable {
  /// By noun: the shortest path, in segments.
  private var paths: [String: [String]] = [:]
  /// Collections whose items have numeric names.
  private var numbered: Set<[String]> = []

  package init(_ paths: some Sequence<[String]>, _ contract: Contract) {
    for (index, operation) in contract.operations.enumerated() {
      for (name, prefix) in PathShape(operation.path).parameters where contract.takesInteger(name, in: index) {
        numbered.insert(prefix)
      }
    }
    for path in paths.sorted(by: { ($0.count, $0.joined()) < ($1.count, $1.joined()) }) {
      guard let last = path.last else { continue }
      for noun in [DraftNames.singular(last), last].map(DraftNames.plain) where self.paths[noun] == nil {
        self.paths[noun] = path
      }
    }
  }

  /// The path of the collection whose item a field such as `bookId` or `author` names.
  package subscript(name: String) -> [String]? { paths[BodyNames.noun(name)] }

  /// True if the items of the collection have numeric names.
  func hasNumbers(_ collection: [String]) -> Bool { numbered.contains(collection) }

  /// With the name of the collection that each one refers to.
  package func references(in body: JSONValue) -> [(pointer: JSONPointer, name: String)] {
    // The type must match: a number is not a name if the items have strings, and the reverse.
    BodyNames.references(in: body) { name, isNumber in self[name].map { numbered.contains($0) == isNumber } == true }
  }
}

/// Forms the names of sessions, steps and values in a draft.
package enum DraftNames {
  /// `laws` → `law`, `categories` → `category`, `addresses` → `address`.
  package static func singular(_ word: String) -> String {
    if word.hasSuffix("ies"), word.count > 4 { return word.dropLast(3) + "y" }
    if word.hasSuffix("sses") || word.hasSuffix("xes") || word.hasSuffix("ches") { return String(word.dropLast(2)) }
    if word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 { return String(word.dropLast()) }
    return word
  }

  /// A name of the scenario language: letters and digits, with a lower-case first letter. It is not a keyword of the
  /// language.
  static func variable(_ text: String) -> String {
    let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let name = words.enumerated().map { index, word in
      index == 0 ? word.prefix(1).lowercased() + word.dropFirst() : word.capitalizedFirst
    }.joined()
    if name.first?.isLetter != true { return "x" + name }
    return ContextName(rawValue: name) != nil || ["true", "false", "null"].contains(name) ? name + "Value" : name
  }

  /// Letters and digits only, in lower case: `law_id` and `lawId` are one name.
  package static func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
}

/// Gives each value of a scenario a unique name.
struct VariableNames {
  private var taken: Set<String> = []

  mutating func new(_ wish: String) -> String {
    let name = DraftNames.variable(wish).numbered(where: taken.contains)
    taken.insert(name)
    return name
  }
}

/// The path of an operation, cut into segments. Paths that differ only in parameter names are equal.
package struct PathShape: Hashable, Sendable {
  /// `laws`, `{}`
  package let segments: [String]
  /// Each parameter with the segments before it, in order.
  package let parameters: [(name: String, prefix: [String])]

  package init(_ path: String) {
    var segments: [String] = []
    var parameters: [(name: String, prefix: [String])] = []
    for part in path.split(separator: "/") {
      var shape = ""
      var rest = part
      while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
        shape += rest[..<open] + "{}"
        parameters.append((String(rest[rest.index(after: open)..<close]), segments))
        rest = rest[rest.index(after: close)...]
      }
      segments.append(shape + rest)
    }
    self.segments = segments
    self.parameters = parameters
  }

  package static func == (left: PathShape, right: PathShape) -> Bool { left.segments == right.segments }

  package func hash(into hasher: inout Hasher) { hasher.combine(segments) }

  /// True if the path ends with a whole-segment parameter: it names one item.
  package var isItem: Bool { segments.last == "{}" }

  /// The last segment that is not a parameter.
  package var noun: String? { segments.last { !$0.contains("{}") } }
}

/// Words of names and sentences: `purgeAll`, `purge-all` and `purge_all` have the same two words.
enum NameWords {
  /// In lower case, letters and digits only.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      guard scalar.properties.isAlphabetic || scalar.properties.numericType != nil else {
        if !word.isEmpty { words.append(word) }
        word = ""
        continue
      }
      // `HTTPReset` has two words, and so has `resetToken`.
      let isUpper = scalar.properties.isUppercase
      let follows = index > 0 && scalars[index - 1].properties.isLowercase
      let precedes =
        index > 0 && scalars[index - 1].properties.isUppercase && index + 1 < scalars.count
        && scalars[index + 1].properties.isLowercase
      if isUpper, follows || precedes, !word.isEmpty {
        words.append(word)
        word = ""
      }
      word += scalar.properties.lowercaseMapping
    }
    return word.isEmpty ? words : words + [word]
  }

  /// The verb of the set that the text contains, in any present form; nil for none.
  static func verb(_ verbs: Set<String>, in text: String) -> String? {
    let words = words(text)
    for (index, word) in words.enumerated() {
      let next = index + 1 < words.count ? words[index + 1] : ""
      if let verb = verbs.first(where: { isForm(word, of: $0) }), !isHarmless(verb, before: next) { return verb }
      // "shut down", "log out"
      if verbs.contains(word + next), !next.isEmpty { return word + next }
    }
    return nil
  }

  /// `reset`, `resets`, `resetting`; `purge`, `purges`, `purging`.
  private static func isForm(_ word: String, of verb: String) -> Bool {
    guard word.hasPrefix(verb.dropLast()) else { return false }
    let stem = verb.hasSuffix("e") ? String(verb.dropLast()) : verb
    let last = verb.last.map(String.init) ?? ""
    return [verb, verb + "s", verb + "es", stem + "ing", verb + last + "ing"].contains(word)
  }

  /// `dropDown` and `drop-off` are nouns.
  private static func isHarmless(_ verb: String, before next: String) -> Bool {
    verb == "drop" && ["down", "downs", "off", "offs", "point", "points", "ship", "shipping", "box"].contains(next)
  }
}
