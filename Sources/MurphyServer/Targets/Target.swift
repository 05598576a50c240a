import MurphyHTTP
import MurphyModel

/// The target of a run.
public enum Target: Sendable {
  /// A server's origin, optionally with a path before all operations.
  case url(String)
  /// A reference API that murphy starts itself, on a free port of the loopback.
  case embedded(system: String, settings: [Setting])

  /// One option of a reference API, `fault=stall`.
  public struct Setting: Sendable, Hashable {
    /// The option: `time-scale`.
    public var name: String
    /// As text: `0.1`.
    public var value: String
  }

  /// - Parameter text: a URL, or `embedded:SYSTEM`, or `embedded:SYSTEM?fault=stall&time-scale=0.1` with the options of
  ///   `murphy serve`.
  public init(_ text: String) throws(GateError) {
    if text.hasPrefix("embedded:") {
      let parts = text.dropFirst("embedded:".count).split(separator: "?", maxSplits: 1).map(String.init)
      guard let system = parts.first else {
        throw .usage(
          "the target \"\(text)\" names no reference API. Known: \(ReferenceAPI.names.joined(separator: ", ")).")
      }
      let settings = parts.count < 2 ? [] : parts[1].split(separator: "&").map { Setting(pair: $0) }
      self = .embedded(system: system, settings: settings)
    } else if text.hasPrefix("http://") || text.hasPrefix("https://") {
      do throws(OriginError) { _ = try Origin(text) } catch { throw .usage(error.description + ".") }
      self = .url(text)
    } else {
      let shown = URLCredentials.masked(text)
      throw .usage(
        "the target \"\(shown)\" is not a URL. Expected http://HOST:PORT, https://HOST or embedded:SYSTEM"
          + (text.contains("://") ? "." : ". Did you mean http://\(shown)?"))
    }
  }
}

extension Target.Setting {
  fileprivate init(pair: Substring) {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    self.init(name: parts[0], value: parts.count > 1 ? parts[1] : "")
  }
}

extension Target {
  /// The time limit for a connection to the target before the load begins.
  private static let patience: Duration = .seconds(5)

  /// Connects to the target before any request is sent; blocks for at most five seconds. Embedded targets are not
  /// checked, because murphy starts them itself.
  ///
  /// - Parameter transport: the trusted authorities and the client certificate of the TLS handshake with an `https`
  ///   target; nil for a connection without a handshake.
  /// - Throws: `GateError.unreachable` with a sentence.
  package func checkReachability(_ transport: TransportOptions?) throws(GateError) {
    guard case .url(let url) = self else { return }
    let origin: Origin
    do throws(OriginError) { origin = try Origin(url) } catch { throw .usage(error.description + ".") }
    var options = transport ?? TransportOptions()
    options.connectTimeout = Self.patience
    do throws(TransportError) {
      try Reachability.check(origin, options, isEncrypted: transport != nil && origin.scheme == "https")
    } catch {
      let target = "cannot reach the target \(origin.text)"
      switch error {
      case .refused:
        throw .unreachable("\(target): connection refused. Is the API running, and is the port \(origin.port) right?")
      case .connectTimeout(let limit):
        throw .unreachable("\(target): no connection within \(limit.text). Is the API running, and is the host right?")
      case .unresolved:
        throw .unreachable("\(target): the host name \"\(origin.host)\" has no address. Is the host name right?")
      case .encryption(let detail): throw .unreachable("\(target): \(Self.handshake(detail, with: origin))")
      default: throw .unreachable("\(target): \(error.sentence).")
      }
    }
  }

  /// The reason why a TLS handshake failed and the remedy, by the messages of libcurl and OpenSSL.
  private static func handshake(_ detail: String, with origin: Origin) -> String {
    let text = detail.lowercased()
    // RFC 8446 §5.1: a server without TLS sends bytes that OpenSSL cannot read as a record.
    let strange = ["wrong version number", "packet length too long", "http request", "unknown protocol"]
    if strange.contains(where: { text.contains($0) }) {
      return "the port does not support TLS (\(detail)). Did you mean http://\(origin.host):\(origin.port)?"
    }
    if text.contains("no alternative certificate subject name") || text.contains("does not match") {
      return "the TLS certificate is for another host (\(detail)). Use the host name of the certificate in the target."
    }
    if text.contains("expired") || text.contains("not yet valid") {
      return "the TLS certificate is expired or not yet valid (\(detail))."
    }
    if text.contains("certificate problem") || text.contains("unable to get local issuer") {
      return
        "the TLS certificate is not trusted (\(detail)). Name the certificate of its authority with --cacert FILE, or "
        + "in the scenario with `settings: { tls: { ca-file: FILE } }`."
    }
    return "the TLS handshake failed (\(detail))."
  }
}

/// A target that accepts requests now; an embedded one is stopped with `stop`.
package struct RunningTarget: Sendable {
  /// The base URL of the API.
  package var url: String
  /// Factor on the length of the limiter's windows.
  package var timeScale = 1.0
  /// True if murphy started it itself.
  package var isEmbedded: Bool { server != nil }
  private var server: RunningServer?

  /// Starts an embedded reference API on a free port, or uses the URL unchanged.
  ///
  /// - Throws: a `GateError` for options of the reference API together with a URL, because they would have no effect.
  package static func start(_ target: Target, reference: ReferenceOptions) async throws(GateError) -> RunningTarget {
    switch target {
    case .url(let url):
      guard let option = reference.chosen.first?.name else { return RunningTarget(url: url) }
      let name = option == "seed" ? "data-seed" : option
      let url = (try? Origin(url))?.text ?? URLCredentials.masked(url)
      throw GateError.usage(
        "--\(name) is an option of the reference API and has no effect on \(url). Remove the option, or use --target "
          + "embedded:murphys-laws.")
    case .embedded(let system, _):
      let options = try target.options(reference)
      do {
        let server = try await ReferenceAPI(named: system).start(options)
        return RunningTarget(url: server.url, timeScale: options.limits.timeScale, server: server)
      } catch {
        throw .usage((error as? ServerError)?.description ?? "\(error)")
      }
    }
  }

  /// Has no effect on a target that is not embedded.
  package func stop() async { await server?.stop() }
}

extension Target {
  /// Factor on the length of the limiter's windows of an embedded target; 1 for all others.
  package func timeScale(_ reference: ReferenceOptions) throws(GateError) -> Double {
    guard case .embedded = self else { return 1 }
    return try options(reference).limits.timeScale
  }

  /// The reference API's options with the target's own settings.
  fileprivate func options(_ reference: ReferenceOptions) throws(GateError) -> ReferenceOptions {
    guard case .embedded(_, let settings) = self else { return reference }
    var options = reference
    do {
      for setting in settings { try options.set(setting.name, to: setting.value) }
    } catch {
      throw .usage(error.description)
    }
    return options
  }
}

extension Finding {
  /// The same with a script that asks for the API's address: the server at `url` was started for this run and has
  /// ended.
  ///
  /// - Parameter command: starts the API again.
  package func leaving(_ url: String, startedBy command: String) -> Finding {
    let address = ShellWord(ShellVariable("TARGET")).quoted
    func leaving(_ script: ShellScript) -> ShellScript {
      let left = script.text.replacingScalars("'\(url)", with: address + "'")
      guard left != script.text else { return script }
      return ShellScript(": \"${TARGET:?set it to the address that this command prints: \(command)}\"; " + left)
    }
    var finding = self
    finding.evidence?.curl = evidence?.curl.map(leaving)
    finding.evidence?.witness = evidence?.witness?.map { exchange in
      var exchange = exchange
      exchange.curl = exchange.curl.map(leaving)
      return exchange
    }
    return finding
  }
}

extension Target {
  /// `murphy serve` with this reference API and its options; nil for any other server.
  ///
  /// Options with characters that a shell may expand are left out.
  package func serveCommand(_ reference: ReferenceOptions) -> String? {
    guard case .embedded(let system, let settings) = self else { return nil }
    let options = (settings + reference.given.map { Setting(name: $0.name, value: $0.value) }).map {
      " --\($0.name) \($0.value)"
    }.filter { option in
      option.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: " =/._:-".utf8.contains(byte)
        }
      }
    }
    return "murphy serve \(system) --port 0" + options.joined()
  }
}
