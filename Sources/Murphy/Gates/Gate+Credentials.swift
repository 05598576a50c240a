import MurphyContract
import MurphyModel
import MurphyScenario

extension Gate {
  /// Warnings about required credentials that are not set, and about credentials that are set but not required.
  /// Requests are sent without both.
  ///
  /// - Parameter environment: the process's variables.
  package func missingCredentials(_ environment: [String: String]) -> [Diagnostic] {
    var called: [String: [String]] = [:]
    for script in scenario.scripts where script.client.authentication == nil {
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
        if isSent { continue }
        for variable in contract.credentials(operation: index, environment: environment).missing
        where called[variable]?.contains(operation.id) != true {
          called[variable, default: []].append(operation.id)
        }
      }
    }
    let missing = called.sorted { $0.key < $1.key }.map { variable, operations in
      "\(variable) is not set: \(operations.listed(1)) is called without the credentials that the contract requires. "
        + "Set it in the environment, or with -e"
    }
    return (missing + contract.unusedCredentials(environment)).map {
      Diagnostic($0, at: SourceMark(file: scenario.file, line: 1, column: 1), severity: .warning)
    }
  }
}
