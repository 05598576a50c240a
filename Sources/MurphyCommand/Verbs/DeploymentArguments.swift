import ArgumentParser
import Foundation
import Murphy

/// `--emit`, `--apply` and their options: the recommended policy as the configuration of a rate limiter.
struct DeploymentArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Print the recommended policy, or the policy of --what-if, as configuration of this limiter: \
      \(LimiterProduct.all.map(\.name).joined(separator: ", ")). Murphy recommends only policies that this limiter \
      supports.
      """,
      valueName: "limiter"), completion: .list(LimiterProduct.all.map(\.name)))
  var emit: String?
  @Option(
    help: """
      The limit key of the configuration: address, token, or the name of a header. By default, the limit key is the \
      key of the tuned rate limit.
      """)
  var limitKey: String?
  @Option(
    help: ArgumentHelp(
      """
      A shell command that activates the new configuration. Murphy executes the command. The environment variable \
      MURPHY_CONFIGURATION contains the path of the configuration file. After the command, murphy measures the rate \
      limit of --target, as murphy limits does. --apply requires --emit, --target and --restore.
      """,
      valueName: "command"))
  var apply: String?
  @Option(
    help: ArgumentHelp(
      "Run this shell command if --apply fails, or if the measurement does not confirm the new rate limit.",
      valueName: "command"))
  var restore: String?
  @Option(help: "The API whose rate limit murphy measures after --apply, as a URL.", completion: Candidates.targets)
  var target: String?
  @Flag(help: "Confirm that you are allowed to use up the rate limits of a target on another machine.")
  var iMayTestThisTarget = false
  @OptionGroup var credentials: CredentialArguments
  @OptionGroup(title: "TLS") var certificates: CertificateArguments

  func validate() throws {
    if let emit, product == nil {
      let names = LimiterProduct.all.map(\.name)
      throw ValidationError(
        "--emit takes \(names.joined(separator: ", ")), found \"\(emit)\".\(didYouMean(emit, among: names))")
    }
    if limitKey != nil, emit == nil {
      throw ValidationError(
        "--limit-key has an effect only with --emit. Add --emit LIMITER.")
    }
    if apply != nil, emit == nil || target == nil || restore == nil {
      throw ValidationError("--apply requires --emit LIMITER, --target URL and --restore COMMAND.")
    }
    if restore != nil, apply == nil {
      throw ValidationError(
        "--restore has an effect only with --apply. Add --apply COMMAND.")
    }
    guard apply == nil else { return }
    if iMayTestThisTarget || credentials.login != nil || credentials.tokenCommand != nil {
      throw ValidationError(
        "--i-may-test-this-target, --login and --token-command have an effect only with --apply. Add --apply COMMAND.")
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
    guard options.questions.count < 2 else {
      throw .usage("--emit allows only one --what-if, but several were given. Remove all except one.")
    }
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
        Console.error(
          """
          \(product.name) does not support the algorithm \(asked.algorithm.text). The configuration uses the algorithm \
          \(algorithm).
          """)
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
      "Stopping: murphy restores the former rate limit. Press Ctrl-C again to quit without a restore.")
    defer { withExtendedLifetime(interrupts) {} }
    do {
      try await DeploymentHook(option: "--apply", command: apply).run(configuration: file)
      let result = try await verified(policy, gate, loading, stop)
      if !stop.isRequested, result?.verdict == .pass { return result }
      Console.error("murphy: the measurement did not confirm the new rate limit. Running the command of --restore.")
      try await DeploymentHook(option: "--restore", command: restore).run(configuration: file)
      guard let result, !stop.isRequested else {
        Console.printMasked(Verdict.noData.word + "\n")
        throw ExitStatus.noData
      }
      return result
    } catch let error as GateError where !error.description.hasPrefix("--restore") {
      Console.error("murphy: \(error.description) Running the command of --restore.")
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
