import MurphySchema

/// Names with a known meaning for parameters and members, in lower case, letters and digits only.
enum RelationNames {
  static let limits: Set<String> = [
    "limit", "pagesize", "perpage", "size", "maxresults", "maxitems", "pagelimit", "top",
  ]
  static let offsets: Set<String> = ["offset", "skip", "startindex", "start"]
  static let pages: Set<String> = ["page", "pagenumber", "pageno", "pageindex"]
  static let cursors: Set<String> = [
    "cursor", "after", "before", "startingafter", "endingbefore", "pagetoken", "nexttoken", "continuationtoken",
    "marker", "updatedsince", "since", "updatedafter", "modifiedsince", "changedsince", "lastsyncat", "lastsync",
    "synctoken", "nextcursor", "nextpagetoken",
  ]
  /// Members with the position of the next page.
  static let nextCursors: Set<String> = [
    "nextcursor", "cursor", "endcursor", "nextpagetoken", "nexttoken", "continuationtoken", "nextmarker",
    "nextsynctoken", "synctoken", "nextsince", "syncedat", "lastsyncat", "syncat",
  ]
  static let sorts: Set<String> = ["sort", "sortby", "orderby", "sortfield", "ordering"]
  static let directions: Set<String> = ["order", "direction", "sortorder", "dir", "sortdir", "sortdirection"]
  static let searches: Set<String> = ["q", "query", "search", "filter", "term", "keyword", "keywords", "text"]
  static let views: Set<String> = [
    "fields", "include", "expand", "embed", "select", "lang", "locale", "language", "format", "with",
  ]
  static let totals: Set<String> = ["total", "totalcount", "totalitems", "totalresults", "totalelements", "count"]
  static let lastPages: Set<String> = ["lastpage", "totalpages", "pagecount"]
  static let more: Set<String> = ["hasmore", "hasnext", "hasnextpage"]
  static let next: Set<String> = ["next", "nextpage", "nextlink", "nexturl"]
  /// Members one level down that describe the page and not the resource.
  static let envelopes: Set<String> = ["meta", "pagination", "page", "links", "paging"]
  /// Members that contain the resource.
  static let wrappers: Set<String> = ["data", "result", "item", "payload"]
  /// If one of these is present, a filter may mean something other than equality.
  static let operators: Set<String> = ["op", "operator", "match", "mode", "exact"]
  /// Orders that may differ between two requests.
  static let unstable: Set<String> = ["random", "rand", "shuffle", "relevance", "rank", "bestmatch"]
  /// Members that name an item in addition to its id.
  static let otherNames: Set<String> = ["name", "slug", "key", "code", "uuid", "username", "handle"]
  static let limitEchoes: Set<String> = ["perpage", "pagesize", "limit", "size"]
  static let pageEchoes: Set<String> = ["currentpage", "page", "pagenumber"]

  /// Last path segments of operations that grant or revoke access.
  static let accesses: Set<String> = [
    "login", "logout", "signin", "signout", "token", "tokens", "auth", "authenticate", "session", "sessions",
  ]
  /// Path words of collections that list users, which may change on a login.
  static let people = ["user", "account", "session", "token", "device", "login", "member", "profile", "audit", "event"]

  /// Both names are normalized.
  static func isPlural(_ many: String, of one: String) -> Bool {
    !one.isEmpty
      && (many == one || many == one + "s" || many == one + "es"
        || (one.hasSuffix("y") && many == one.dropLast() + "ies"))
  }

  /// True if a normalized name is the count of `many`.
  static func isCount(_ key: String, of many: String) -> Bool {
    for prefix in ["numberof", "numof", "total", "num", "countof"] where key == prefix + many { return true }
    for suffix in ["count", "total"] where key.hasSuffix(suffix) {
      return isPlural(many, of: String(key.dropLast(suffix.count)))
    }
    return false
  }

  static func norm(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) })
    )
    .lowercased()
  }
}

/// The properties of one value that relations need, from its schemas: its type, its values, its bounds.
struct ScalarShape {
  /// The types without null; empty if none is stated.
  var types: Set<String> = []
  /// As strings.
  var values: [String] = []
  var format: String?
  var standard: JSONValue?
  var minimum: Int?
  var maximum: Int?
  var pattern: String?
  /// A part cannot be followed, or differs between alternatives.
  var isOpen = false

  init(_ schema: Located, _ navigator: SchemaNavigator) {
    let scope = navigator.scope(of: schema)
    let only = Self.onlyBranch(scope, navigator)
    isOpen = scope.isOpaque || (!scope.choices.isEmpty && only == nil)
    for part in scope.parts + (only ?? []) {
      if let named = part.types {
        let concrete = Set(named).subtracting(["null"])
        types = types.isEmpty ? concrete : types.intersection(concrete)
      }
      if let list = part.value["enum"]?.array { values = list.filter { $0 != .null }.map(Self.text) }
      if let constant = part.value["const"], constant != .null { values = [Self.text(constant)] }
      pattern = part.value["pattern"]?.string ?? pattern
      format = part.value["format"]?.string ?? format
      standard = part.value["default"] ?? standard
      minimum = part.value["minimum"]?.int ?? part.value["exclusiveMinimum"]?.int.map { $0.adding(1) } ?? minimum
      maximum = part.value["maximum"]?.int ?? part.value["exclusiveMaximum"]?.int.map { $0.subtracting(1) } ?? maximum
    }
  }

  /// The non-null branch of `oneOf: [{ … }, { type: "null" }]`; nil for any other choice.
  private static func onlyBranch(_ scope: SchemaScope, _ navigator: SchemaNavigator) -> [Located]? {
    guard scope.choices.count == 1, let choice = scope.choices.first, choice.keyword != "if" else { return nil }
    let others = choice.branches.filter { $0["type"]?.value.string != "null" }
    guard others.count == 1, choice.branches.count == 2 else { return nil }
    let inner = navigator.scope(of: others[0])
    return inner.isOpaque || !inner.choices.isEmpty ? nil : inner.parts
  }

  var isInteger: Bool { types == ["integer"] && !isOpen }
  var isScalar: Bool {
    !isOpen && types.count == 1 && !types.isDisjoint(with: ["integer", "number", "string", "boolean"])
  }
  var isUUID: Bool { types == ["string"] && format == "uuid" && !isOpen }
  var isEnumeration: Bool { types == ["string"] && !values.isEmpty && !isOpen }

  static func text(_ value: JSONValue) -> String { value.string ?? value.text }
}

/// The members of an object that are documented in every case.
struct ObjectShape {
  /// In the schema's order.
  let members: [(name: String, schemas: [Located])]
  let isOpen: Bool
  /// By name: its index in the members.
  private let indices: [String: Int]

  /// Nil if the schema does not describe an object.
  init?(_ schemas: [Located], _ navigator: SchemaNavigator) {
    let scope = navigator.scope(of: schemas)
    isOpen = scope.isOpaque || !scope.choices.isEmpty
    members = scope.parts.properties
    indices = Dictionary(uniqueKeysWithValues: members.enumerated().map { ($1.name, $0) })
    if members.isEmpty || scope.parts.contains(where: { $0.types?.contains("object") == false }) { return nil }
  }

  /// The only schema of a member; nil if there is none, or several.
  subscript(name: String) -> Located? {
    guard let index = indices[name], members[index].schemas.count == 1 else { return nil }
    return members[index].schemas[0]
  }
}
