import MurphyContract
import MurphyEngine
import MurphyModel
import Synchronization

/// The operations of which each response had status 401 or 403, with what the first of these responses says.
package final class RejectionLog: Sendable {
  private let contract: Contract
  /// By the index of the operation; nil for one with another response.
  private let first = Mutex<[Int: String?]>([:])

  private let environment: [String: String]

  /// - Parameter environment: variables that hold credentials.
  package init(_ contract: Contract, environment: [String: String]) {
    (self.contract, self.environment) = (contract, environment)
  }

  /// Records an exchange of a trace; its strings are masked.
  package func record(_ event: SessionTrace.Event) {
    guard case .exchanged(let traced) = event, let operation = contract.index(of: traced.operation),
      let status = traced.exchange.status
    else { return }
    let advice =
      [401, 403].contains(status)
      ? contract.advice(traced.exchange, operation: operation, environment: environment) : nil
    first.withLock { first in
      if advice == nil || first[operation] == nil { first[operation] = .some(advice) }
    }
  }

  /// Sentences for the first operations, in the contract's order.
  package var advice: [String] {
    first.withLock { $0 }.sorted { $0.key < $1.key }.compactMap(\.value).prefix(3).map(\.self)
  }
}

extension Contract {
  /// What a rejected operation needs, and what the response of the exchange says.
  func advice(_ exchange: Exchange, operation: Int, environment: [String: String]) -> String {
    let isSent = carriesCredentials(exchange.requestHeaders, target: exchange.url, operation: operation)
    let rejection = CredentialRejection(
      exchange.responseHeaders, (exchange.responseBody ?? "").utf8, isSent: isSent)
    return advice(rejection, operation: operation, isSent: isSent, environment: environment)
  }
}
