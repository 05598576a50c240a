import MurphyHTTP
import MurphyModel

/// Forwards the proxy's requests to the target, on its own event loop.
///
/// One client carries all requests. It has as many TCP connections as there are concurrent requests, and keeps them
/// open between requests.
final class Forwarder: Sendable {
  /// The response of the target.
  struct TargetResponse: Sendable {
    var status: Int
    var headers: [HeaderField]
    /// As received, with its content codings.
    var body: [UInt8]
  }

  enum Outcome: Sendable {
    case answered(TargetResponse)
    /// The body is longer than `Forwarder.mostBody`.
    case tooLong
    case failed(TransportError)
    /// The proxy ended before the response.
    case given
  }

  private struct Job: Sendable {
    var request: HTTPRequest
    var done: CheckedContinuation<Outcome, Never>
  }

  /// The number of requests in flight; used only on the loop.
  private final class Flights { var count = 0 }

  /// The maximum bytes of a response body: the whole body is buffered before it is forwarded.
  static let mostBody = ByteCount(64 << 20)

  let origin: Origin
  private let loop: EventLoop
  private let jobs: AsyncStream<Job>.Continuation
  private let task: Task<Void, Never>

  /// - Throws: a `GateError` for a target without an address.
  init(_ origin: Origin, _ options: RecordingProxy.Options) throws(GateError) {
    try CertificateFiles.check(authorities: options.authorities, options.certificate)
    _ = LibcurlVersion.prepare
    self.origin = origin
    var transport = TransportOptions()
    transport.compression = false
    transport.keepsCodings = true
    transport.timeout = options.timeout
    transport.bodyLimit = Self.mostBody
    transport.stream = nil
    (transport.authorities, transport.certificate) = (options.authorities, options.certificate)
    let resolved: ResolvedHost
    do throws(TransportError) {
      resolved = try ResolvedHost(origin, transport)
    } catch {
      throw .unreachable("cannot record: \(error.sentence)")
    }
    do throws(SystemError) { loop = try EventLoop(number: 0) } catch { throw .usage("cannot record: \(error)") }
    let (stream, jobs) = AsyncStream.makeStream(of: Job.self)
    self.jobs = jobs
    let (loop, options) = (loop, transport)
    task = loop.submit {
      let transport = Transport(loop: loop, origin: origin, options: options, resolved: resolved)
      await Self.work(stream, transport)
      transport.close()
    }
  }

  func send(_ request: HTTPRequest) async -> Outcome {
    await withCheckedContinuation { done in
      if case .terminated = jobs.yield(Job(request: request, done: done)) { done.resume(returning: .given) }
    }
  }

  /// Cancels pending requests, and ends the loop.
  func stop() async {
    jobs.finish()
    await task.value
    loop.shutdown()
  }

  /// Runs on the loop until there are no more jobs; then cancels those that are in flight.
  private static func work(_ jobs: AsyncStream<Job>, _ transport: Transport) async {
    let connection: Connection
    do throws(TransportError) {
      connection = try transport.connect(keepsCookies: false)
    } catch {
      for await job in jobs { job.done.resume(returning: .failed(error)) }
      return
    }
    let flights = Flights()
    for await job in jobs {
      flights.count += 1
      transport.loop.start(with: (connection.start(job.request), flights)) { transfer, flights in
        await transfer.finished()
        job.done.resume(returning: outcome(of: transfer))
        transfer.release()
        flights.count -= 1
      }
    }
    transport.abandonAll()
    while flights.count > 0 { await Task.yield() }
    connection.close()
  }

  private static func outcome(of transfer: Transfer) -> Outcome {
    switch transfer.ending {
    case .answered where transfer.isCutOff: .tooLong
    case .answered:
      .answered(
        TargetResponse(
          status: transfer.status, headers: [HeaderField](lines: transfer.headerBlock, keepingCase: true),
          body: Array(transfer.bodyBytes)))
    case .failed(let error): .failed(error)
    case .cancelled, .abandoned, .inFlight: .given
    }
  }
}
