import Foundation
import Murphy
import MurphyModel
import MurphyReport

/// The output of a run on standard output at its end.
struct RunOutput {
  /// True for all details instead of only the decision.
  var isVerbose = false
  var form = OutputForm.text
  /// True if the command can be repeated: a merge has no seed, and standard input is used up.
  var isRepeatable = false

  /// - Parameter report: the page that was written; nil if there is none.
  func text(_ result: RunResult, report: String?) -> String {
    if form == .json { return line(result, report: report) }
    guard isVerbose else {
      return TerminalSummary(
        result, width: Console.width, colour: Console.usesColour, report: report, again: again(result.run.seed)
      ).text
    }
    let details = TerminalDetails(
      result, width: Console.width, colour: Console.usesColour, hasReport: report != nil)
    return (report.map { "\nReport: \(TerminalText.safe($0))\n" } ?? "") + details.text
  }

  /// Writes the line of JSON into a file; an error is reported on standard error.
  func write(_ result: RunResult, report: String?, to file: String) {
    do { try AtomicFile.write(line(result, report: report), to: file) } catch { Console.error("murphy: \(error)") }
  }

  private func line(_ result: RunResult, report: String?) -> String {
    let folder = report.map { ($0 as NSString).deletingLastPathComponent }
    return TerminalText.harmless(RunLine(result, report: folder).text) + "\n"
  }

  /// The original command, with the seed of the run.
  private func again(_ seed: UInt64) -> String? {
    let given = CommandLine.arguments.dropFirst()
    guard isRepeatable, !given.contains("-") else { return nil }
    let isSeeded = given.contains { $0 == "--seed" || $0.hasPrefix("--seed=") }
    if Self.holdsSecret(given) { return "the same command" + (isSeeded ? "" : " with --seed \(seed)") }
    return (["murphy"] + given + (isSeeded ? [] : ["--seed", "\(seed)"])).map(Self.word).joined(separator: " ")
  }

  /// True if a word contains credentials, or if a value for the scenario or of a header follows.
  private static func holdsSecret(_ words: ArraySlice<String>) -> Bool {
    words.contains { word in
      ["-e", "--env", "--header"].contains { word == $0 || word.hasPrefix($0 + "=") }
        || URLCredentials.masked(word) != word || !URLCredentials.passwords(in: word).isEmpty
        || Console.holdsSecret(word)
    }
  }

  /// Quoted only if a shell would interpret the text.
  private static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || "-_./:=@%+,".utf8.contains(byte)
      }
    return isPlain ? text : ShellWord(text).quoted
  }
}
