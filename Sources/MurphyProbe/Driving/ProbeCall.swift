import MurphyContract
import MurphyEngine
import MurphyModel
import MurphyScenario
import MurphyTransport

/// One way to call an operation, and who asks. It is written as a load writes its requests.
struct ProbeCall {
  var call: OperationCall
  /// The client's own headers that are drawn once; those of the call count first.
  var clientHeaders: [HeaderField] = []
  /// The session's credentials.
  var authentication: Authentication.Credentials?
  var sourceAddress: String?

  /// The client's headers with its credentials, where those are one.
  var senderHeaders: [HeaderField] {
    var headers = clientHeaders
    if let authentication, authentication.place == .header {
      headers.put(HeaderField(authentication.name, authentication.value))
    }
    return headers
  }

  /// - Throws: a `RequestError` for values that the contract cannot write.
  func request(_ contract: Contract, credentials: Credentials) throws(RequestError) -> HTTPRequest {
    var http = try call.request(contract, credentials: credentials)
    http.add(clientHeaders: clientHeaders)
    if let authentication { http.add(authentication) }
    return http
  }
}
