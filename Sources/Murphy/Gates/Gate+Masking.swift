import MurphyContract
import MurphyModel
import MurphyReport
import MurphyScenario

extension Gate {
  /// Takes out of every output what is secret before anything is sent: values of the environment and credentials.
  public func mask(environment: [String: String]) -> SecretMask {
    let credentials = contract.operations.indices.flatMap {
      contract.credentials(operation: $0, environment: environment).secrets
    }
    return SecretMask(secrets: [], headers: contract.secretHeaders).adding(
      scenario.secrets.all + credentials.map { Secret($0) }, isNested: true)
  }
}

extension RunResult {
  /// The result without secrets in any text; an empty one where that is impossible, rather than one that tells them.
  func masked(by mask: SecretMask) -> RunResult {
    do {
      return try mask.masked(self)
    } catch {
      var bare = self
      bare.findings = []
      bare.limits = []
      bare.reasons = ["the result could not be freed of secrets (\(type(of: error))) and is shown without its findings"]
      bare.verdict = .invalid
      return bare
    }
  }
}
