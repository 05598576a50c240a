import ArgumentParser
import Foundation
import Murphy

/// `--emit`, `--apply` and their options: the recommended policy as the configuration of a rate limiter.
struct DeploymentArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Print the recommended policy, or the policy of --what-if, as configuration: \
      \(LimiterProduct.all.map(\.name).joined(separator: ", ")). Only policies that this limiter has are recommended.
      """,
      valueName: "limiter"), completion: .list(LimiterProduct.all.map(\.name)))
  var emit: String?
  @Option(
    help: """
      The limit key of the configuration: address, token, or the name of a header. The default is the key of the tuned \
      rate limit.
      """)
  var limitKey: String?
  @Option(
    help: ArgumentHelp(
      """
      Run this command of the shell, with the path of the configuration in the environment variable \
      MURPHY_CONFIGURATION. Then measure the rate limit of --target as murphy limits does. This needs --emit, --target \
      and --restore.
      """,
      valueName: "command"))
  var apply: String?
  @Option(
    help: ArgumentHelp(
      "Run this command of the shell if --apply fails, or if the measured rate limit is not confirmed.",
      valueName: "command"))
  var restore: String?
  @Option(help: "The API whose rate limit murphy measures after --apply, as a URL.", completion: Candidates.targets)
  var target: String?
  @Flag(help: "Confirm that you may use up the rate limits of a target on another machine.")
  var iMayTestThisTarget = false
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments

  func validate() throws {
    if let emit, product == nil {
      let names = LimiterProduct.all.map(\.name)
      throw ValidationError(
        "--emit takes \(names.joined(separator: ", ")), found \"\(emit)\".\(didYouMean(emit, among: names))")
    }
    if limitKey != nil, emit == nil { throw ValidationError("--limit-key needs --emit.") }
    if apply != nil, emit == nil || target == nil || restore == nil {
      throw ValidationError("--apply needs --emit LIMITER, --target URL and --restore COMMAND.")
    }
    if restore != nil, apply == nil { throw ValidationError("--restore needs --apply.") }
    guard apply == nil else { return }
    if iMayTestThisTarget || credentials.login != nil || credentials.tokenCommand != nil {
      throw ValidationError(
        "--i-may-test-this-target, --login and --token-command are for the measurement after --apply: add --apply.")
    }
  }

  /// True if an option is given that only requests to the target use.
  var hasTransport: Bool { !credentials.texts.isEmpty || certificates.cacert != nil || certificates.cert != nil }

  /// Nil without `--emit`.
  var product: LimiterProduct? { LimiterProduct.all.first { $0.name == emit } }

  /// The policies of the limiter, and a policy of `--what-if` with an algorithm of the limiter.
  ///
  /// - Throws: `GateError.usage` for an invalid key, and for several policies.
  func apply(to options: inout TuneOptions) throws(GateError) {
    guard let product else { return }
    guard options.questions.count < 2 else { throw .usage("--emit takes one --what-if, found several.") }
    options.limiter = TuneOptions.Limiter(algorithms: product.algorithms, windows: product.windows)
    if let limitKey {
      let names = limitKey.split(separator: "+").map { $0.trimmingCharacters(in: .whitespaces) }
      do throws(LimitKey.Mistake) {
        options.key = try LimitKey(names: names)
      } catch {
        throw .usage("--limit-key: \(error.message).")
      }
    }
    for index in options.questions.indices {
      let asked = options.questions[index].policy
      options.questions[index].policy = product.adapted(asked)
      if let key = options.key { options.questions[index].policy.key = key }
      if options.questions[index].policy.algorithm != asked.algorithm {
        let algorithm = options.questions[index].policy.algorithm.text
        Console.error("\(product.name) has no \(asked.algorithm.text); the configuration has a \(algorithm).")
      }
    }
  }

  /// - Throws: `GateError.usage` for an invalid target or header.
  func apply(to loading: inout RunOptions) throws {
    loading.target = try target.map { text throws(GateError) in try Target(text) }
    certificates.apply(to: &loading)
    try credentials.apply(to: &loading)
  }

  /// Runs `--apply`, and measures the limit. Runs `--restore` unless the limit is confirmed.
  ///
  /// - Returns: the verdict of the measurement.
  /// - Throws: `ExitStatus.noData` if a signal stopped it.
  func deploy(
    _ policy: LimitPolicy, _ configuration: String, _ gate: Gate, _ loading: RunOptions
  ) async throws -> LimitsResult? {
    guard let apply, let restore else { return nil }
    let file = NSTemporaryDirectory() + "murphy-limit-\(UUID().uuidString).conf"
    try AtomicFile.write(configuration, to: file)
    defer { try? FileManager.default.removeItem(atPath: file) }
    let stop = StopSignal()
    // From here on, the limiter may have the new limit.
    let interrupts = Interrupts(
      stop, endingWith: Ending(.noData),
      "Stopping: the former rate limit will be restored. Press Ctrl-C again to quit without --restore.")
    defer { withExtendedLifetime(interrupts) {} }
    do {
      try await DeploymentHook(option: "--apply", command: apply).run(configuration: file)
      let result = try await verified(policy, gate, loading, stop)
      if !stop.isRequested, result?.verdict == .pass { return result }
      Console.error("murphy: the rate limit is not confirmed. Running --restore.")
      try await DeploymentHook(option: "--restore", command: restore).run(configuration: file)
      guard let result, !stop.isRequested else {
        Console.printMasked(Verdict.noData.word + "\n")
        throw ExitStatus.noData
      }
      return result
    } catch let error as GateError where !error.description.hasPrefix("--restore") {
      Console.error("murphy: \(error.description) Running --restore.")
      try await DeploymentHook(option: "--restore", command: restore).run(configuration: file)
      throw error
    }
  }

  /// Nil if a signal came before the measurement.
  private func verified(
    _ policy: LimitPolicy, _ gate: Gate, _ loading: RunOptions, _ stop: StopSignal
  ) async throws -> LimitsResult? {
    // Servers reload in the background.
    for _ in 0..<50 where !stop.isRequested { try? await Task.sleep(for: .milliseconds(20)) }
    guard !stop.isRequested else { return nil }
    var options = LimitsOptions()
    options.target = loading.target
    options.mayTestTarget = iMayTestThisTarget
    options.environment = loading.environment
    (options.authorities, options.certificate) = (certificates.cacert, certificates.certificate)
    let line = StatusLine(isQuiet: false)
    defer { line.end() }
    return try await gate.authorised(loading).verify(policy, options, stop: stop) { line.show($0, $1) }
  }
}
