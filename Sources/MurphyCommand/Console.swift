import Dispatch
import Foundation
import Murphy
import Synchronization

/// The process's streams and its end; no other file of the command uses them.
enum Console {
  static let isOutputTerminal = isatty(STDOUT_FILENO) == 1
  static let isErrorTerminal = isatty(STDERR_FILENO) == 1

  /// True if standard output may have colours: it is a terminal, and `NO_COLOR` is not set (no-color.org).
  static var usesColour: Bool {
    isOutputTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty && !isDumb
  }

  /// True if a line on standard error can be overwritten.
  static var rewritesLines: Bool { isErrorTerminal && !isDumb }

  /// A terminal that prints escape sequences as they are.
  private static var isDumb: Bool { ProcessInfo.processInfo.environment["TERM"] == "dumb" }

  /// Columns of the terminal; 100 without a terminal.
  static var width: Int {
    var size = winsize()
    for stream in [STDERR_FILENO, STDOUT_FILENO] where ioctl(stream, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return 100
  }

  /// Values that no stream may show.
  private static let mask = Mutex(SecretMask())

  static func hide(_ more: SecretMask) { mask.withLock { $0 = $0.adding(more.secrets) } }

  static func holdsSecret(_ text: String) -> Bool { mask.withLock { $0.masked(text) != text } }

  /// Credentials in a URL on the command line: `http://user:password@host`.
  static func hideCredentials(in arguments: [String]) {
    for argument in arguments {
      hide(SecretMask(secrets: URLCredentials.passwords(in: argument)))
    }
  }

  /// Sentences, with the end of their last line. Text of a server, a file or an argument in them cannot control the
  /// terminal.
  static func print(_ text: String) { write(TerminalText.harmless(text) + "\n", to: STDOUT_FILENO) }
  /// Unchanged lines: a report in its own notation, or colours.
  static func printRaw(_ text: String) { write(text, to: STDOUT_FILENO) }
  /// Lines of a result with values that are masked already. A secret may look like a verdict, a key of JSON or a part
  /// of a command; it must not remove that.
  static func printMasked(_ text: String) {
    put(isWorkflow ? TerminalText.withoutWorkflowCommands(text) : text, to: STDOUT_FILENO)
  }
  static func error(_ text: String) { write(TerminalText.harmless(text) + "\n", to: STDERR_FILENO) }

  /// Overwrites the terminal's current line; an empty string clears it.
  static func errorInPlace(_ text: String) {
    let line = TerminalText.safe(text).prefix(max(width - 1, 20))
    write("\r\u{1B}[2K" + line, to: STDERR_FILENO)
  }

  /// Commands to the runner of GitHub Actions; all other text is escaped.
  static func printWorkflowCommands(_ text: String) {
    put(TerminalText.harmless(mask.withLock { $0.masked(sentence: text) }), to: STDOUT_FILENO)
  }

  /// A reader that closed the pipe (`| head`) must not kill a run before its reports are written.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Ends the process. If standard output could not be written, a pass does not count: it was not read.
  static func exit(_ status: ExitStatus) -> Never {
    if let reason = lost.withLock({ $0 }) {
      error(
        """
        murphy: cannot write to standard output: \(reason). Free some disk space, or redirect the output to another \
        place.
        """)
      Foundation.exit(status == .pass ? ExitStatus.usage.rawValue : status.rawValue)
    }
    Foundation.exit(status.rawValue)
  }

  /// The ending of the process, once it is decided.
  private static let ending = Mutex<Ending?>(nil)

  /// Decides the ending of the process once. Every later caller gets the first decision, so that a run has only one
  /// verdict.
  static func decide(_ wanted: Ending) -> Ending {
    ending.withLock { ending in
      if ending == nil { ending = wanted }
      return ending ?? wanted
    }
  }

  /// Decides the ending, or never returns: a second signal has already decided another one, and ends the process.
  static func settle(_ wanted: Ending) async {
    while decide(wanted) != wanted { try? await Task.sleep(for: .seconds(1)) }
  }

  /// True if a runner of GitHub Actions reads standard output.
  static let isWorkflow = ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true"
  /// The reason why standard output could not be written; nil without an error. A closed pipe is not an error.
  private static let lost = Mutex<String?>(nil)

  private static func write(_ text: String, to stream: Int32) {
    let text = mask.withLock { $0.masked(sentence: text) }
    put(isWorkflow ? TerminalText.withoutWorkflowCommands(text) : text, to: stream)
  }

  private static func put(_ text: String, to stream: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { Foundation.write(stream, $0.baseAddress, $0.count) }
      if written > 0 {
        bytes = bytes.dropFirst(written)
      } else if errno != EINTR && errno != EAGAIN {
        let code = errno
        if stream == STDOUT_FILENO, code != EPIPE {
          lost.withLock { $0 = String(cString: strerror(code)).lowercased() }
        }
        return
      }
    }
  }
}

/// Prints the reason why murphy failed, and returns its exit status.
enum Failure {
  static func report(_ error: any Error, as status: ExitStatus? = nil) -> ExitStatus {
    if let status = error as? ExitStatus { return status }
    if let error = error as? GateError {
      if case .mistakes(let diagnostics) = error {
        Console.error(error.description)
        let errors = diagnostics.count { $0.severity == .error }
        Console.error("\(errors) error\(errors == 1 ? "" : "s"); no request was sent.")
      } else {
        Console.error("murphy: \(error.description)")
      }
      return status ?? error.exitStatus
    }
    Console.error("murphy: \(error)")
    return status ?? .usage
  }
}

/// The last word of a run, if it has one, and its exit status.
struct Ending: Sendable, Equatable {
  var word: String?
  var status: Int32
}

extension Ending {
  init(_ verdict: Verdict) { self.init(word: verdict.word, status: verdict.exitStatus.rawValue) }
}

extension Gate {
  /// Reads a verb's scenario, hides its secrets and prints its warnings.
  static func open(_ scenario: String, _ options: RunOptions, isQuiet: Bool) async throws(GateError) -> Gate {
    let gate = try await load(scenario, options: options)
    Console.hide(gate.mask(environment: options.environment))
    for text in Diagnostic.texts(of: gate.warnings) where !isQuiet { Console.error(text) }
    return gate
  }
}

/// Turns Ctrl-C (SIGINT), SIGTERM and the end of the terminal (SIGHUP) into a call. After the second one the process
/// ends within two seconds, after a third at once.
///
/// Handlers run on their own queue, never in the signal's context.
final class Interrupts {
  private var sources: [any DispatchSourceSignal] = []
  private let queue = DispatchQueue(label: "murphy.interrupts")

  /// - Parameters:
  ///   - ending: the ending of the process if the second signal has to end it. The default is 128 + the signal's
  ///     number, as in shells.
  ///   - first: called for the first signal.
  ///   - second: called for the second signal.
  init(
    endingWith ending: Ending? = nil, _ first: @escaping @Sendable () -> Void,
    second: @escaping @Sendable () -> Void = {}
  ) {
    let count = Counter()
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        switch count.next() {
        case 1: first()
        case 2:
          second()
          Self.end(ending ?? Ending(word: nil, status: 128 + number))
        default: Foundation._exit(128 + number)
        }
      }
      source.resume()
      sources.append(source)
    }
  }

  /// The first signal prints `words` and requests the stop.
  convenience init(_ stop: StopSignal, endingWith ending: Ending, _ words: String) {
    self.init(endingWith: ending) {
      Console.error("\n\(words)")
      stop.request()
    }
  }

  /// Seconds for the verdict and the reports after the second signal.
  private static let patience = 1.5
  /// Seconds for the last output, which may block on a stream without a reader.
  private static let farewell = 0.3

  /// Ends the process from a separate thread, independent of all others.
  private static func end(_ wanted: Ending) {
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: patience)
      let ending = Console.decide(wanted)
      Thread.detachNewThread {
        Console.error("murphy: a second signal (such as Ctrl-C) aborted the command. Some reports were not written.")
        if let word = ending.word { Console.printMasked(word + "\n") }
        Foundation._exit(ending.status)
      }
      Thread.sleep(forTimeInterval: farewell)
      Foundation._exit(ending.status)
    }
  }

  deinit { for source in sources { source.cancel() } }
}

/// A counter for any thread.
private final class Counter: Sendable {
  private let value = Mutex(0)

  func next() -> Int {
    value.withLock {
      $0 += 1
      return $0
    }
  }
}
