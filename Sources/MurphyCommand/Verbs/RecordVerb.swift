import ArgumentParser
import Foundation
import Murphy

struct RecordVerb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Records the requests of an app: a proxy forwards them to the API and saves them as HAR or scenario.",
    discussion: """
      Start the recording, and configure the app with the address that murphy prints, instead of the API's address. \
      Use the app, and stop the recording with Ctrl-C. If the name of the output file ends with .yaml, murphy writes a \
      scenario, as murphy import does. With any other name, murphy writes an HTTP Archive (HAR). Murphy replaces \
      secrets by placeholders: equal secrets get equal placeholders.

      Example: murphy record --listen 8081 --target http://127.0.0.1:8080 --openapi openapi.yaml -o session.yaml
      """)

  @Option(help: "The port of 127.0.0.1 on which the proxy listens. The value 0 selects a free port.") var listen = 0
  @Option(help: "The API to which the proxy forwards requests: an http or https URL.") var target: String
  @Option(
    name: .shortAndLong,
    help: "The .har or .yaml file to write (repeatable). Use - to write HAR to standard output.")
  var output: [String] = []
  @Option(
    name: [.customLong("openapi"), .customLong("contract")],
    help: "The OpenAPI document of the API. --openapi is required if the output file is a scenario (.yaml).",
    completion: Candidates.documents)
  var contract: String?
  @Option(
    help: "Keep the operation with this operationId in the scenario, even if it changes or deletes data (repeatable).",
    completion: Candidates.operations)
  var operation: [String] = []
  @Flag(help: "Overwrite the output files if they exist.") var force = false
  @Option(
    help: "Stop the recording after this time: a number of seconds, or a time such as 90s or 10m.") var maxSeconds:
    String?
  @Option(help: "The maximum time that the proxy waits for a response of the target, such as 60s.") var timeout = "60s"
  @OptionGroup(title: "TLS") var certificates: CertificateArguments

  private var outputs: [String] { output.isEmpty ? ["session.har"] : output }
  private var scenarios: [String] { outputs.filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") } }
  private var archives: [String] { outputs.filter { !scenarios.contains($0) } }

  func validate() throws {
    guard (0...65_535).contains(listen) else { throw ValidationError("--listen takes a port from 0 to 65535.") }
    guard scenarios.isEmpty || contract != nil else {
      throw ValidationError(
        "\(scenarios[0]) is a scenario, and needs the OpenAPI document of the API. Add --openapi FILE.")
    }
  }

  func run() async throws {
    let content: RecordedSession.Content
    do {
      for path in outputs { try DraftFile(path: path, isForced: force).checkFree() }
      if !scenarios.isEmpty, let contract { try ImportedScenario.check(contract: contract, operations: operation) }
      content = try await record()
    } catch {
      throw Failure.report(error)
    }
    for (what, count) in content.refused.sorted(by: { $0.key < $1.key }) {
      Console.error("not forwarded: \(what) (\(count) request\(count == 1 ? "" : "s"))")
    }
    if content.dropped > 0 {
      Console.error("the recording is full: murphy did not record \(content.dropped) exchanges")
    }
    guard !content.exchanges.isEmpty else {
      Console.error("murphy: no request was received, so no file was written.")
      throw ExitStatus.noData
    }
    try write(content)
  }

  /// Records until a signal, or the end of `--max-seconds`.
  private func record() async throws(GateError) -> RecordedSession.Content {
    var options = RecordingProxy.Options(target: target)
    options.port = listen
    (options.authorities, options.certificate) = (certificates.cacert, certificates.certificate)
    options.timeout = try TimeOption.duration(timeout, "--timeout", atMost: .seconds(600))
    let most = try maxSeconds.map { text throws(GateError) in try TimeOption.duration(text, "--max-seconds") }
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    let interrupts = Interrupts { end.yield() }
    let proxy = try await RecordingProxy.start(options) { Console.error($0.line) }
    say("recording on \(proxy.url), target \(proxy.session.content.origin); stop with Ctrl-C.")
    let limit = most.map { most in
      Task {
        try await Task.sleep(for: most)
        end.yield()
      }
    }
    for await _ in ends { break }
    limit?.cancel()
    await proxy.stop()
    withExtendedLifetime(interrupts) {}
    return proxy.session.content
  }

  private func say(_ line: String) {
    if archives.contains("-") { Console.error(line) } else { Console.print(line) }
  }

  private func write(_ content: RecordedSession.Content) throws {
    let text = HARWriter(version: Version.text).text(content)
    let count = content.exchanges.count
    for path in archives {
      if path == "-" {
        Console.printRaw(text)
        continue
      }
      try save(text, path)
      Console.print("\(path): \(count) exchange\(count == 1 ? "" : "s")")
      if scenarios.isEmpty { Console.print("next: murphy import \(path) --openapi FILE") }
    }
    for path in scenarios {
      do {
        try DraftFile(path: path, isForced: true).write(
          ImportedScenario.load(
            .text(text), of: "the recording", by: "`murphy record`", contract: contract ?? "", target: target,
            into: path,
            operations: operation))
      } catch let error as ImportedScenario.Mistake {
        // Keeps the user's manual work.
        let archive = path + ".har"
        try save(text, archive)
        throw Failure.report(GateError.usage(error.description + ". The recording is in \(archive)."))
      } catch {
        throw Failure.report(error)
      }
    }
  }

  private func save(_ text: String, _ path: String) throws {
    do {
      try AtomicFile.write(text, to: path)
    } catch {
      throw Failure.report(error, as: .usage)
    }
  }
}
