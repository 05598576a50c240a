import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// `shard.json.gz`: what `murphy merge` reads of a shard of a run. JSON lines, compressed by gzip (RFC 1952).
///
///     {"head":{…}}         format, version, fetched contracts
///     {"sums":{…}}         what adds up
///     {"log":{…}}          for each shard: how it fared …
///     {"limitTables":{…}}  … who sent, header sets, requests of the limit log …
///     {"limits":{…}}       … its entries as columns, at most 65,536 a line …
///     {"stateTables":{…}}, {"state":{…}}, {"relations":{…}}
///     {"end":{…}}          how many lines there were: a file without it is cut off
///
/// No line holds a secret: texts are masked, and in the places where texts only tell one client from another, a keyed
/// hash stands for a secret one (``SecretPseudonymizer``).
package enum ShardFile {
  package static let name = "shard.json.gz"
  static let format = "murphy-shard/2"
  /// Entries of a log in one line.
  static let rows = 65_536
  /// Requests of all shards that are kept to be shown, in each kind of log; a kilobyte each.
  private static let requests = 25_000
  /// Of one shard at least.
  private static let fewestRequests = 20

  /// How many requests a shard of so many keeps in each kind of log.
  static func requestsKept(of shards: Int) -> Int { max(requests / max(shards, 1), fewestRequests) }

  struct Head: Codable {
    var format = ShardFile.format
    var murphy: String
    /// Of the key by which words stand for secrets.
    var key: String
    /// Documents of the contract that the target gave, by their URL.
    var documents: [String: String]
  }

  struct End: Codable { var lines: Int }

  /// - Parameters:
  ///   - documents: of the contract, that the target gave.
  ///   - mask: takes secrets out of texts.
  ///   - words: stand for secrets that tell clients apart; nil where they do so already in what was read.
  ///   - key: fingerprint of the key of those words.
  /// - Throws: where the file cannot be written.
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
      let words = key.map { SecretPseudonymizer(mask, $0) }
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

/// The tables of a limit log. Moments count from the load's beginning.
struct LimitTables: Codable {
  var identities: [ClientIdentity]
  var headerSets: HeaderSets
  var bodies: [String]
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
