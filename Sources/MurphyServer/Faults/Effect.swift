import Hummingbird
import Synchronization

/// What a fault does: overrides at one or more hooks of the honest server.
///
/// The closure runs once for each server that starts with the fault, so that what a fault has to remember is made there
/// and belongs to that server alone.
package struct Effect: Sendable {
  let install: @Sendable (inout FaultInstaller) -> Void

  init(_ install: @escaping @Sendable (inout FaultInstaller) -> Void) { self.install = install }

  /// Overrides one hook: `.at(\.list) { query, rest in … }`.
  static func at<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable,
    _ override: @escaping Hook<Input, Output>.Override
  ) -> Effect {
    Effect { $0.override(hook, override) }
  }

  /// Overrides one hook, with what the system holds at hand: `.at(\.push, with: \.journal) { store, push, rest in … }`.
  static func at<Held: Sendable, Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable, with held: KeyPath<FaultInstaller, Held> & Sendable,
    _ override: @escaping @Sendable (Held, Input, Hook<Input, Output>.Rest) async throws -> Output
  ) -> Effect {
    Effect { server in
      let held = server[keyPath: held]
      server.override(hook) { input, rest in try await override(held, input, rest) }
    }
  }

  /// Overrides one hook, with something that the fault remembers: `.at(\.law, keeping: Mutex(0)) { count, law, rest in … }`.
  static func at<Held: Sendable & ~Copyable, Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable,
    keeping held: @autoclosure @escaping @Sendable () -> Held,
    _ override: @escaping @Sendable (borrowing Held, Input, Hook<Input, Output>.Rest) async throws -> Output
  ) -> Effect {
    Effect { server in
      let held = held()
      server.override(hook) { input, rest in try await override(held, input, rest) }
    }
  }

  /// Changes what goes into a hook: `.before(\.list) { $0.limit += 1 }`.
  static func before<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable, _ change: @escaping @Sendable (inout Input) -> Void
  ) -> Effect {
    .at(hook) { input, rest in
      var input = input
      change(&input)
      return try await rest(input)
    }
  }

  /// Changes what comes out of a hook: `.after(\.list) { query, page in page.total += 1 }`.
  static func after<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable,
    _ change: @escaping @Sendable (Input, inout Output) -> Void
  ) -> Effect {
    .at(hook) { input, rest in
      var output = try await rest(input)
      change(input, &output)
      return output
    }
  }

  /// Gives requests that meet within 10 ms what one of them should get.
  static func mixingUp<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable
  ) -> Effect {
    .at(hook, keeping: SharedVariable<Output>()) { variable, input, rest in
      try await variable.exchange(try await rest(input), waiting: 10)
    }
  }

  /// Makes requests wait for a number of milliseconds.
  package static func delay(milliseconds: Int64) -> Effect {
    .at(\.delay) { now, rest in try await rest(now) + milliseconds * 1_000_000 }
  }

  /// Changes answers that succeed.
  static func answer(_ change: @escaping @Sendable (inout Answer) -> Void) -> Effect {
    .after(\.answer) { _, answer in change(&answer) }
  }

  /// Changes the JSON of answers that succeed.
  package static func body(_ change: @escaping @Sendable (inout JSONText) -> Void) -> Effect {
    .answer { $0.change(change) }
  }

  /// Changes answers of one status on their way out, whether or not they are errors.
  static func leaving(_ status: HTTPResponse.Status, _ change: @escaping @Sendable (inout Answer) -> Void) -> Effect {
    .before(\.departure) { departure in
      guard departure.answer.status == status else { return }
      let stamp = departure.answer.headers[RequestStamp.name]
      change(&departure.answer)
      departure.answer.headers[RequestStamp.name] = stamp
    }
  }
}

/// Copies of what was read, each refreshed only when it is old: a replica that lags behind.
final class LaggingCopies<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let age: Int64
  private let copies = Mutex<[Key: (value: Value, taken: Int64)]>([:])

  /// - Parameter milliseconds: how far behind a copy may be.
  init(milliseconds: Int64) { age = milliseconds * 1_000_000 }

  /// The copy of `value`, taken now if there is none or the last one is too old.
  func read(_ key: Key, _ value: Value) -> Value {
    let now = MonotonicClock.now()
    return copies.withLock { copies in
      if let copy = copies[key], now - copy.taken < age { return copy.value }
      copies[key] = (value, now)
      return value
    }
  }
}

/// The value of whoever came last: what a shared variable holds when two requests meet.
final class SharedVariable<Value: Sendable>: Sendable {
  private let last = Mutex<Value?>(nil)

  /// Stores a value, waits, and reads what is there then.
  ///
  /// - Parameter milliseconds: how long another request has to come between.
  func exchange(_ value: Value, waiting milliseconds: Int64) async throws -> Value {
    last.withLock { $0 = value }
    try await Task.sleep(for: .milliseconds(milliseconds))
    return last.withLock { $0 } ?? value
  }
}
