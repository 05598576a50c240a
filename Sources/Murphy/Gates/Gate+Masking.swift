import MurphyContract
import MurphyModel

extension Gate {
  /// Takes the scenario's secrets out of what is shown.
  var mask: SecretMask { SecretMask(secrets: scenario.secrets.values, headers: contract.secretHeaders) }
}
