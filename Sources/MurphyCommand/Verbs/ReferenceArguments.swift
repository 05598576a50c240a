import ArgumentParser
import Murphy

/// The reference API's own options, for `serve` and for embedded targets.
struct ReferenceArguments: ParsableArguments {
  @Option(name: .customLong("fault"), help: "A misbehaviour of the reference API; may be given several times.")
  var faultNames: [String] = []
  @Option(help: "SQLite file of the reference API, or \"memory\".") var database: String?
  @Option(
    help: "The reference API's counting algorithm: fixed, fixed-aligned, sliding-log, sliding-counter, token-bucket.")
  var limiter: String?
  @Option(help: "\"off\" lifts all limits of the reference API.") var limits: String?
  @Option(help: "A limit of the reference API in place of the documented one: voteLaw=30/60s. May be repeated.")
  var limit: [String] = []
  @Option(help: "Factor on the length of every window of the reference API.") var timeScale: String?
  @Option(help: "What the reference API's answers tell of limits.") var rateHeaders: String?
  @Option(help: "Threads of the reference API.") var threads: String?
  @Option(help: "Draws the reference API's data.") var dataSeed: String?

  @Option(help: "Milliseconds of a worker's time that each request to the reference API takes.") var work: String?
  @Option(help: "Milliseconds that one request in twenty takes instead.") var workTail: String?
  @Option(help: "Requests that the reference API works on at a time; its capacity is workers / work.")
  var workers: String?

  func options() throws -> ReferenceOptions {
    var options = ReferenceOptions()
    for fault in faultNames { try options.set("fault", to: fault) }
    for text in limit { try options.set("limit", to: text) }
    let single = [
      ("database", database), ("limiter", limiter), ("limits", limits), ("time-scale", timeScale),
      ("rate-headers", rateHeaders), ("threads", threads), ("seed", dataSeed), ("work", work),
      ("work-tail", workTail), ("workers", workers),
    ]
    for (name, value) in single {
      if let value { try options.set(name, to: value) }
    }
    return options
  }
}
