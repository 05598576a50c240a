import Synchronization

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
