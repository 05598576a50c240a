/// Names that say what a parameter or a member is for, in lower case, letters and digits only.
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
  /// Members that say where the next request goes on.
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
  /// Members one level down that belong to the page and not to the thing.
  static let envelopes: Set<String> = ["meta", "pagination", "page", "links", "paging"]
  /// Members that hold the thing itself.
  static let wrappers: Set<String> = ["data", "result", "item", "payload"]
  /// With one of these a filter may mean something else than equality.
  static let operators: Set<String> = ["op", "operator", "match", "mode", "exact"]
  /// Orders that need not be the same twice.
  static let unstable: Set<String> = ["random", "rand", "shuffle", "relevance", "rank", "bestmatch"]
  static let limitEchoes: Set<String> = ["perpage", "pagesize", "limit", "size"]
  static let pageEchoes: Set<String> = ["currentpage", "page", "pagenumber"]

  /// Last segments of paths that give or take access.
  static let accesses: Set<String> = [
    "login", "logout", "signin", "signout", "token", "tokens", "auth", "authenticate", "session", "sessions",
  ]
  /// In the paths of collections that tell of users, and so may change with a login.
  static let people = ["user", "account", "session", "token", "device", "login", "member", "profile", "audit", "event"]

  /// Both of them normed.
  static func isPlural(_ many: String, of one: String) -> Bool {
    !one.isEmpty
      && (many == one || many == one + "s" || many == one + "es"
        || (one.hasSuffix("y") && many == one.dropLast() + "ies"))
  }

  /// Whether a normed name tells how many of `many` there are.
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
