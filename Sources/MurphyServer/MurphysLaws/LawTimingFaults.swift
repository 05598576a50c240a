import Hummingbird
import NIOCore
import NIOPosix
import Synchronization

/// The faults of the laws that make requests wait.
extension Fault {
  static let lawLatencyFaults = [
    Fault("slow-list", .latency, on: .listLaws, "listLaws takes 600 ms longer", .delay(.milliseconds(600))),
    Fault("slow-vote", .latency, on: .voteLaw, "voteLaw takes 500 ms longer", .delay(.milliseconds(500))),
    Fault(
      "serial-votes", .latency, on: .voteLaw, "votes are processed one after the other, 100 ms each",
      .waitingInLine(.milliseconds(100))),
    Fault(
      "busy-list", .latency, on: .listLaws, "listLaws takes 900 ms longer after more than 8 requests within a second",
      .delay(.milliseconds(900), above: 8)),
  ]
}

/// The faults that stay within every budget: the response is correct and fast, but slower than that of the release
/// before.
extension Fault {
  static let lawRegressionFaults = [
    Fault(
      "slow-5-percent", .regression, on: .listLaws,
      "the processing of listLaws takes 5% longer", .slower { { _ in 0.05 } }),
    Fault(
      "slow-tail-10-percent", .regression, on: .listLaws, "the slowest 5% of the listLaws requests take 10% longer",
      .slower {
        let tail = SlowestWork()
        return { tail.isSlow($0) ? 0.1 : 0 }
      }),
  ]
}

extension Effect {
  /// Makes the list of laws take longer, and the work that the option `work` adds to each request.
  ///
  /// - Parameter makeShare: creates the function that maps the nanoseconds of the work to the share by which it takes
  ///   longer; once for the list and once for the option.
  fileprivate static func slower(_ makeShare: @escaping @Sendable () -> @Sendable (Int64) -> Double) -> Effect {
    Effect { server in
      let (list, wait) = (makeShare(), makeShare())
      server.override(\.laws.list) { query, rest in
        try await WorkStretch.stretch(by: list) { try await rest(query) }
      }
      server.override(\.delay) { now, rest in
        let took = try await rest(now)
        return took + Int64(Double(took) * wait(took))
      }
    }
  }
}

/// Distinguishes the slowest twentieth of the work from the rest, by a threshold that follows it (Robbins and Monro,
/// 1951).
private final class SlowestWork: Sendable {
  private let threshold = Mutex(1_000_000.0)

  /// The threshold rises by 4.75 % when it is exceeded and falls by 0.25 % otherwise: it converges where one in 20
  /// exceeds it.
  func isSlow(_ nanoseconds: Int64) -> Bool {
    threshold.withLock { threshold in
      let isSlow = Double(nanoseconds) > threshold
      threshold *= isSlow ? 1.0475 : 0.9975
      return isSlow
    }
  }
}

/// The faults of the laws that break the connection, not the response.
extension Fault {
  static let lawTransportFaults = [
    Fault(
      "reset", .transport, on: .getLaw, frequency: .oneIn(10),
      "getLaw resets the connection in the first line of one response in 10",
      .at(\.connection) { channel, _ in
        // HTTP clients such as curl silently retry after a reset before the first byte.
        try await channel.sendRaw("HTTP/1.1 200 OK\r\n")
        // A zero linger time makes the kernel send RST in place of FIN.
        try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.breakOff()
      }),
    Fault(
      "cut-body", .transport, on: .listLaws, frequency: .oneIn(10),
      "listLaws closes the connection in the middle of one body in 10",
      .at(\.departure) { departure, _ in
        let body = departure.response.body
        return departure.streamed(length: body.readableBytes) { writer in
          try await writer.write(body.part(0, of: 2))
          try await departure.channel.breakOff(after: .milliseconds(20))
        }
      }),
    Fault(
      "hang", .transport, on: .getLaw, frequency: .oneIn(20), "getLaw sends no response to one request in 20",
      // Longer than any client waits; ends immediately when the server stops.
      .at(\.connection) { channel, _ in try await channel.breakOff(after: .seconds(90)) }),
    Fault(
      "huge-body", .transport, on: .listAttributions, "listAttributions sends 100 MB",
      .at(\.departure) { departure, _ in departure.huge() }),
    Fault(
      "slow-body", .transport, on: .listAttributions, "listAttributions sends its body in 50 pieces over 5 s",
      .at(\.departure) { departure, _ in
        let body = departure.response.body
        return departure.streamed(length: body.readableBytes) { writer in
          for index in 0..<50 {
            try await writer.write(body.part(index, of: 50))
            try await Task.sleep(for: .milliseconds(100))
          }
          try await writer.finish(nil)
        }
      }),
    Fault(
      "garbage", .transport, on: .getLaw, frequency: .oneIn(10),
      "getLaw responds to one request in 10 with bytes that are not HTTP",
      .at(\.connection) { channel, _ in
        try await channel.sendRaw("MURPHY/0.9 OOPS\u{0}\u{1}\r\n\r\n")
        try await channel.breakOff()
      }),
  ]
}

extension Departure {
  /// The same elements repeated up to 100 MB.
  fileprivate func huge() -> Response {
    let whole = String(buffer: response.body)
    let elements = whole.dropFirst("{\"data\":[".count).dropLast("]}".count)
    let chunk = ByteBuffer(string: String(repeating: elements + ",", count: max(1, 65536 / elements.utf8.count)))
    return streamed(length: nil) { writer in
      try await writer.write(ByteBuffer(string: "{\"data\":["))
      for _ in 0..<(100_000_000 / chunk.readableBytes) { try await writer.write(chunk) }
      try await writer.write(ByteBuffer(string: elements + "]}"))
      try await writer.finish(nil)
    }
  }
}
