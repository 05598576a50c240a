import Foundation
import MurphyContract
import MurphyJudge
import MurphyModel
import MurphyScenario
import MurphySchema

extension Gate {
  /// Reads a scenario and its contract.
  ///
  /// - Parameters:
  ///   - file: the scenario, YAML.
  ///   - environment: variables that `${env(NAME)}` may read.
  ///   - toleratesMissingEnvironment: an unset variable is an empty string, as a lint needs it.
  /// - Throws: a `GateError` with every mistake.
  public static func load(
    _ file: String, environment: [String: String] = ProcessInfo.processInfo.environment,
    toleratesMissingEnvironment: Bool = false
  ) throws(GateError) -> Gate {
    try load(
      file, environment: environment, toleratesMissingEnvironment: toleratesMissingEnvironment,
      fetched: FetchedContracts())
  }

  static func load(
    _ file: String, environment: [String: String], toleratesMissingEnvironment: Bool, fetched: FetchedContracts
  ) throws(GateError) -> Gate {
    let digest = FileDigest()
    let outcome = BoundedFile.$digest.withValue(digest) {
      Result { () throws(GateError) in
        try read(
          file, environment: environment, toleratesMissingEnvironment: toleratesMissingEnvironment, fetched: fetched)
      }
    }
    var gate = try outcome.get()
    for document in fetched.documents.values { digest.add(document) }
    gate.texts = digest.text
    gate.documents = fetched.documents
    return gate
  }

  private static func read(
    _ file: String, environment: [String: String], toleratesMissingEnvironment: Bool, fetched: FetchedContracts
  ) throws(GateError) -> Gate {
    let text = try text(of: file)
    let named = Scenario.outline(text: text, file: file).contracts
    guard !named.isEmpty else { return try withoutContract(text, file, environment) }
    var sources = fetched
    let source = SourceText(file: file, text: text)
    for entry in named { try sources.add(entry, of: source) }
    let contract = try contract(sources, JudgeOptions())
    let digest = FileDigest(partOf: BoundedFile.digest)
    digest.add(Array(text.utf8))
    let scenario: Scenario
    do {
      scenario = try BoundedFile.$digest.withValue(digest) {
        Result { () throws(ScenarioError) in
          try Scenario.parse(
            text: text, file: file, operations: contract.summaries, environment: environment,
            toleratesMissingEnvironment: toleratesMissingEnvironment)
        }
      }.get()
    } catch {
      // The unreadable part of the contract may be the reason why the scenario does not fit it.
      throw .mistakes(error.diagnostics + contract.uncallableWarnings)
    }
    let called = Set(scenario.scripts.flatMap(\.operations).compactMap { contract.index(of: $0) })
    let wrong =
      contract.mistakes(of: called.sorted())
      + scenario.inlineSchemas.compactMap { Self.mistake($0, in: $0.mark.file == file ? text : "") }
    guard wrong.isEmpty else { throw .mistakes(wrong) }
    var gate = Gate(scenario: scenario, contract: try strict(contract, scenario, sources))
    gate.scenarioTexts = digest.text
    gate.scenario.warnings += RequestValueCheck(scenario, gate.contract).warnings
    gate.coverageBaseline = try baseline(gate.coverageBaselineFile)
    return gate
  }

  /// The reason why a schema within the scenario cannot be used.
  private static func mistake(_ schema: InlineSchema, in text: String) -> Diagnostic? {
    do throws(SchemaError) {
      _ = try Schema(schema.value)
      return nil
    } catch {
      let mark = schema.marks[error.location.pointer.description] ?? schema.mark
      let lines = text.textLines
      let line = lines.indices.contains(mark.line - 1) ? String(lines[mark.line - 1]) : nil
      return Diagnostic("this schema is not valid: \(error.message)", at: mark, sourceLine: line)
    }
  }

  /// A scenario file without `contract:` is an error that its own reading reports.
  private static func withoutContract(
    _ text: String, _ file: String, _ environment: [String: String]
  ) throws(GateError) -> Gate {
    do {
      _ = try Scenario.parse(text: text, file: file, operations: nil, environment: environment)
    } catch {
      throw .mistakes(error.diagnostics)
    }
    throw .usage("\(file) names no contract. Add the OpenAPI document of the API: `contract: openapi.yaml`.")
  }

  /// The bytes of standard input, which can be read only once: a scenario's contract is read before the rest.
  private static let standardInput: Result<[UInt8], BoundedFile.Failure> = Result { () throws(BoundedFile.Failure) in
    try BoundedFile.read(STDIN_FILENO, limit: BoundedFile.scenario)
  }

  /// - Parameter file: a path, or `-` for standard input.
  static func text(of file: String) throws(GateError) -> String {
    let bytes: [UInt8]
    do {
      if file == "-" {
        bytes = try standardInput.get()
        BoundedFile.digest?.add(bytes)
      } else {
        bytes = try BoundedFile.read(file, limit: BoundedFile.scenario)
      }
    } catch {
      throw .usage("cannot read the scenario \(file): \(error.sentence(of: file))")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("cannot read the scenario \(file): the file is not UTF-8 text. Save the file as UTF-8.")
    }
    return text
  }

  /// Nil while the file does not exist.
  private static func baseline(_ file: String?) throws(GateError) -> CoverageBaseline? {
    guard let file, FileManager.default.fileExists(atPath: file) else { return nil }
    do {
      return try CoverageBaseline(text: try text(of: file), file: file)
    } catch let error as Diagnostic {
      throw .mistakes([error])
    } catch {
      throw .usage("cannot read the coverage baseline \(file): \(error)")
    }
  }

  private static func contract(_ sources: FetchedContracts, _ options: JudgeOptions) throws(GateError) -> Contract {
    do {
      return try Contract.load(sources.files, fetched: sources.documents, options: options)
    } catch {
      throw .mistakes(error.diagnostics)
    }
  }

  /// The contract with the strictness that the scenario requests.
  private static func strict(
    _ contract: Contract, _ scenario: Scenario, _ sources: FetchedContracts
  ) throws(GateError) -> Contract {
    let strictness = scenario.expectations.strictness
    var options = JudgeOptions()
    options.undocumentedFields = strictness.rules.contains(.undocumentedFields)
    options.allowedFields = strictness.allow
    return options == JudgeOptions() ? contract : try self.contract(sources, options)
  }
}

extension Gate {
  /// Warnings about required credentials that are not set, and about credentials that are set but not required.
  /// Requests are sent without both.
  ///
  /// - Parameter options: their environment, and the source of a token.
  package func missingCredentials(_ options: RunOptions) -> [Diagnostic] {
    let environment = options.environment
    guard options.tokens == nil else { return [] }
    var called: [String: [String]] = [:]
    var used: Set<String> = []
    for script in scenario.scripts {
      let sent = Set(script.client.headers.map { $0.name.lowercased() })
      for call in script.calls {
        guard let index = call.operation.index, contract.operations.indices.contains(index) else { continue }
        let own = sent.union(call.headers.map { $0.name.lowercased() })
        let operation = contract.operations[index]
        let schemes = operation.security.flatMap(\.schemes).compactMap { contract.securitySchemes[$0]?.kind }
        let isSent = schemes.contains { kind in
          if case .apiKey(let name, .header) = kind {
            own.contains(name.lowercased())
          } else {
            own.contains("authorization")
          }
        }
        let credentials = contract.credentials(operation: index, environment: environment)
        used.formUnion(credentials.used)
        if isSent || script.client.authentication != nil { continue }
        for variable in credentials.missing
        where called[variable]?.contains(operation.id) != true {
          called[variable, default: []].append(operation.id)
        }
      }
    }
    let missing = called.sorted { $0.key < $1.key }.map { variable, operations in
      "\(variable) is not set: \(operations.listed(1)) \(operations.count == 1 ? "is" : "are") called without the "
        + "credentials that the contract requires. Set \(variable) in the environment, or with -e"
    }
    return (missing + contract.unusedCredentials(environment, sent: used)).map {
      Diagnostic($0, at: SourceMark(file: scenario.file, line: 1, column: 1), severity: .warning)
    }
  }
}
