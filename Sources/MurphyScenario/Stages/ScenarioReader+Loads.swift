import MurphyDocument
import MurphyModel

extension ScenarioReader {
  func load(_ node: MarkedValue?) -> LoadProfile? {
    guard let node else { return nil }
    guard case .object = node.content else { return load(stages: node, entries: nil) }
    guard let entries = entries(node, .load), let stages = entries["stages"] else { return nil }
    return load(stages: stages, entries: entries)
  }

  private func load(stages node: MarkedValue, entries: Entries?) -> LoadProfile? {
    guard let nodes = elements(node, "load") else { return nil }
    if nodes.isEmpty { report("a load needs a stage, such as { hold: 20/s, for: 30s }", at: node) }
    var arrivals: [ArrivalStage] = []
    var users: [UserStage] = []
    var kinds: Set<Bool> = []
    for node in nodes {
      guard let stage = self.entries(node, .stage(of: shapes)) else { continue }
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

  private func open(_ arrivals: [ArrivalStage], _ entries: Entries?, _ node: MarkedValue) -> LoadProfile? {
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

  func length(_ stage: Entries) -> Duration? {
    if stage["for"] == nil { report("a stage needs \"for\", how long it lasts", at: stage.node, width: 1) }
    return duration(stage["for"], "for", positive: true)
  }

  private func userStage(_ stage: Entries) -> [UserStage] {
    rejectDetails(in: stage, besides: nil)
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
    guard let shape = shapes.last(where: { stage.has($0.key.name) }) else { return [] }
    rejectDetails(in: stage, besides: shape)
    if let own = shape.ownLength, stage.has("for") {
      report("\"for\" belongs to the other stages; \(own)", at: stage.keyNode("for"))
    }
    return shape.stages(self, stage)
  }

  /// Reports keys that belong to another shape.
  private func rejectDetails(in stage: Entries, besides shape: StageShape?) {
    for other in shapes where other.key.name != shape?.key.name {
      for key in other.details.map(\.name) where stage.has(key) {
        report("\"\(key)\" belongs to \(other.key.name)", at: stage.keyNode(key))
      }
    }
  }

  /// `0/s..20/s`, or one rate for both ends.
  func rates(_ node: MarkedValue) -> (Rate, Rate)? {
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
}
