import ArgumentParser
import Murphy

/// `murphy schema bowtie`: speaks the harness protocol of Bowtie, JSON lines on standard input and output.
struct BowtieVerb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bowtie", abstract: "Speaks the harness protocol of Bowtie (docs.bowtie.report).")

  func run() throws {
    var harness = BowtieHarness(version: Murphy.version, homepage: "https://murphys-laws.com")
    while let line = readLine() {
      switch harness.reply(to: line) {
      case .line(let text): Console.print(text)
      case .stop: return
      case .failure(let sentence):
        Console.error(sentence)
        throw ExitStatus.usage
      }
    }
  }
}
