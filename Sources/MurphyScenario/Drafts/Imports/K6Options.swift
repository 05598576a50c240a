import Foundation
import MurphyModel

/// The `options` of a script: the load and the thresholds.
struct K6Options {
  private let options: K6Value

  init(_ options: K6Value) { self.options = options }

  var plan: DraftedPlan {
    var plan = DraftedPlan()
    let scenarios = options["scenarios"]?.members ?? []
    if scenarios.isEmpty {
      users(options, "default", &plan)
    } else {
      for scenario in scenarios { add(scenario.value, scenario.key, &plan) }
    }
    addBudgets(&plan)
    for member in options.members
    where !["vus", "duration", "iterations", "stages", "scenarios", "thresholds"].contains(member.key) {
      plan.notes.append("the option \(member.key)")
    }
    return plan
  }

  private func add(_ scenario: K6Value, _ name: String, _ plan: inout DraftedPlan) {
    let session = scenario["exec"]?.string ?? "default"
    switch scenario["executor"]?.string {
    case "constant-arrival-rate": arrivals(scenario, session, name, &plan)
    case "ramping-arrival-rate": arrivals(scenario, session, name, &plan)
    case let executor:
      if executor == "shared-iterations" {
        plan.notes.append("\(name): its shared iterations; in the scenario, each user runs this number of iterations")
      }
      users(scenario, session, &plan)
    }
    for key in ["startTime", "env"] where scenario[key] != nil { plan.notes.append("\(name): its \(key)") }
  }

  /// A closed model: a fixed number of users.
  private func users(_ options: K6Value, _ session: String, _ plan: inout DraftedPlan) {
    var group = DraftedPlan.Group(session: session, users: max(options["vus"]?.int ?? 1, 1))
    group.duration = Self.seconds(options["duration"])
    group.loops = options["iterations"]?.int
    var stages: [String] = []
    var last = options["startVUs"]?.int ?? (options["executor"] == nil ? options["vus"]?.int ?? 0 : 1)
    for stage in options["stages"]?.items ?? [] {
      guard let length = Self.seconds(stage["duration"]), let target = stage["target"]?.int, target >= 0 else {
        plan.notes.append("\(session): a stage without a duration or a target")
        continue
      }
      if length > 0 {
        stages.append(
          target == last ? "{ users: \(target), for: \(length)s }" : "{ users: \(last)..\(target), for: \(length)s }")
      }
      last = target
      group.users = max(group.users, target)
    }
    if options.members.isEmpty { return }
    if !stages.isEmpty, !plan.groups.isEmpty {
      plan.notes.append("\(session): its stages; murphy uses only the stages of the first k6 scenario")
    }
    if plan.groups.isEmpty { plan.stages = stages }
    if !stages.isEmpty, group.duration == nil { group.duration = 1 }
    plan.groups.append(group)
  }

  /// An open model: a fixed number of sessions per second.
  private func arrivals(_ scenario: K6Value, _ session: String, _ name: String, _ plan: inout DraftedPlan) {
    let unit = scenario["timeUnit"].map { Self.time($0).flatMap { $0 > .zero ? $0 : nil } } ?? .seconds(1)
    if unit == nil { plan.notes.append("\(name): its timeUnit") }
    func rate(_ value: K6Value?) -> String {
      Measured.text(((value?.double ?? 0) / (unit ?? .seconds(1)).inSeconds * 1000).rounded() / 1000) + "/s"
    }
    var stages: [String] = []
    if let length = Self.seconds(scenario["duration"]) {
      stages.append("{ hold: \(rate(scenario["rate"])), for: \(length)s }")
    }
    var last = rate(scenario["startRate"])
    for stage in scenario["stages"]?.items ?? [] {
      guard let length = Self.seconds(stage["duration"]) else {
        plan.notes.append("\(name): a stage without a duration")
        continue
      }
      let next = rate(stage["target"])
      if length > 0 { stages.append("{ ramp: \(last)..\(next), for: \(length)s }") }
      last = next
    }
    if plan.stages.isEmpty {
      plan.stages = stages
    } else {
      plan.notes.append("\(name): its arrivals; murphy uses only the arrivals of the first k6 scenario")
    }
    var group = DraftedPlan.Group(session: session, users: 1)
    group.duration = 1
    plan.groups.append(group)
  }

  /// `10s`, `1m30s`, `500ms`, or a number of milliseconds.
  private static func time(_ value: K6Value) -> Duration? {
    value.double.map { .saturating(seconds: $0 / 1000) } ?? value.string.flatMap { try? Quantity.duration($0).get() }
  }

  /// Whole seconds, rounded up.
  private static func seconds(_ value: K6Value?) -> Int? {
    value.flatMap(time).map { Int(saturating: $0.inSeconds.rounded(.up)) }
  }

  /// `http_req_duration: ['p(95)<500']`, `http_req_failed: ['rate<0.01']`
  private func addBudgets(_ plan: inout DraftedPlan) {
    var budgets: [String] = []
    for (metric, value) in options["thresholds"]?.members ?? [] {
      for item in value.items.isEmpty ? [value] : value.items {
        let text = item.string ?? item["threshold"]?.string ?? ""
        let plain = text.filter { $0 != " " }
        if metric == "http_req_duration",
          let limit = plain.wholeMatch(of: /(?:p\((50|75|80|90|95|98|99|99\.5|99\.9)\)|(avg|max))<=?([0-9.]+)/)
        {
          let name = limit.1.map { "p\($0)" } ?? (limit.2 == "avg" ? "mean" : "max")
          budgets.append("\(name): \(limit.3)ms")
        } else if metric == "http_req_failed", let share = plain.wholeMatch(of: /rate<=?(0?\.[0-9]+)/),
          let part = Double("0" + share.1.drop { $0 == "0" })
        {
          budgets.append("errors: \(Measured.text((part * 1e6).rounded() / 1e4))%")
        } else {
          plan.notes.append("the threshold \(metric): \(text)")
        }
      }
    }
    if !budgets.isEmpty { plan.budgets = ["\"*\": { \(budgets.joined(separator: ", ")) }"] }
  }
}
