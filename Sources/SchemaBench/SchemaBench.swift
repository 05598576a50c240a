import Foundation
import MurphyContract
import MurphyJSON

/// Times validation, parse included, for comparison with other validators.
///
///     SchemaBench SCHEMA INSTANCE...
///
/// prints for each instance one line of JSON: its bytes, its verdict, and the nanoseconds for one validation, the
/// median of five rounds of at least 0.2 s each. Formats are asserted.
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
    let rounds = (0..<5).map { _ -> Double in
      var count = 0
      let start = clock.now
      // The clock is read once for a batch, so that it costs nothing.
      let batch = max(1, 20_000 / max(1, bytes.count))
      while clock.now - start < .milliseconds(200) {
        for _ in 0..<batch { verdict = schema.program.isValid(schema.entry, parser.parse(bytes), scratch) }
        count += batch
      }
      return (clock.now - start) / .nanoseconds(1) / Double(count)
    }
    return (verdict, rounds.sorted()[2])
  }
}
