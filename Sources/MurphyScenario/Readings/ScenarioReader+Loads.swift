import MurphyModel
import Yams

extension ScenarioReader {
  func load(_ node: Node?) -> LoadProfile? {
    guard let node else { return nil }
    guard case .mapping = node else { return load(stages: node, entries: nil) }
    guard let entries = entries(node, .load), let stages = entries["stages"] else { return nil }
    return load(stages: stages, entries: entries)
  }

  private func load(stages node: Node, entries: Entries?) -> LoadProfile? {
    guard let nodes = elements(node, "load") else { return nil }
    if nodes.isEmpty { report("a load needs a stage, such as { hold: 20/s, for: 30s }", at: node) }
    var arrivals: [ArrivalStage] = []
    var users: [UserStage] = []
    var kinds: Set<Bool> = []
    for node in nodes {
      guard let stage = self.entries(node, .stage) else { continue }
      let isClosed = stage.has("users")
      if !stage.has("pause"), kinds.insert(isClosed).inserted, kinds.count > 1 {
        report("stages with users and stages with arrival rates cannot be mixed", at: node, width: 1)
      }
      if isClosed { users += userStage(stage) } else { arrivals += arrivalStages(stage) }
    }
    let load = users.isEmpty ? open(arrivals, entries, node) : closed(users, entries)
    if let excess = load?.excess { report(excess, at: node) }
    return load
  }

  private func open(_ arrivals: [ArrivalStage], _ entries: Entries?, _ node: Node) -> LoadProfile? {
    for key in ["iterations", "pause"] where entries?.has(key) == true {
      report("\"\(key)\" belongs to a load with users", at: entries?.keyNode(key) ?? node)
    }
    let pattern = choice(entries?["arrivals"], "arrivals", ArrivalPattern.self) ?? .even
    if !arrivals.isEmpty, arrivals.reduce(0, { $0 + $1.arrivals }) <= 0 { report("nobody ever arrives", at: node) }
    return arrivals.isEmpty ? nil : .open(arrivals, arrivals: pattern)
  }

  private func closed(_ stages: [UserStage], _ entries: Entries?) -> LoadProfile {
    if let node = entries?["arrivals"] { report("\"arrivals\" belongs to a load with arrival rates", at: node) }
    let closed = ClosedLoad(
      stages: stages, iterations: whole(entries?["iterations"], "iterations", 1...Int.max),
      pause: drawnDuration(entries?["pause"], "a pause") ?? .zero)
    if closed.mostUsers == 0, let node = entries?.node { report("there is never a user", at: node) }
    return .closed(closed)
  }

  private func length(_ stage: Entries) -> Duration? {
    if stage["for"] == nil { report("a stage needs \"for\", how long it lasts", at: stage.node, width: 1) }
    return duration(stage["for"], "for", positive: true)
  }

  private func userStage(_ stage: Entries) -> [UserStage] {
    reject(["by", "each"], in: stage, belongsTo: "steps")
    guard let node = stage["users"], let length = length(stage) else { return [] }
    let ends = (node.scalarText ?? "").components(separatedBy: "..").map { Int($0.trimmingBlanks()) }
    guard let from = ends.first ?? nil, let to = ends.last ?? nil, ends.count <= 2, (0...1_000_000).contains(from),
      (0...1_000_000).contains(to)
    else {
      report("users are a whole number such as 50, or a ramp such as 0..50; found \(found(node))", at: node)
      return []
    }
    if from == 0, to == 0 { report("there are no users in this stage; write { pause: … } for nobody", at: node) }
    return [UserStage(from: from, to: to, duration: length)]
  }

  private func arrivalStages(_ stage: Entries) -> [ArrivalStage] {
    if !stage.has("steps") { reject(["by", "each"], in: stage, belongsTo: "steps") }
    if let node = stage["pause"] {
      reject(["for"], in: stage, belongsTo: "the other stages; a pause names its length itself")
      return duration(node, "a pause", positive: true).map { [.hold(Rate(perSecond: 0), for: $0)] } ?? []
    }
    if stage.has("steps") { return steppedStages(stage) }
    if let node = stage["ramp"] {
      guard let ends = rates(node), let length = length(stage) else { return [] }
      return [ArrivalStage(from: ends.0, to: ends.1, duration: length)]
    }
    guard let rate = rate(stage["hold"] ?? stage["spike"], "a rate"), let length = length(stage) else { return [] }
    return [.hold(rate, for: length)]
  }

  private func steppedStages(_ stage: Entries) -> [ArrivalStage] {
    reject(["for"], in: stage, belongsTo: "the other stages; with steps, \"each\" says how long a rate is held")
    for key in ["by", "each"] where !stage.has(key) {
      report(
        "stages in steps need \"\(key)\", as in { steps: 10/s..50/s, by: 10/s, each: 10s }", at: stage.node, width: 1)
    }
    guard let node = stage["steps"], let ends = rates(node), let by = rate(stage["by"], "by"),
      let each = duration(stage["each"], "each", positive: true)
    else { return [] }
    let (from, to) = (ends.0.perSecond, ends.1.perSecond)
    guard by.perSecond > 0, abs(to - from) / by.perSecond <= 1000 else {
      report("by is above 0/s and makes at most 1000 steps", at: stage["by"] ?? node)
      return []
    }
    let count = Int(saturating: (abs(to - from) / by.perSecond + 1e-9).rounded(.down))
    return (0...count).map { step in
      .hold(Rate(perSecond: from + Double(step) * by.perSecond * (to < from ? -1 : 1)), for: each)
    }
  }

  /// `0/s..20/s`, or one rate for both ends.
  private func rates(_ node: Node) -> (Rate, Rate)? {
    guard let text = node.scalarText else {
      report("a ramp goes from one rate to another, as 0/s..20/s does; found \(node.kindName)", at: node)
      return nil
    }
    let ends = text.components(separatedBy: "..").map { $0.trimmingBlanks() }
    guard ends.count == 2 else {
      report("a ramp goes from one rate to another, as 0/s..20/s does; found \(found(node))", at: node)
      return nil
    }
    switch (Quantity.rate(ends[0]), Quantity.rate(ends[1])) {
    case (.success(let from), .success(let to)): return (Rate(perSecond: from), Rate(perSecond: to))
    case (.failure(let mistake), _), (_, .failure(let mistake)):
      report("a ramp: \(mistake.message); found \(found(node))", at: node)
      return nil
    }
  }

  private func reject(_ keys: [String], in stage: Entries, belongsTo owner: String) {
    for key in keys where stage.has(key) { report("\"\(key)\" belongs to \(owner)", at: stage.keyNode(key)) }
  }
}
