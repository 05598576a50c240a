import MurphySchema
import Testing

/// Strings that satisfied a format before are not checked again.
@Suite struct AcceptedStringsTests {
  let scratch = SchemaScratch()

  func isValid(_ schema: Schema, _ document: String) -> Bool {
    let parser = TapeParser()
    return Array(document.utf8).withUnsafeBytes {
      schema.program.isValid(schema.entry, parser.parse($0), scratch) == .valid
    }
  }

  func schema(_ text: String) throws -> Schema {
    var options = SchemaOptions()
    options.formatAssertion = true
    return try Schema(json: text, options: options)
  }

  @Test func `a string of one format is not accepted as another`() throws {
    let schema = try schema(#"{"properties":{"uri":{"format":"uri"},"host":{"format":"hostname"}}}"#)
    for _ in 0..<3 {
      #expect(isValid(schema, #"{"uri":"urn:example","host":"example"}"#))
      #expect(!isValid(schema, #"{"host":"urn:example"}"#))
      #expect(!isValid(schema, #"{"uri":"example"}"#))
    }
  }

  @Test func `many strings have the results of strings that are checked alone`() throws {
    let schema = try schema(#"{"format":"uri"}"#)
    for round in 0..<2 {
      for number in 0..<1_000 {
        let text = "http://example.com/\(number % 500)" + String(repeating: "a", count: number % 150)
        #expect(isValid(schema, "\"\(text)\""), "\(round) \(number)")
        #expect(!isValid(schema, "\"\(text) \""), "\(round) \(number)")
        #expect(!isValid(schema, "\"\(text.dropFirst(7))\""), "\(round) \(number)")
      }
    }
  }

  @Test func `each character of a UUID is checked`() throws {
    let schema = try schema(#"{"format":"uuid"}"#)
    let uuid = Array("0123abCD-89ef-4EF0-a1B2-c3d4e5f60718")
    #expect(isValid(schema, "\"\(String(uuid))\""))
    for index in uuid.indices {
      for wrong in ["g", "/", ":", "@", "`", "-", "0", " "] as [Character] {
        var other = uuid
        other[index] = wrong
        let isRight = uuid[index] == "-" ? wrong == "-" : wrong == "0"
        #expect(isValid(schema, "\"\(String(other))\"") == isRight, "\(String(other))")
      }
    }
  }
}
