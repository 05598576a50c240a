import Synchronization

/// A misbehaviour that a reference server can simulate, named as in `--fault NAME`.
///
/// A fault is declared once, in a list of its system or of all systems (`common`). Its behaviour is an `Effect` on the
/// hooks of the correct server, which contains no code for faults.
package struct Fault: Sendable {
  /// The name in `--fault`.
  package let name: String
  /// The kind of check that it violates.
  package let family: FaultFamily
  /// The affected operation; nil for each operation with the hooks of its effect.
  package let operation: Operation?
  /// The share of those requests that it affects.
  package let frequency: Frequency
  /// The behaviour of the server, in one line.
  package let summary: String
  /// Its overrides in the correct server.
  package let effect: Effect

  package init(
    _ name: String, _ family: FaultFamily, on operation: Operation? = nil, frequency: Frequency = .always,
    _ summary: String, _ effect: Effect
  ) {
    self.name = name
    self.family = family
    self.operation = operation
    self.frequency = frequency
    self.summary = summary
    self.effect = effect
  }

  /// How often a fault appears.
  package enum Frequency: Sendable, Equatable {
    /// Each request to which the effect applies.
    case always
    /// Exactly one of each group of this number of requests, at a place generated from the server's seed.
    case oneIn(UInt64)
  }
}

extension Fault {
  /// The faults that every system can simulate: those of shared code.
  package static let common =
    errorFaults + latencyFaults + transportFaults + limiterFaults + refusalFaults
}

/// The kind of check that a fault violates.
package enum FaultFamily: String, CaseIterable, Sendable {
  /// The response does not conform to the OpenAPI document.
  case contract
  /// The response is late.
  case latency
  /// The response is later than that of the release before, and within any budget.
  case regression
  /// The response is well formed and on time, and wrong.
  case state
  /// The response is inconsistent with the request, or with another response.
  case relation
  /// The response is incomplete.
  case transport
  /// The rate limiter does not behave as documented.
  case limits
}

/// Installs faults into the hooks of one server.
package struct FaultInstaller {
  /// The served system, for effects on its data.
  private let system: any ReferenceSystem
  private(set) var hooks = Hooks()
  private let strokes: Strokes
  private var applies: @Sendable (Operation?) -> Bool = { _ in true }

  /// The hooks of a server with these faults, nested in the order of the API's list.
  static func hooks(_ faults: [Fault], of api: ReferenceAPI, _ system: any ReferenceSystem, seed: UInt64) -> Hooks {
    var installer = FaultInstaller(system: system, strokes: Strokes(seed: seed))
    let chosen = Set(faults.map(\.name))
    let known = api.faults.filter { chosen.contains($0.name) }
    var seen = Set(known.map(\.name))
    for fault in known + faults.filter({ seen.insert($0.name).inserted }) { installer.install(fault) }
    return installer.hooks
  }

  private init(system: any ReferenceSystem, strokes: Strokes) {
    self.system = system
    self.strokes = strokes
  }

  /// The served system, with the type that the faults of its own folder use.
  package func system<System: ReferenceSystem>(_ type: System.Type) -> System {
    guard let system = system as? System else { preconditionFailure("a fault of \(type) in another system") }
    return system
  }

  private mutating func install(_ fault: Fault) {
    let (name, operation, strokes) = (fault.name, fault.operation, strokes)
    let isMeant: @Sendable (Operation?) -> Bool = { operation == nil || $0 == operation }
    applies =
      switch fault.frequency {
      case .always: isMeant
      case .oneIn(let period): { isMeant($0) && strokes.strikes(name, oneIn: period) }
      }
    fault.effect.install(&self)
  }

  /// Overrides a hook for the operation of the fault, with the fault's frequency.
  mutating func override<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>>, _ override: @escaping Hook<Input, Output>.Override
  ) {
    hooks[keyPath: hook].add(when: applies, override)
  }
}

/// The occurrences of the intermittent faults of one server: deterministic for a seed and an order of requests.
final class Strokes: Sendable {
  private let seed: UInt64
  private let counts = Mutex<[String: UInt64]>([:])

  init(seed: UInt64) { self.seed = seed }

  /// True exactly once in each `period` calls for a fault, at a place generated from the seed.
  func strikes(_ fault: String, oneIn period: UInt64) -> Bool {
    let stroke = counts.withLock { counts in
      defer { counts[fault, default: 0] += 1 }
      return counts[fault, default: 0]
    }
    var numbers = SeededNumbers(seed: seed ^ fault.utf8.reduce(stroke / period) { $0 &* 31 &+ UInt64($1) })
    return stroke % period == numbers.next() % period
  }
}
