import MurphyContract
import MurphyModel
import MurphySchema

extension ImportedScenario {
  /// The requests of a file. Its content decides on its format.
  static func read(
    _ text: String, _ file: String, _ contract: Contract, _ target: String?
  ) throws(Mistake) -> (Format, Recording) {
    if text.prefix(200).drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).first == "<" {
      return (.jmeter, try JMeterReader(contract, plan(text, file)).recording())
    }
    if K6Reader.isScript(text) { return (.k6, K6Reader(contract, text).recording(contract)) }
    if BruFile.isFile(text) { return (.bruno, try BrunoReader.recording([(file, text)], contract)) }
    if HurlReader.isFile(text, file) { return (.hurl, try HurlReader.recording(text, file, contract)) }
    let contents = Result { () throws(Mistake) in try Self.contents(text, file) }
    let root = (try? contents.get()) ?? .null
    if root["log"]?["entries"] != nil {
      return (.har, HARReader(contract, target: target).recording(ArchiveMask.masked(root)))
    }
    if root["arazzo"] != nil { return (.arazzo, ArazzoReader(contract).recording(root)) }
    if root["info"] != nil, root["item"] != nil { return (.postman, PostmanReader.recording(root, contract)) }
    if InsomniaReader.isExport(root) { return (.insomnia, InsomniaReader.recording(root, contract)) }
    if root["opencollection"] != nil, root["items"] != nil { return (.bruno, BrunoReader.recording(root, contract)) }
    if root["opencollection"] != nil || root["version"] != nil && root["type"] == "collection" {
      throw Mistake(description: "\(file) is a part of a Bruno collection. Import the folder of the collection.")
    }
    if root["openapi"] != nil || root["swagger"] != nil {
      throw Mistake(
        description: "\(file) is an OpenAPI document. To draft a scenario from it, use `murphy init \(file)`.")
    }
    if CurlReader.isScript(text) { return (.curl, try CurlReader.recording(text, file, contract)) }
    _ = try contents.get()
    throw Mistake(
      description: "\(file) is not an HTTP Archive (log.entries), a Postman collection (info, item), an export of "
        + "Insomnia (_type, collection), a Bruno collection (opencollection), an Arazzo document (arazzo, workflows), "
        + "a JMeter test plan (<jmeterTestPlan>), a k6 script, a Hurl file or curl commands")
  }

  private static func plan(_ text: String, _ file: String) throws(Mistake) -> XMLElement {
    switch Array(text.utf8).withUnsafeBytes({ XMLReader.read($0) }) {
    case .document(let root) where root.name == "jmeterTestPlan": return root
    case .document(let root):
      throw Mistake(description: "\(file) is XML, but <\(root.name)> is not a JMeter test plan (<jmeterTestPlan>)")
    case .malformed(let message, let line, let column):
      throw Mistake(description: "\(file):\(line):\(column): not XML: \(message)")
    case .unreadable(let reason): throw Mistake(description: "\(file) cannot be read: it is \(reason)")
    }
  }

  /// JSON, or YAML if the text is not JSON. Not every JSON document is YAML, because YAML forbids some characters.
  static func contents(_ text: String, _ file: String) throws(Mistake) -> JSONValue {
    if let value = try? JSONValue.parse(Array(text.utf8)) { return value }
    let document = MarkedDocument(SourceText(file: file, text: text), as: .yaml)
    guard let root = document.contents?.value else {
      throw Mistake(description: document.mistakes.first?.text ?? "\(file) is neither JSON nor YAML")
    }
    return root
  }
}
