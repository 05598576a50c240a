import MurphyHTTP
import MurphyModel
import MurphyScenario

/// Keeps, for the limit judge, the values of one loop that responses issued and sessions saved.
struct IssueRecorder {
  private(set) var issues: [IssuedValue] = []
  /// True if some values were not kept, so that no conclusion on any value is possible.
  private(set) var isFull = false
  /// About 30 MB.
  private static let most = 100_000

  /// Records a string that a session saved from a response with status 2xx to a request that is not safe. What a GET
  /// finds existed before.
  ///
  /// - Parameters:
  ///   - sentCookies: true if the jar added cookies to the request.
  ///   - keep: gives the number of a request in the limit log.
  mutating func recordSaved(
    _ value: String, of save: Save, _ request: PreparedRequest, _ transfer: Transfer, sourceAddress: String?,
    sentCookies: Bool, unique: UniqueValues, keep: (HTTPRequest) -> Int32
  ) {
    guard (200..<300).contains(transfer.status), !request.http.isSafe,
      value.utf8.count >= UniqueValues.shortestString
    else { return }
    guard issues.count < Self.most else {
      isFull = true
      return
    }
    var issue = IssuedValue(
      value: value, issuer: "\(request.operation) \(save.source.key)\(save.pattern.map { " \($0.source)" } ?? "")",
      request: sentCookies ? "" : Self.text(request.http, sourceAddress, unique), sent: transfer.sent,
      answered: transfer.ended)
    if !sentCookies, save.pattern == nil, let place = save.source.scriptPlace {
      issue.login = keep(request.http)
      issue.place = place
    }
    issues.append(issue)
  }

  private static func text(_ request: HTTPRequest, _ sourceAddress: String?, _ unique: UniqueValues) -> String {
    let fields = request.headers.flatMap { [$0.name.lowercased(), unique.withoutDrawn($0.value)] }
    let body = request.body.map { unique.withoutDrawn(String(decoding: $0, as: UTF8.self)) } ?? ""
    return Finding.fingerprint(
      of: [request.method, unique.withoutDrawn(request.target), sourceAddress ?? "", body] + fields)
  }
}

extension Save.Source {
  /// Equal for equal sources.
  fileprivate var key: String { if case .header = self { place.lowercased() } else { place } }

  /// Nil where no script can find it.
  fileprivate var scriptPlace: IssuedValue.Place? {
    switch self {
    case .body(let path): path.isSingular ? path.filter.map { .body(filter: $0) } : nil
    case .header(let name): .header(name)
    case .status, .text, .cookie, .link: nil
    }
  }
}
