import MurphyJSON
import MurphyModel

extension ResponseJudge {
  /// A body that is not what its own `Content-Type` says, where the contract documents no schema for it.
  ///
  /// Says nothing of codings that were not undone, of content that was cut off, and of other types than JSON and XML.
  func unreadableContent(_ response: ResponseView) -> ContractViolation? {
    guard Self.mayHaveBody(response.status), response.status != 206, !response.bodyIncomplete, !response.body.isEmpty
    else { return nil }
    var type = UnsafeRawBufferPointer(start: nil, count: 0)
    for line in response.fields.lines {
      if line.is(.contentType) { type = line.value }
      if line.is(.contentEncoding), !Self.undoneCodings.contains(where: { ASCIICase.matches(line.value, $0) }) {
        return nil
      }
    }
    guard let range = MediaRange(String(decoding: type, as: UTF8.self)) else { return nil }
    if range.isJSON {
      guard case .malformed(let error) = bodyParser.parse(response.body), error.kind == .syntax else { return nil }
      return unreadable(
        response.status, "JSON", type, "line \(error.line), column \(error.column): \(error.message)")
    }
    if range.isXML {
      let charset = range.parameters.first { $0.name == "charset" }?.value
      guard case .malformed(let message, let line, let column) = XMLReader.read(response.body, charset: charset)
      else { return nil }
      return unreadable(response.status, "well-formed XML", type, "line \(line), column \(column): \(message)")
    }
    return nil
  }

  /// Whether a valid object has members, and the schema says nothing of any: it requires none and names none of them, so
  /// any other object would be as valid. An empty object leaves out what is optional, and that was checked.
  func isVacant(_ tape: Tape, _ media: MediaSlot) -> Bool {
    guard let names = media.optionalNames, tape.kind(at: tape.root) == .object, !tape.contents(at: tape.root).isEmpty,
      !names.contains(where: { tape.member($0, of: tape.root) != nil }), let schema = media.promise.schema
    else { return false }
    let value = tape.value(at: tape.root)
    let extra = Set(undocumented.find(schema.located, value).map(\.pointer.tokens))
    return value.object?.keys.allSatisfy { extra.contains([$0]) } == true
  }

  static let vacant = "the schema of the body requires nothing and names none of its members"

  private func unreadable(
    _ status: Int, _ what: String, _ type: UnsafeRawBufferPointer, _ why: String
  ) -> ContractViolation {
    ContractViolation(
      kind: .contractBody,
      message: "the body is not \(what), though its type \(Self.shortened(type)) says so: \(why)",
      discriminator: "\(status) not \(what)")
  }

  private static let undoneCodings: [StaticString] = ["identity", "gzip", "x-gzip", "deflate"]
}
