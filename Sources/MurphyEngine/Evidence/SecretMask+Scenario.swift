import MurphyContract
import MurphyModel
import MurphyScenario

extension SecretMask {
  /// Takes out of every output what is secret before anything is sent: values of the environment and credentials.
  ///
  /// - Parameter password: the target URL's.
  package init(_ scenario: Scenario, _ contract: Contract, environment: [String: String], password: [String] = []) {
    let credentials = contract.operations.indices.flatMap {
      contract.credentials(operation: $0, environment: environment).secrets
    }
    self = SecretMask(secrets: [], headers: contract.secretHeaders).adding(
      scenario.secrets.all + (credentials + password).map { Secret($0) }, isNested: true)
  }
}
