import MurphyContract
import MurphyModel

extension ScenarioReader {
  func settings(_ node: MarkedValue?) -> ClientSettings {
    var settings = ClientSettings()
    guard let node, let entries = entries(node, .settings) else { return settings }
    if let timeout = duration(entries["timeout"], "a timeout", positive: true) { settings.timeout = timeout }
    if let timeout = duration(entries["connect-timeout"], "a timeout", positive: true) {
      settings.connectTimeout = timeout
    }
    if let size = size(entries["max-body"], "max-body") { settings.maxBody = size }
    if let http = choice(entries["http"], "http", ClientSettings.HTTPVersion.self) { settings.http = http }
    if let redirects = whole(entries["redirects"], "redirects", 0...20) { settings.redirects = redirects }
    if let proxy = entries["proxy"] { settings.proxy = proxy.scalarText ?? "" }
    if let compression = boolean(entries["compression"], "compression") { settings.compression = compression }
    if let tracing = entries["tracing"] { settings.tracing = isOff(tracing) ? nil : percentage(tracing, "tracing") }
    if let grace = duration(entries["grace"], "grace") { settings.grace = grace }
    if let abort = entries["abort-after"] { read(abort, into: &settings) }
    if let tls = entries["tls"], let parts = self.entries(tls, .tls) { read(parts, into: &settings) }
    return settings
  }

  /// `10s`, `off`, or `{ silence: 10s, lost: 5s }`.
  private func read(_ abort: MarkedValue, into settings: inout ClientSettings) {
    guard abort.isMapping else {
      settings.abortAfter = isOff(abort) ? nil : duration(abort, "abort-after", positive: true)
      return
    }
    guard let parts = entries(abort, .abortAfter) else { return }
    if let silence = parts["silence"] {
      settings.abortAfter = isOff(silence) ? nil : duration(silence, "silence", positive: true)
    }
    if let lost = parts["lost"] { settings.abortWhenLost = isOff(lost) ? nil : duration(lost, "lost", positive: true) }
  }

  /// `tls:` of the settings.
  private func read(_ parts: Entries, into settings: inout ClientSettings) {
    settings.certificateAuthorities = pemFile(parts["ca-file"], "ca-file")
    if let insecure = boolean(parts["insecure"], "insecure") { settings.insecure = insecure }
    let passphrase = textTemplate(parts["passphrase"], "a passphrase")
    let key = pemFile(parts["key"], "key")
    guard let certificate = pemFile(parts["cert"], "cert") else {
      for key in ["key", "passphrase"] where parts.has(key) && !parts.has("cert") {
        report("\"\(key)\" is allowed only together with \"cert\"", at: parts.keyNode(key))
      }
      return
    }
    var own = ClientCertificate(file: certificate, key: key)
    if let passphrase, let node = parts["passphrase"] {
      if case .constant(let value) = passphrase.content {
        own.passphrase = value.interpolated
        secrets.insert(value.interpolated)
      } else {
        report("the passphrase must be the same for all users; use only constants and env() in it", at: node)
      }
    }
    settings.certificate = own
  }

  /// The path of a readable file.
  private func pemFile(_ node: MarkedValue?, _ what: String) -> String? {
    guard let node, let file = text(node, what) else { return nil }
    let path = ScenarioFiles.path(file, relativeTo: source.file)
    if (try? files.read(path)) == nil { report("cannot read the file \(path)", at: node) }
    return path
  }

  func load(_ node: MarkedValue?) -> LoadProfile? {
    guard let node else { return nil }
    guard case .object = node.content else { return load(stages: node, entries: nil) }
    guard let entries = entries(node, .load), let stages = entries["stages"] else { return nil }
    return load(stages: stages, entries: entries)
  }

  private func load(stages node: MarkedValue, entries: Entries?) -> LoadProfile? {
    guard let nodes = elements(node, "load") else { return nil }
    if nodes.isEmpty { report("the load is empty; write a stage, such as { hold: 20/s, for: 30s }", at: node) }
    var arrivals: [ArrivalStage] = []
    var users: [UserStage] = []
    var kinds: Set<Bool> = []
    for node in nodes {
      guard let stage = self.entries(node, .stage(of: shapes)) else { continue }
      let isClosed = stage.has("users")
      if !stage.has("pause"), kinds.insert(isClosed).inserted, kinds.count > 1 {
        report("a load cannot contain both stages with users and stages with arrival rates", at: node)
      }
      if isClosed { users += userStage(stage) } else { arrivals += arrivalStages(stage) }
    }
    let whole = users.isEmpty ? open(arrivals, entries, node) : closed(users, entries)
    let load = disturbed(whole, entries)
    if let excess = load?.excess { report(excess, at: node) }
    return load
  }

  /// Adds `outage:` and `spike:`.
  private func disturbed(_ load: LoadProfile?, _ entries: Entries?) -> LoadProfile? {
    guard var load, let entries else { return load }
    for (kind, vocabulary) in [(Disturbance.Kind.outage, Vocabulary.outage), (.spike, .spike)] {
      guard let node = entries[kind.rawValue], let parts = self.entries(node, vocabulary),
        let from = duration(parts["at"], "at"), let length = duration(parts["for"], "for", positive: true)
      else { continue }
      let disturbance = Disturbance(kind: kind, from: from, until: from + length)
      if disturbance.until > load.duration {
        report("the \(kind) ends at \(disturbance.until.text), after the load (\(load.duration.text))", at: node)
      }
      if load.disturbances.contains(where: { $0.from < disturbance.until && from < $0.until }) {
        report("the \(kind) overlaps another outage or spike of this load", at: node)
      }
      let factorNode = kind == .spike ? parts["factor"] : nil
      let factor = share(factorNode, "a factor")
      if let factor, factor <= 1, let node = factorNode {
        report("the factor of a spike must be above 1; found \(found(node))", at: node)
      }
      load = load.disturbed(by: disturbance, factor: factor ?? 1)
    }
    return load
  }

  private func open(_ arrivals: [ArrivalStage], _ entries: Entries?, _ node: MarkedValue) -> LoadProfile? {
    for key in ["iterations", "pause"] where entries?.has(key) == true {
      report("\"\(key)\" is allowed only in a load with users", at: entries?.keyNode(key) ?? node)
    }
    let pattern = choice(entries?["arrivals"], "arrivals", ArrivalPattern.self) ?? .even
    if !arrivals.isEmpty, arrivals.reduce(0, { $0 + $1.arrivals }) <= 0 {
      report("the load starts no session; raise the arrival rates", at: node)
    }
    return arrivals.isEmpty ? nil : .open(arrivals, arrivals: pattern)
  }

  private func closed(_ stages: [UserStage], _ entries: Entries?) -> LoadProfile {
    if let node = entries?["arrivals"] { report("\"arrivals\" is allowed only in a load with arrival rates", at: node) }
    let closed = ClosedLoad(
      stages: stages, iterations: whole(entries?["iterations"], "iterations", 1...Int.max),
      pause: drawnDuration(entries?["pause"], "a pause") ?? .zero)
    if closed.mostUsers == 0, let node = entries?.node {
      report("the load has 0 users in all stages; raise the number of users", at: node)
    }
    return .closed(closed)
  }

  func length(_ stage: Entries) -> Duration? {
    if stage["for"] == nil {
      report("a stage needs the key \"for\" with its duration, such as for: 30s", at: stage.node)
    }
    return duration(stage["for"], "for", positive: true)
  }

  private func userStage(_ stage: Entries) -> [UserStage] {
    rejectDetails(in: stage, besides: nil)
    guard let node = stage["users"], let length = length(stage) else { return [] }
    let ends = (node.scalarText ?? "").components(separatedBy: "..").map { Int($0.trimmingBlanks()) }
    guard let from = ends.first ?? nil, let to = ends.last ?? nil, ends.count <= 2, (0...1_000_000).contains(from),
      (0...1_000_000).contains(to)
    else {
      report("users must be a whole number such as 50, or a range such as 0..50; found \(found(node))", at: node)
      return []
    }
    if from == 0, to == 0 { report("this stage has 0 users; for a pause, write { pause: … }", at: node) }
    return [UserStage(from: from, to: to, duration: length)]
  }

  private func arrivalStages(_ stage: Entries) -> [ArrivalStage] {
    guard let shape = shapes.last(where: { stage.has($0.key.name) }) else { return [] }
    rejectDetails(in: stage, besides: shape)
    if let own = shape.ownLength, stage.has("for") {
      report("remove \"for\" from this stage: \(own)", at: stage.keyNode("for"))
    }
    return shape.stages(self, stage)
  }

  /// Reports keys that belong to another shape.
  private func rejectDetails(in stage: Entries, besides shape: StageShape?) {
    for other in shapes where other.key.name != shape?.key.name {
      for key in other.details.map(\.name) where stage.has(key) {
        report("\"\(key)\" is allowed only in a stage with \(other.key.name)", at: stage.keyNode(key))
      }
    }
  }

  /// `0/s..20/s`, or one rate for start and end.
  func rates(_ node: MarkedValue) -> (Rate, Rate)? {
    let ends = (node.scalarText ?? "").components(separatedBy: "..").map { $0.trimmingBlanks() }
    guard ends.count == 2 else {
      return refuse("a range of rates must have the form 0/s..20/s; found \(found(node))", at: node)
    }
    switch (Quantity.rate(ends[0]), Quantity.rate(ends[1])) {
    case (.success(let from), .success(let to)): return (Rate(perSecond: from), Rate(perSecond: to))
    case (.failure(let mistake), _), (_, .failure(let mistake)):
      return refuse("invalid range of rates: \(mistake.message); found \(found(node))", at: node)
    }
  }
}
