import Hummingbird

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
    Effect { server in
      let variable = SharedVariable<Output>()
      server.override(hook) { input, rest in try await variable.exchange(try await rest(input), waiting: 10) }
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
