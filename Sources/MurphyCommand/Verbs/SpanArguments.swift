import ArgumentParser
import Murphy

/// The option for the spans of the target.
struct SpanArguments: ParsableArguments {
  @Flag(
    help: """
      Receive the spans of the target (OTLP/HTTP) on 127.0.0.1:4318, and show the parts of each operation that take the \
      time. --otlp=PORT sets the port. Every request then asks the target to record its trace.
      """)
  var otlp = false
  @Option(help: .hidden) var otlpPort: Int?

  var isRequested: Bool { otlp || otlpPort != nil }

  func validate() throws {
    if let otlpPort, !(0...65_535 ~= otlpPort) {
      throw ValidationError("--otlp takes a port from 0 to 65535, found \(otlpPort).")
    }
  }

  /// Starts the receiver; nil if it is not requested.
  ///
  /// - Parameter failed: called before the error is reported.
  func receiver(_ failed: () -> Void = {}) async throws -> SpanReceiver? {
    guard isRequested else { return nil }
    do {
      let receiver = try await SpanReceiver.start(port: otlpPort ?? SpanReceiver.usualPort)
      Console.error("Spans: start the target with OTEL_EXPORTER_OTLP_ENDPOINT=\(receiver.endpoint)")
      return receiver
    } catch {
      failed()
      throw Failure.report(error)
    }
  }
}
