import Foundation
import MurphyContract
import MurphyHTTP
import MurphyModel
import MurphySchema

/// One virtual user that a `SwiftSession` controls, with its own connection and cookies.
///
/// Belongs to the session's task. Latency is measured from the time at which a call is due: after the last response and
/// the think time.
public final class Client {
  let run: SessionRun

  init(_ run: SessionRun) { self.run = run }

  /// Number of the virtual user, from 0.
  public var user: Int { run.scope.user }
  /// The random stream of the session: the same seed gives the same values.
  public var random: RandomSource {
    get { run.random }
    set { run.random = newValue }
  }

  /// Calls an operation of the contract and returns its response, with any status.
  ///
  /// - Throws: a `ClientError` when no complete response was received or the request cannot be written, and a
  ///   `CancellationError` when the load is over.
  @discardableResult
  public func call(
    _ operation: String, path: [String: JSONValue] = [:], query: KeyValuePairs<String, JSONValue> = [:],
    headers: KeyValuePairs<String, JSONValue> = [:], body: JSONValue? = nil
  ) async throws -> ClientResponse {
    let contract = run.loopRun.context.contract
    guard let index = contract.index(of: operation) else {
      let near = suggestion(for: operation, among: contract.operations.map(\.id))
      throw ClientError.unknownOperation("unknown operation \"\(operation)\"\(near)")
    }
    if let mistake = contract.operations[index].mistakes.first { throw ClientError.unwritable(mistake.text) }
    var request: PreparedRequest
    do {
      var call = OperationCall(operation: index)
      call.path = path
      call.query = query.map { ($0.key, $0.value) }
      call.headers = headers.map { ($0.key, $0.value) }
      call.body = try body.map { RequestBody(try contract.body(operation: index, $0)) }
      request = try run.loopRun.requests.write(call)
      try run.addClientHeaders(to: &request)
    } catch {
      throw ClientError.unwritable("\(operation): \(error)")
    }
    do throws(SessionEnd) {
      return try await run.exchange(run.authorise(request), intended: run.due) { transfer, _ throws(SessionEnd) in
        run.due = transfer.left
        if case .failed(let error) = transfer.ending { throw .failed("\(operation): \(error.kind.name)") }
        return ClientResponse(operation, transfer)
      }
    } catch {
      if case .failed(let reason) = error { throw ClientError.transport(reason) }
      throw CancellationError()
    }
  }

  /// Sends the following requests from another address of this machine: `127.0.0.2`.
  ///
  /// - Returns: false where no connection could be made from there; the state is then unchanged.
  package func move(to address: String) -> Bool { run.move(to: address) }

  /// Waits as a person would. The next call is due after the wait.
  ///
  /// - Throws: a `CancellationError` when the load is over.
  public func think(_ time: Duration) async throws {
    do throws(SessionEnd) {
      try await run.pause(time.nanoseconds)
    } catch {
      throw CancellationError()
    }
  }

  /// Waits for a random time, uniformly distributed in `range`.
  public func think(_ range: ClosedRange<Duration>) async throws {
    let span = (range.upperBound - range.lowerBound).nanoseconds
    try await think(range.lowerBound + .nanoseconds(Int64(saturating: Double(span) * run.random.unit())))
  }
}

/// A session written in Swift. It uses the same load, judges and reports as a scripted one.
///
///     SwiftSession("read") { client in
///       let page = try await client.call("listLaws", query: ["limit": 25]).decode(Page.self)
///       try await client.think(.seconds(1))
///       try await client.call("getLaw", path: ["id": .number(page.data[0].id)])
///     }
///
/// An error that the body throws ends only that session and is counted as its reason.
public struct SwiftSession: Sendable {
  /// The name in the report.
  public var name: String
  /// Its weight among all sessions' shares; positive.
  public var share: Double
  /// True if each user sends the cookies of responses back.
  package var keepsCookies = true
  /// The actions of a user, from arrival to leaving.
  public var body: @Sendable (Client) async throws -> Void

  /// A session; `share` is its weight among the sessions of the gate.
  public init(_ name: String, share: Double = 1, body: @escaping @Sendable (Client) async throws -> Void) {
    self.name = name
    self.share = share
    self.body = body
  }
}

/// The cookies of a request that earlier responses have set.
package struct SentCookies: Sendable {
  /// The value of the header `Cookie`.
  package var field: String
  package var setters: [HTTPRequest]
}

extension Client {
  /// The result of a request that was composed elsewhere.
  package struct Exchanged: Sendable {
    /// The response, or the reason why there is none.
    package var ending: Result<ClientResponse, TransportError>
    /// Since the load began.
    package var sent: Duration
    /// From the send to the last byte, or to the failure.
    package var took: Duration
    /// True if a rate limit rejected the request.
    package var isRejected: Bool
    package var trace: TraceContext?
  }

  /// The target of the run.
  package var origin: Origin { run.loopRun.context.origin }

  /// Sends a request unchanged. It is counted and judged as one of the operation.
  ///
  /// - Parameters:
  ///   - operation: index into the contract's operations.
  ///   - script: writes what reproduces the request for a status, 0 without a response; nil for the request alone.
  /// - Returns: nil when the load is over.
  package func exchange(
    _ request: HTTPRequest, operation: Int, script: (@Sendable (_ status: Int) -> ShellScript)? = nil
  ) async -> Exchanged? {
    run.history.script = script
    defer { run.history.script = nil }
    let id = run.loopRun.context.contract.operations[operation].id
    let start = run.loopRun.context.start
    do throws(SessionEnd) {
      return try await run.exchange(PreparedRequest(operation: operation, http: request), intended: .now) {
        transfer, outcome in
        let ending: Result<ClientResponse, TransportError> =
          if case .failed(let error) = transfer.ending {
            .failure(error)
          } else {
            .success(ClientResponse(id, transfer))
          }
        return Exchanged(
          ending: ending, sent: .nanoseconds(transfer.sent - start),
          took: .nanoseconds(transfer.ended - transfer.sent), isRejected: outcome.isRejected, trace: transfer.trace)
      }
    } catch {
      return nil
    }
  }

  /// Removes the cookies that responses have set.
  package func forgetCookies() {
    run.connection.forgetCookies()
    run.history.forgetCookies()
  }

  /// The cookies of earlier responses that a request to a target sends, with the latest requests that got them; nil for
  /// none.
  package func cookies(for target: String) -> SentCookies? {
    run.connection.cookies(for: target).map { SentCookies(field: $0, setters: run.history.cookieCalls.map(\.http)) }
  }
}

extension SessionRun {
  @inline(never)
  func execute(_ session: SwiftSession) async throws(SessionEnd) {
    do {
      try await session.body(Client(self))
    } catch let error as ClientError {
      throw .failed(error.description)
    } catch is CancellationError {
      throw .cut
    } catch {
      throw .failed("\(type(of: error))")
    }
  }
}

/// The response to a `Client`'s call.
public struct ClientResponse: Sendable {
  /// The operationId that was called.
  public var operation: String
  /// 100 to 599.
  public var status: Int
  /// Names in lower case.
  public var headers: [HeaderField]
  /// Decompressed; truncated at the scenario's size limit.
  public var body: [UInt8]

  init(_ operation: String, _ transfer: Transfer) {
    self.operation = operation
    status = transfer.status
    headers = transfer.headers
    body = Array(transfer.bodyBytes)
  }

  /// A status from 200 to 299.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// The first header of that name, in any case.
  public func header(_ name: String) -> String? { headers.first { $0.name.isSameHeader(as: name) }?.value }

  /// The body as a value of a `Codable` type; dates are RFC 3339.
  public func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decode(type, by: decoder)
  }

  /// The body as a value of `type`.
  ///
  /// - Throws: the error of the decoder for a body that is not such JSON.
  public func decode<Value: Decodable>(_ type: Value.Type, by decoder: JSONDecoder) throws -> Value {
    do {
      return try decoder.decode(type, from: Data(body))
    } catch {
      throw ClientError.undecodable(
        "\(operation): the response with status \(status) cannot be decoded as \(type): \(Self.place(error))")
    }
  }

  /// The body as JSON.
  public func json() throws -> JSONValue { try JSONValue.parse(body) }

  private static func place(_ error: any Error) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? $0.stringValue }.joined(separator: ".")
    }
    return switch error as? DecodingError {
    case .typeMismatch(let type, let context): "\(path(context)) is not of type \(type)"
    case .valueNotFound(let type, let context): "\(path(context)) is null, not of type \(type)"
    case .keyNotFound(let key, let context): "\(path(context)) has no \(key.stringValue)"
    case .dataCorrupted(let context): "\(path(context)) \(context.debugDescription)"
    default: "\(error)"
    }
  }
}

/// The reason why a `Client` could not continue. If the session's body throws it, it ends the session with this reason.
enum ClientError: Error, Sendable, CustomStringConvertible {
  case unknownOperation(String)
  /// The request cannot be written as the contract requires.
  case unwritable(String)
  case transport(String)
  case undecodable(String)

  var description: String {
    switch self {
    case .unknownOperation(let text), .unwritable(let text), .transport(let text), .undecodable(let text): text
    }
  }
}
