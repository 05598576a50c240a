import CYaml
import MurphyModel

/// The nodes of a YAML text in the order of the text. Each node precedes the nodes inside it.
///
/// libyaml's events become one array: a tree of values with their own positions and tags needs ten times the time.
struct YAMLComposition {
  enum Kind: UInt8, Sendable { case scalar, sequence, mapping, alias }

  struct Node: Sendable {
    let kind: Kind
    /// True for a scalar without quotes that is not a block.
    var isPlain = false
    /// True for a scalar that is a string by its quotes or its tag.
    var isText = false
    /// The number of nodes inside, including this one.
    fileprivate(set) var size: UInt32 = 1
    /// The node that an alias stands for.
    fileprivate var target: UInt32 = 0
    let place: SourceMarks.Place
    /// The text of a scalar.
    var text = ""
  }

  private var nodes: [Node] = []
  private var anchors: [String: Int] = [:]
  /// The collections that are not complete, with their anchors.
  private var open: [(index: Int, anchor: String?)] = []

  /// The first node that is not an alias: the node itself, or the one that it stands for.
  func resolved(_ index: Int) -> Int { nodes[index].kind == .alias ? Int(nodes[index].target) : index }

  subscript(index: Int) -> Node { nodes[index] }

  /// The children of a collection, with aliases resolved. A mapping has a key and a value in turn.
  func children(of index: Int) -> some Sequence<Int> {
    sequence(state: (next: index + 1, end: index + Int(nodes[index].size))) { state in
      guard state.next < state.end else { return nil }
      defer { state.next += Int(nodes[state.next].size) }
      return resolved(state.next)
    }
  }

  init(_ source: SourceText) throws(Diagnostic) {
    guard (try? UTF8Span(validating: source.bytes.span)) != nil else { throw Self.mistake("not UTF-8", source) }
    // About one node in 16 bytes.
    nodes.reserveCapacity(source.bytes.count / 16)
    let error = source.bytes.withUnsafeBufferPointer { bytes -> Diagnostic? in
      // Its address must not change: the parser keeps it.
      let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
      defer { parser.deallocate() }
      guard yaml_parser_initialize(parser) == 1 else { return Self.mistake("not enough memory", source) }
      defer { yaml_parser_delete(parser) }
      yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
      return read(parser, source)
    }
    if let error { throw error }
    anchors = [:]
  }

  private mutating func read(_ parser: UnsafeMutablePointer<yaml_parser_t>, _ source: SourceText) -> Diagnostic? {
    var event = yaml_event_t()
    while true {
      guard yaml_parser_parse(parser, &event) == 1 else { return YAMLMistake.diagnostic(parser.pointee, source) }
      defer { yaml_event_delete(&event) }
      switch event.type {
      case YAML_STREAM_END_EVENT: return nodes.isEmpty ? Self.mistake("the file is empty", source) : nil
      case YAML_DOCUMENT_START_EVENT where !nodes.isEmpty:
        return YAMLMistake.diagnostic(
          ("expected a single document in the stream", SourceMarks.Place(line: 1, column: 1)),
          "but found another document", SourceMarks.Place(event.start_mark), source)
      case YAML_ALIAS_EVENT:
        guard let target = Self.text(event.data.alias.anchor).flatMap({ anchors[$0] }) else {
          return YAMLMistake.diagnostic(nil, "found undefined alias", SourceMarks.Place(event.start_mark), source)
        }
        nodes.append(Node(kind: .alias, target: UInt32(target), place: SourceMarks.Place(event.start_mark)))
      case YAML_SCALAR_EVENT: add(scalar: event)
      case YAML_SEQUENCE_START_EVENT: begin(.sequence, event, event.data.sequence_start.anchor)
      case YAML_MAPPING_START_EVENT: begin(.mapping, event, event.data.mapping_start.anchor)
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
        let (index, anchor) = open.removeLast()
        nodes[index].size = UInt32(clamping: nodes.count - index)
        // An alias within a collection cannot stand for the collection.
        if let anchor { anchors[anchor] = index }
      default: continue
      }
    }
  }

  private mutating func begin(_ kind: Kind, _ event: yaml_event_t, _ anchor: UnsafeMutablePointer<UInt8>?) {
    open.append((nodes.count, Self.text(anchor)))
    nodes.append(Node(kind: kind, place: SourceMarks.Place(event.start_mark)))
  }

  private mutating func add(scalar event: yaml_event_t) {
    let scalar = event.data.scalar
    var node = Node(kind: .scalar, place: SourceMarks.Place(event.start_mark))
    node.text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
    node.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    if scalar.quoted_implicit == 1 {
      node.isText = true
    } else {
      let tag = Self.text(scalar.tag) ?? ""
      node.isText = tag == "tag:yaml.org,2002:str" || !node.isPlain && !tag.hasPrefix("tag:yaml.org")
    }
    if let anchor = Self.text(scalar.anchor) { anchors[anchor] = nodes.count }
    nodes.append(node)
  }

  private static func text(_ characters: UnsafeMutablePointer<UInt8>?) -> String? {
    characters.map { String(cString: $0) }
  }

  private static func mistake(_ message: String, _ source: SourceText) -> Diagnostic {
    source.diagnostic(message, line: 1, column: 1)
  }
}

/// libyaml's messages, reworded to name the mistake.
enum YAMLMistake {
  static func diagnostic(_ parser: yaml_parser_t, _ source: SourceText) -> Diagnostic {
    let problem = parser.problem.map { String(cString: $0) } ?? "not enough memory"
    guard parser.error != YAML_READER_ERROR, parser.problem != nil else {
      let line = source.bytes.prefix(parser.problem_offset).count { $0 == 0x0A } + 1
      return source.diagnostic("not YAML: \(problem)", line: line, column: 1)
    }
    let context = parser.context.map { (String(cString: $0), SourceMarks.Place(parser.context_mark)) }
    return diagnostic(context, problem, SourceMarks.Place(parser.problem_mark), source)
  }

  static func diagnostic(
    _ context: (text: String, place: SourceMarks.Place)?, _ problem: String, _ place: SourceMarks.Place,
    _ source: SourceText
  ) -> Diagnostic {
    let line = source.line(Int(place.line)) ?? ""
    let lead = line.prefix { $0 == " " || $0 == "\t" }
    if let tab = lead.firstIndex(of: "\t") {
      let column = lead.distance(from: lead.startIndex, to: tab) + 1
      return source.diagnostic(
        "not YAML: a tab cannot indent; use spaces", line: Int(place.line), column: column)
    }
    let known = [
      "mapping values are not allowed in this context":
        "a second \": \" in one line; put a string with a colon in quotes, or check the indentation",
      "did not find expected key": "expected a key; check the indentation and the quotes of the lines before",
      "did not find expected '-' indicator": "expected another \"- \"; check the indentation",
      "could not find expected ':'": "expected \": \" after a key",
      "found character that cannot start any token": "a string that begins with this character needs quotes",
      "found unexpected end of stream": "the file ends within quotes or brackets",
      "did not find expected ',' or '}'":
        "expected , or } in a mapping in braces; a string with a bracket, a brace or ${…} in it needs quotes there",
      "did not find expected ',' or ']'":
        "expected , or ] in a list in brackets; a string with a bracket, a brace or ${…} in it needs quotes there",
      "found undefined alias": "no anchor of this name is defined before this line",
      "found unknown escape character": "this escape is not valid in double quotes; use single quotes, or \\\\",
    ]
    var message = "not YAML: \(known[problem] ?? problem)"
    if let context, context.place.line != place.line {
      message += " (\(context.text), which begins in line \(context.place.line))"
    }
    // For the end of the file, the position of the open bracket or quote is more useful.
    let shown = problem == "found unexpected end of stream" ? context?.place ?? place : place
    return source.diagnostic(message, line: Int(shown.line), column: Int(shown.column))
  }
}

extension SourceMarks.Place {
  fileprivate init(_ mark: yaml_mark_t) { self.init(line: mark.line + 1, column: mark.column + 1) }
}
