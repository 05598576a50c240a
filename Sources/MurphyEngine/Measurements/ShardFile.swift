import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// `shard.json.gz`: the file of a shard that `murphy merge` reads. JSON lines, compressed by gzip (RFC 1952).
///
///     {"head":{…}}         format, version, fetched contracts
///     {"sums":{…}}         data that can be summed
///     {"log":{…}}          for each shard: its figures …
///     {"limitTables":{…}}  … senders, header sets, requests of the limit log …
///     {"limits":{…}}       … its entries as columns, at most 65,536 per line …
///     {"stateTables":{…}}, {"state":{…}}, {"relations":{…}}
///     {"end":{…}}          the number of lines: a file without it is truncated
///
/// No line contains a secret. Strings are masked; where a string only distinguishes one client from another, a keyed
/// hash replaces a secret one (``SecretPseudonymizer``).
package enum ShardFile {
  /// The name of the file in the folder of a shard.
  package static let name = "shard.json.gz"
  static let format = "murphy-shard/6"
  /// The number of a log's entries in one line.
  static let rows = 65_536
  /// The requests of all shards that are kept for display, in each kind of log; a kilobyte each.
  private static let requests = 25_000
  /// The minimum for each shard.
  private static let fewestRequests = 20

  /// The number of requests that each shard keeps in each kind of log, by the number of shards.
  static func requestsKept(of shards: Int) -> Int { max(requests / max(shards, 1), fewestRequests) }

  struct Head: Codable {
    var format = ShardFile.format
    var murphy: String
    /// The fingerprint of the key of the words that replace secrets.
    var key: String
    /// The contract's documents from the target, by their URL.
    var documents: [String: String]
  }

  struct End: Codable { var lines: Int }

  /// - Parameters:
  ///   - documents: the contract's documents from the target.
  ///   - mask: removes secrets from strings.
  ///   - words: replace secrets that distinguish clients; nil where they are already replaced in the input.
  ///   - key: the fingerprint of the key of those words.
  /// - Throws: an error where the file cannot be written.
  package static func write(
    _ part: RunMeasurement, documents: [String: [UInt8]] = [:], mask: SecretMask, words key: ShardKey?,
    key fingerprint: String,
    to path: String
  ) throws {
    var file = try GzipLineWriter(path)
    var lines = 0
    func write(_ name: String, _ value: some Encodable, _ file: borrowing GzipLineWriter) throws {
      let tree = try JSONTreeEncoder.encode([name: value], masking: mask, isExact: true)
      try file.write(tree.text)
      lines += 1
    }
    let texts = documents.mapValues { String(decoding: $0, as: UTF8.self) }
    try write("head", Head(murphy: ProductVersion.text, key: fingerprint, documents: texts), file)
    try write("sums", part, file)
    var part = part
    part.keepRequests(requestsKept(of: part.logs.first?.info.shard?.of ?? 1))
    for var log in part.logs {
      log.hideForgotten()
      try write("log", log, file)
      let words = key.map { SecretPseudonymizer(mask: mask, key: $0) }
      let limits = words?.hidden(log.limits) ?? log.limits
      try write("limitTables", LimitTables(limits), file)
      for start in stride(from: 0, to: limits.observations.count, by: rows) {
        let slice = limits.observations[start..<min(start + rows, limits.observations.count)]
        try write("limits", LimitColumns(slice, start: limits.start), file)
      }
      let state = words?.hidden(log.state) ?? log.state
      try write("stateTables", StateTables(state), file)
      for start in stride(from: 0, to: state.exchanges.count, by: rows) {
        try write(
          "state", StateColumns(state.exchanges[start..<min(start + rows, state.exchanges.count)]), file)
      }
      try write("relations", log.relations, file)
    }
    try write("end", End(lines: lines), file)
    try file.close()
  }
}

/// The tables of a limit log. Times count from the load's beginning.
struct LimitTables: Codable {
  var identities: [ClientIdentity]
  var headerSets: HeaderSets
  var bodies: [String]
  var costs: [[String: Int]]
  var requests: [CurlRequest]
  var issues: [IssuedValue]
  var missesIssues: Bool
  var secretHeaders: [String]
  var operations: [String]
  var leftOut: Int
  var end: Int64?

  init(_ log: LimitLog) {
    identities = log.identities
    headerSets = log.headerSets
    bodies = log.bodies
    costs = log.costs
    requests = log.requests
    issues = log.issues.map { issue in
      var issue = issue
      issue.sent = Instant(nanoseconds: issue.sent - log.start)
      issue.answered = Instant(nanoseconds: issue.answered - log.start)
      return issue
    }
    missesIssues = log.missesIssues
    secretHeaders = log.secretHeaders.sorted()
    operations = log.operations
    leftOut = log.leftOut
    end = log.end.map { $0 - log.start }
  }

  var log: LimitLog {
    var log = LimitLog(start: Instant(nanoseconds: 0))
    log.identities = identities
    log.headerSets = headerSets
    log.bodies = bodies
    log.costs = costs
    log.requests = requests
    log.issues = issues
    log.missesIssues = missesIssues
    log.secretHeaders = Set(secretHeaders)
    log.operations = operations
    log.leftOut = leftOut
    log.end = end.map { Instant(nanoseconds: $0) }
    return log
  }
}

/// The tables of a state log.
struct StateTables: Codable {
  var names: StateNames
  var requests: [CurlRequest]
  var headers: [[CurlRequest.Field]]
  var freshActors: [Int32]
  var gaps: [StateGaps]
  var operations: [String]

  init(_ log: StateLog) {
    names = log.names
    requests = log.requests
    headers = log.headers
    freshActors = log.freshActors.sorted()
    gaps = log.gaps
    operations = log.operations
  }

  var log: StateLog {
    var log = StateLog()
    log.names = names
    log.requests = requests
    log.headers = headers
    log.freshActors = Set(freshActors)
    log.gaps = gaps
    log.operations = operations
    return log
  }
}
