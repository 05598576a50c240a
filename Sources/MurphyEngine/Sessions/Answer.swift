import Foundation
import MurphyModel
import MurphySchema

/// The response to a `Client`'s call.
public struct Answer: Sendable {
  /// The operationId that was called.
  public var operation: String
  /// 100 to 599.
  public var status: Int
  /// Names in lower case.
  public var headers: [HeaderField]
  /// Decompressed; truncated at the scenario's size limit.
  public var body: [UInt8]

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
      throw ClientError.undecodable("\(operation): status \(status) cannot be decoded as \(type): \(Self.place(error))")
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
