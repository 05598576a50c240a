import MurphyContract
import MurphyHTTP
import MurphyModel

/// The results of the first requests of a load on one loop, for as long as all of them are equal.
package struct Opening: Sendable {
  /// The status of each response so far, 0 where the connection was closed instead; nil before the first. The
  /// statuses 401 and 403 count as equal, and the first one is kept.
  package private(set) var status: Int?
  /// Every status so far: one, or 401 and 403.
  package private(set) var statuses: Set<Int> = []
  /// The number of requests so far.
  package private(set) var count = 0
  /// The operations of these requests, by index.
  package private(set) var operations: Set<Int> = []
  /// The first request's path as it was sent, without its query.
  package private(set) var path = ""
  /// The beginning of the first response's body.
  package private(set) var text = ""
  /// The operation of the first request.
  package private(set) var operation = 0
  /// Of the first response; empty unless its status is 401 or 403.
  package private(set) var headers: [HeaderField] = []
  /// True if the first request had credentials.
  package private(set) var isSent = true
  /// True if a response was as its step requires, came from a rate limit, or differed from the others. Nothing more is
  /// recorded.
  package private(set) var isOver = false

  /// The number of bytes of a body that are kept.
  private static let longest = 1_000

  package init() {}

  /// Records a request that ended. One that differs from the others ends the opening.
  ///
  /// - Parameters:
  ///   - rejection: the headers of a response with status 401 or 403, and whether the request had credentials.
  ///   - isMeant: true if the step requires this status. A step that accepts it in addition to 2xx, or handles it with
  ///     `on:`, does not require it.
  package mutating func recordEnd(
    _ operation: Int, status: Int, target: String, body: UnsafeRawBufferPointer? = nil,
    rejection: (headers: [HeaderField], isSent: Bool)? = nil, isMeant: Bool
  ) {
    if isMeant || !Self.isEqual(self.status ?? status, status) {
      isOver = true
      return
    }
    if self.status == nil {
      (self.status, self.operation) = (status, operation)
      if let rejection { (headers, isSent) = rejection }
      path = String(target.prefix { $0 != "?" })
      text = body.map { String(decoding: $0.prefix(Self.longest), as: UTF8.self) } ?? ""
    }
    count += 1
    statuses.insert(status)
    operations.insert(operation)
  }

  /// Counts a response that equals an earlier one: the load may get the same status for hours.
  ///
  /// - Returns: false for another response, which must be recorded.
  mutating func countsAgain(_ operation: Int, status: Int) -> Bool {
    guard statuses.contains(status), operations.contains(operation) else { return false }
    count += 1
    return true
  }

  /// True for equal statuses, and for two rejections of the credentials.
  static func isEqual(_ one: Int, _ other: Int) -> Bool {
    one == other || [one, other].allSatisfy([401, 403].contains)
  }
}

/// Detects a load that was sent to a wrong place, or without credentials, so that it ends in its first second.
///
/// All responses so far must have one of the statuses below. There must be at least ten of them, and no step may
/// require it.
///
/// - 401 and 421 (RFC 9110 §15.5.2 and §15.5.20), and 403 without a header of a limiter;
/// - 404 of a documented operation whose path has no parameter, so that the base path is wrong;
/// - 400 whose body names HTTPS, and connections that are closed where a TLS handshake succeeds.
package struct OpeningWatch {
  let contract: Contract
  let origin: Origin
  /// The environment variables with credentials that an operation needs and that are not set.
  let missing: (Int) -> [String]
  /// True if a TLS handshake with the target succeeds.
  let speaksTLS: () -> Bool

  private static let fewest = 10

  package init(
    contract: Contract, origin: Origin, missing: @escaping (Int) -> [String], speaksTLS: @escaping () -> Bool
  ) {
    (self.contract, self.origin, self.missing, self.speaksTLS) = (contract, origin, missing, speaksTLS)
  }

  /// - Parameter loops: the last publication of each loop.
  /// - Returns: the problem and its fix, nil for none; a sentence without secrets of the scenario.
  package func fault(_ loops: [Opening]) -> String? {
    guard loops.allSatisfy({ !$0.isOver }), let first = loops.first(where: { $0.status != nil }),
      let status = first.status, loops.allSatisfy({ Opening.isEqual($0.status ?? status, status) })
    else { return nil }
    let count = loops.reduce(0) { $0 + $1.count }
    let operations = loops.reduce(into: Set<Int>()) { $0.formUnion($1.operations) }
    guard count >= Self.fewest, let advice = advice(status, first, operations) else { return nil }
    let statuses = Set(loops.flatMap(\.statuses)).sorted().map(String.init).joined(separator: " or ")
    let seen =
      status == 0 ? "\(count) connections were closed without a response" : "\(count) responses had status \(statuses)"
    return "all of the first \(seen) (\(names(operations))). \(advice)"
  }

  private func advice(_ status: Int, _ first: Opening, _ operations: Set<Int>) -> String? {
    let encrypted = "The target expects TLS. Did you mean https://\(origin.host):\(origin.port)?"
    switch status {
    case 0: return origin.scheme == "http" && speaksTLS() ? encrypted : nil
    case 400: return origin.scheme == "http" && first.text.lowercased().contains("https") ? encrypted : nil
    case 401, 403:
      let rejection = CredentialRejection(first.headers, first.text.utf8, isSent: first.isSent)
      let unset = Set(operations.flatMap(missing)).sorted()
      return
        (unset.isEmpty
        ? "" : "\(unset.joined(separator: " and ")) \(unset.count == 1 ? "is" : "are") not set. ")
        + contract.advice(rejection, operation: first.operation, isSent: first.isSent)
        + (status == 403 && rejection.words == nil ? " Does a proxy or firewall reject the requests?" : "")
    case 404:
      let fixed = operations.map { contract.operations[$0] }.filter { $0.isDocumented && !$0.path.contains("{") }
      guard fixed.count > 1 || fixed.contains(where: { !$0.documents404 }) else { return nil }
      let servers = contract.servers.map(\.template).prefix(3).joined(separator: ", ")
      return "Is the base path of the target right? The first request went to \(origin.text)\(first.path)"
        + (servers.isEmpty ? "." : "; servers in the contract: \(servers).")
    case 421: return "Is the host name of the target right? The server does not serve this host."
    default: return nil
    }
  }

  /// `listLaws and 2 more operations`
  private func names(_ operations: Set<Int>) -> String {
    let names = operations.map { contract.operations[$0].id }.sorted()
    let more = names.count - 1
    return (names.first ?? "")
      + (more > 0 ? " and \(more) more operation\(more == 1 ? "" : "s")" : "")
  }
}

extension Contract.Operation {
  fileprivate var documents404: Bool { responses.contains { $0.status == .exactly(404) } }
}
