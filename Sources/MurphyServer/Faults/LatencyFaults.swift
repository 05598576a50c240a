import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization

/// The faults of every system that make requests wait.
extension Fault {
  static let latencyFaults =
    [
      Fault(
        "stall", .latency, "the server sends no response for 2 s of every 10 s",
        .delay(byAge: { age in
          let phase = age % (10_000 * millisecond)
          return 2000 * millisecond..<4000 * millisecond ~= phase ? 4000 * millisecond - phase : 0
        })),
      Fault(
        "growing-delay", .latency, "responses take 100 ms longer for each second since the first request",
        .delay(byAge: { age in age / 10 })),
      Fault(
        "slow-tail", .latency, frequency: .oneIn(20), "one response in 20 takes 1.5 s longer",
        .delay(.milliseconds(1500))),
      Fault(
        "slow-start", .latency, "responses take 1 s longer for the first 3 s after the first request",
        .delay(byAge: { age in age < 3000 * millisecond ? 1000 * millisecond : 0 })),
      Fault(
        "slow-429", .latency, "rejections take 1.5 s longer",
        .at(\.refusal) { refusal, rest in
          try await Task.sleep(for: .milliseconds(1500))
          return try await rest(refusal)
        }),
    ]

  private static let millisecond: Int64 = 1_000_000
}

extension Effect {
  /// Makes requests wait in a queue, each for this time.
  package static func waitingInLine(_ time: Duration) -> Effect {
    .at(\.delay, keeping: Mutex<Int64>(0)) { end, now, rest in
      let wait = end.withLock { end in
        end = max(end, now) + time.wholeNanoseconds
        return end - now
      }
      return try await rest(now) + wait
    }
  }

  /// Makes requests wait while more than this number of requests arrived within a second.
  static func delay(_ time: Duration, above requests: Int) -> Effect {
    .at(\.delay, keeping: Mutex<[Int64]>([])) { moments, now, rest in
      let count = moments.withLock { moments in
        moments.removeAll { $0 <= now - 1_000_000_000 }
        moments.append(now)
        return moments.count
      }
      return try await rest(now) + (count > requests ? time.wholeNanoseconds : 0)
    }
  }

  /// Makes requests wait, by the nanoseconds since the first one.
  fileprivate static func delay(byAge nanoseconds: @escaping @Sendable (Int64) -> Int64) -> Effect {
    .at(\.delay, keeping: Mutex<Int64?>(nil)) { first, now, rest in
      let start = first.withLock { first in
        first = first ?? now
        return first ?? now
      }
      return try await rest(now) + nanoseconds(max(now - start, 0))
    }
  }
}

/// Work that takes longer by a share of its own time.
package enum WorkStretch {
  /// Shorter waits spin: a sleep of 50 µs takes 100 µs or more.
  private static let sleepable: Int64 = 2_000_000

  /// - Parameter share: by the nanoseconds that the work took.
  package static func stretch<Output>(
    by share: (Int64) -> Double, _ work: () async throws -> Output
  ) async throws -> Output {
    let start = MonotonicClock.now()
    let output = try await work()
    let took = MonotonicClock.now() - start
    let end = start + took + Int64(Double(took) * share(took))
    let left = end - MonotonicClock.now()
    if left > sleepable { try await Task.sleep(for: .nanoseconds(left)) }
    while MonotonicClock.now() < end {}
    return output
  }
}

/// The faults of every system that break the connection, not the response.
extension Fault {
  static let transportFaults = [
    Fault(
      "early-close", .transport, "every connection is closed after one response, without Connection: close",
      .at(\.departure) { departure, _ in
        let response = departure.response
        return departure.streamed(length: response.length) { writer in
          try await response.write(to: &writer)
          try await writer.finish(nil)
          try await departure.channel.breakOff(after: .milliseconds(20))
        }
      })
  ]
}

extension Departure {
  func streamed(
    length: Int?, _ write: @Sendable @escaping (inout any ResponseBodyWriter) async throws -> Void
  ) -> Response {
    Response(status: response.status, headers: response.headers, body: ResponseBody(contentLength: length, write))
  }
}

extension ByteBuffer {
  /// Part `index` of `count` of about equal length.
  func part(_ index: Int, of count: Int) -> ByteBuffer {
    let (start, end) = (readableBytes * index / count, readableBytes * (index + 1) / count)
    return getSlice(at: readerIndex + start, length: end - start) ?? ByteBuffer()
  }
}

extension Channel {
  /// Sends bytes that bypass the encoder, and waits until they can be sent.
  func sendRaw(_ text: String) async throws {
    try await eventLoop.submit {
      let encoder = try self.pipeline.syncOperations.context(handlerType: HTTPResponseEncoder.self)
      encoder.writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
    }.get()
    try await Task.sleep(for: .milliseconds(20))
  }

  /// Closes the connection and ends the request without a response.
  func breakOff(after pause: Duration = .zero) async throws {
    if pause > .zero { try await Task.sleep(for: pause) }
    try await close()
    throw BrokenOff()
  }
}

/// Thrown for a request without a response; the connection is already closed.
private struct BrokenOff: Error {}
