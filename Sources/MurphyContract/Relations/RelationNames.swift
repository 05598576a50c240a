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
