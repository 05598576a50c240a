import Hummingbird
import Synchronization

/// The effect of a fault: overrides at one or more hooks of the correct server.
///
/// The closure runs once for each server that starts with the fault. The state of a fault is created there and belongs
/// only to that server.
package struct Effect: Sendable {
  let install: @Sendable (inout FaultInstaller) -> Void

  init(_ install: @escaping @Sendable (inout FaultInstaller) -> Void) { self.install = install }

  /// Overrides one hook: `.at(\.list) { query, rest in … }`.
  package static func at<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable,
    _ override: @escaping Hook<Input, Output>.Override
  ) -> Effect {
    Effect { $0.override(hook, override) }
  }

  /// Overrides one hook, with access to the system's data: `.at(\.push, with: \.journal) { store, push, rest in … }`.
  package static func at<Held: Sendable, Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable, with held: KeyPath<FaultInstaller, Held> & Sendable,
    _ override: @escaping @Sendable (Held, Input, Hook<Input, Output>.Rest) async throws -> Output
  ) -> Effect {
    Effect { server in
      let held = server[keyPath: held]
      server.override(hook) { input, rest in try await override(held, input, rest) }
    }
  }

  /// Overrides one hook, with state of the fault: `.at(\.law, keeping: Mutex(0)) { count, law, rest in … }`.
  package static func at<Held: Sendable & ~Copyable, Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable,
    keeping held: @autoclosure @escaping @Sendable () -> Held,
    _ override: @escaping @Sendable (borrowing Held, Input, Hook<Input, Output>.Rest) async throws -> Output
  ) -> Effect {
    Effect { server in
      let held = held()
      server.override(hook) { input, rest in try await override(held, input, rest) }
    }
  }

  /// Changes the input of a hook: `.before(\.list) { $0.limit += 1 }`.
  package static func before<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable, _ change: @escaping @Sendable (inout Input) -> Void
  ) -> Effect {
    .at(hook) { input, rest in
      var input = input
      change(&input)
      return try await rest(input)
    }
  }

  /// Changes the output of a hook: `.after(\.list) { query, page in page.total += 1 }`.
  package static func after<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable,
    _ change: @escaping @Sendable (Input, inout Output) -> Void
  ) -> Effect {
    .at(hook) { input, rest in
      var output = try await rest(input)
      change(input, &output)
      return output
    }
  }

  /// Gives requests within 10 ms of each other the result of one of them.
  package static func mixingUp<Input, Output>(
    _ hook: WritableKeyPath<Hooks, Hook<Input, Output>> & Sendable
  ) -> Effect {
    .at(hook, keeping: SharedVariable<Output>()) { variable, input, rest in
      try await variable.exchange(try await rest(input), waiting: .milliseconds(10))
    }
  }

  /// Makes requests wait.
  package static func delay(_ time: Duration) -> Effect {
    .at(\.delay) { now, rest in try await rest(now) + time.wholeNanoseconds }
  }

  /// Changes successful responses.
  package static func response(_ change: @escaping @Sendable (inout ServerResponse) -> Void) -> Effect {
    .after(\.response) { _, response in change(&response) }
  }

  /// Changes the JSON of successful responses.
  package static func body(_ change: @escaping @Sendable (inout JSONText) -> Void) -> Effect {
    .response { $0.change(change) }
  }

  /// Changes outgoing responses of one status, including errors.
  package static func leaving(
    _ status: HTTPResponse.Status, _ change: @escaping @Sendable (inout ServerResponse) -> Void
  )
    -> Effect
  {
    .before(\.departure) { departure in
      guard departure.response.status == status else { return }
      let stamp = departure.response.headers[RequestStamp.name]
      change(&departure.response)
      departure.response.headers[RequestStamp.name] = stamp
    }
  }
}

/// Copies of read values, each refreshed only after its maximum age: a lagging replica.
package final class LaggingCopies<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let age: Duration
  private let copies = Mutex<[Key: (value: Value, taken: Int64)]>([:])

  /// - Parameter age: the maximum age of a copy.
  package init(age: Duration) { self.age = age }

  /// The copy of `value`. It is taken now if there is none or the last one is too old.
  package func read(_ key: Key, _ value: Value) -> Value {
    let now = MonotonicClock.now()
    return copies.withLock { copies in
      if let copy = copies[key], .nanoseconds(now - copy.taken) < age { return copy.value }
      copies[key] = (value, now)
      return value
    }
  }
}

/// The value of the last request: a shared variable under two concurrent requests.
package final class SharedVariable<Value: Sendable>: Sendable {
  private let last = Mutex<Value?>(nil)

  package init() {}

  /// Stores a value, waits, and reads the value that is there then.
  ///
  /// - Parameter time: the time in which another request can overwrite it.
  package func exchange(_ value: Value, waiting time: Duration) async throws -> Value {
    last.withLock { $0 = value }
    try await Task.sleep(for: time)
    return last.withLock { $0 } ?? value
  }
}

/// The text of a response's JSON, for faults to change: fields are found by their names, at any depth.
///
/// The server's own writer writes no space and escapes each quote within a string. So `"name":` occurs only before
/// values of that name.
package struct JSONText: Sendable {
  package private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Replaces the text of the value of each field `name`.
  package mutating func set(_ name: String, to text: String) { change(name) { _ in text } }

  /// Changes the text of the value of each field `name`.
  package mutating func change(_ name: String, _ change: (String) -> String) {
    changeBytes(name) { Array(change(String(decoding: $0, as: UTF8.self)).utf8) }
  }

  /// The same, for bytes that are not text.
  package mutating func changeBytes(_ name: String, _ change: (ArraySlice<UInt8>) -> [UInt8]) {
    edit(name) { bytes, member, value in
      let new = change(bytes[value])
      bytes.replaceSubrange(value, with: new)
      return value.lowerBound + new.count
    }
  }

  /// Removes each field `name`, with one adjacent comma.
  package mutating func remove(_ name: String) {
    edit(name) { bytes, member, value in
      var (start, end) = (member, value.upperBound)
      if start > 0, bytes[start - 1] == UInt8(ascii: ",") {
        start -= 1
      } else if end < bytes.count, bytes[end] == UInt8(ascii: ",") {
        end += 1
      }
      bytes.removeSubrange(start..<end)
      return start
    }
  }

  /// Calls `body` with the start of each field and the range of its value; it returns the position at which to
  /// continue.
  private mutating func edit(_ name: String, _ body: (inout [UInt8], Int, Range<Int>) -> Int) {
    let label = Array("\"\(name)\":".utf8)
    var position = 0
    while position + label.count < bytes.count {
      if bytes[position...].starts(with: label) {
        let start = position + label.count
        position = body(&bytes, position, start..<Self.endOfValue(bytes[start...]))
      } else {
        position += 1
      }
    }
  }

  /// The end of the value at the start of the bytes.
  static func endOfValue(_ bytes: ArraySlice<UInt8>) -> Int {
    var depth = 0
    var isInString = false
    var position = bytes.startIndex
    while position < bytes.endIndex {
      switch bytes[position] {
      case UInt8(ascii: "\\") where isInString: position += 1
      case UInt8(ascii: "\""): isInString.toggle()
      case _ where isInString: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return position }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return position
      default: break
      }
      position += 1
    }
    return bytes.endIndex
  }
}

extension ServerResponse {
  /// Changes the JSON of the body.
  package mutating func change(_ change: (inout JSONText) -> Void) {
    var text = JSONText(Array(body.readableBytesView))
    change(&text)
    body.clear()
    body.writeBytes(text.bytes)
  }
}
