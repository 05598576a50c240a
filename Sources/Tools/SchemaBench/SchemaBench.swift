import Foundation
import MurphySchema

/// Measures the time of validation, including the parser, for comparison with other validators.
///
///     SchemaBench SCHEMA INSTANCE...
///
/// Prints for each instance one line of JSON: its bytes, its verdict, and the nanoseconds for one validation. That is
/// the fastest of up to 200 rounds in one second. Other processes on the machine only add time. Formats are asserted.
@main struct SchemaBench {
  static func main() throws {
    let files = CommandLine.arguments.dropFirst()
    guard let schemaFile = files.first, files.count > 1 else {
      print("usage: SchemaBench SCHEMA INSTANCE...")
      exit(2)
    }
    var options = SchemaOptions()
    options.formatAssertion = true
    let text = try String(contentsOfFile: schemaFile, encoding: .utf8)
    let schema = try Schema(json: text, options: options, uri: URL(filePath: schemaFile).absoluteString)
    for file in files.dropFirst() {
      let instance = try Data(contentsOf: URL(filePath: file))
      let timing = instance.withUnsafeBytes { time($0, schema) }
      let line: JSONValue = [
        "instance": .string(file), "bytes": JSONValue(instance.count), "valid": JSONValue(timing.verdict == .valid),
        "nanoseconds": JSONValue(timing.nanoseconds.rounded()),
      ]
      print(line.text)
    }
  }

  static func time(_ bytes: UnsafeRawBufferPointer, _ schema: Schema) -> (verdict: SchemaVerdict, nanoseconds: Double) {
    let parser = TapeParser()
    let scratch = SchemaScratch()
    let clock = ContinuousClock()
    var verdict = schema.program.isValid(schema.entry, parser.parse(bytes), scratch)
    let begin = clock.now
    var best = Double.infinity
    for round in 0..<200 where round == 0 || clock.now - begin < .seconds(1) {
      let start = clock.now
      var count = 0
      while count == 0 || clock.now - start < .milliseconds(5) {
        // The clock is read once for a batch, so that its cost is negligible.
        for _ in 0..<max(1, 100_000 / max(1, bytes.count)) {
          verdict = schema.program.isValid(schema.entry, parser.parse(bytes), scratch)
          count += 1
        }
      }
      best = min(best, (clock.now - start) / .nanoseconds(1) / Double(count))
    }
    return (verdict, best)
  }
}
