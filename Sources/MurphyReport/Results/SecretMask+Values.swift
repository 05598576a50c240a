import Foundation
import MurphyContract
import MurphyModel
import MurphySchema

extension SecretMask {
  /// A value without secrets in any of its strings: the input of every report.
  ///
  /// All strings are masked here, so that no field is forgotten. Cost: one encoding and one decoding; none without
  /// secrets.
  package func masked<Value: Codable>(_ value: Value) throws -> Value {
    if isEmpty { return value }
    let tree = try JSONTreeEncoder.encode(value, masking: self)
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Value.self, from: Data(tree.text.utf8))
  }
}

extension RunResult {
  /// The result without secrets in any string. If masking fails, the result is empty, so that no secret is disclosed.
  package func masked(by mask: SecretMask) -> RunResult {
    do {
      return try mask.masked(self)
    } catch {
      var bare = self
      bare.findings = []
      bare.limits = []
      bare.sessions = []
      bare.traffic = []
      bare.budgets = []
      bare.state = []
      bare.relations = nil
      bare.coverage = Coverage()
      bare.generator.doubts = []
      bare.generator.reservations = nil
      bare.run.target = mask.masked(run.target)
      bare.run.scenario = mask.masked(run.scenario)
      bare.run.unreached = run.unreached.map(mask.masked)
      bare.run.setup?.failed = run.setup?.failed.map(mask.masked)
      bare.run.teardown?.failed = run.teardown?.failed.map(mask.masked)
      for index in bare.operations.indices { bare.operations[index].conformance = nil }
      bare.reasons = ["secrets could not be redacted (\(type(of: error))), so the result is shown without its findings"]
      bare.verdict = .invalid
      return bare
    }
  }
}
