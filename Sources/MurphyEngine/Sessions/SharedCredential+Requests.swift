import MurphyHTTP
import MurphyModel
import MurphyScenario

extension SharedCredential {
  /// Puts the current value into a request that carries an older one.
  ///
  /// - Returns: true if the request waited for a renewal, because the value had expired.
  nonisolated(nonsending) package func freshen(_ request: inout HTTPRequest, on loop: EventLoop) async -> Bool {
    guard let place = place(in: request.headers) else { return false }
    var (value, isExpired) = standing
    if isExpired { value = await loop.waiting(for: { [value] in await renew(value) }) }
    if request.headers[place].value != value { request.headers[place].value = value }
    return isExpired
  }

  /// Puts a new value into a request that was rejected with 401.
  ///
  /// - Returns: false if the 401 is the API's response to a request that does not carry the credential, or whose
  ///   operation rejects new values, too.
  nonisolated(nonsending) package func renew(
    _ request: inout HTTPRequest, operation: Int, on loop: EventLoop
  ) async -> Bool {
    guard let place = place(in: request.headers) else { return false }
    let old = request.headers[place].value
    guard let new = await loop.waiting(for: { await renew(after: old, operation: operation) }) else { return false }
    request.headers[place].value = new
    return true
  }
}

extension Connection {
  /// Sends a request outside the load. After a 401 to an expired credential, it sends the request again.
  ///
  /// - Returns: the ended transfer; the caller releases it.
  nonisolated(nonsending) func exchanged(
    _ request: inout HTTPRequest, operation: Int, _ credential: SharedCredential?, on loop: EventLoop
  ) async -> Transfer {
    _ = await credential?.freshen(&request, on: loop)
    let transfer = start(request)
    await transfer.finished()
    guard let credential, transfer.status == 401, case .answered = transfer.ending,
      await credential.renew(&request, operation: operation, on: loop)
    else { return transfer }
    transfer.release()
    let second = start(request)
    await second.finished()
    credential.recordRepeat(operation: operation, isRejected: second.status == 401)
    return second
  }
}
