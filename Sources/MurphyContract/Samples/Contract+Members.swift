import MurphyModel
import MurphySchema

extension Contract {
  /// The path of an identifier in the operation's success response: the first of `names` that is a member of its body,
  /// or of the body's `data`. Nil if no JSON object is documented or it has none of them.
  package func successMember(_ operation: Int, named names: [String]) -> [String]? {
    let navigator = SchemaNavigator(sources)
    for promise in operations[operation].responses where promise.isSuccess {
      guard let schema = promise.content.first(where: { $0.range.isJSON })?.schema?.located else { continue }
      let parts = navigator.scope(of: schema).parts
      if let name = Self.member(names, parts, navigator) { return [name] }
      for inner in ["data", "result", "item"] {
        let below = parts.flatMap { navigator.schemas(for: inner, in: $0) }.filter { $0.value["items"] == nil }
        let scopes = below.flatMap { navigator.scope(of: $0).parts }
        if let name = Self.member(names, scopes, navigator) { return [inner, name] }
      }
    }
    return nil
  }

  /// Operations that need no credentials and return a token, with its path in the body. The operation whose path
  /// mentions tokens or logins is first.
  package var logins: [(operation: Int, token: [String])] {
    let names = [
      "access_token", "accessToken", "token", "id_token", "idToken", "jwt", "session_token", "sessionToken",
      "api_token",
      "apiToken", "device_token", "deviceToken",
    ]
    let found = operations.indices.compactMap { index -> (operation: Int, token: [String])? in
      let operation = operations[index]
      guard operation.method == "POST", operation.isOpen, operation.mistakes.isEmpty, operation.isDocumented,
        let place = successMember(index, named: names)
      else { return nil }
      return (index, place)
    }
    func speaks(_ index: Int) -> Bool {
      ["token", "login", "session", "auth", "signin"].contains { operations[index].path.lowercased().contains($0) }
    }
    return found.filter { speaks($0.operation) } + found.filter { !speaks($0.operation) }
  }

  /// True if a `Location` is documented for a success response.
  package func namesLocation(_ operation: Int) -> Bool {
    operations[operation].responses.contains { promise in
      promise.isSuccess && promise.headers.contains { $0.name.lowercased() == "location" }
    }
  }

  /// True if the values of an operation's path parameter are integers.
  package func takesInteger(_ parameter: String, in operation: Int) -> Bool {
    let found = operations[operation].parameters.first { $0.location == .path && $0.name == parameter }
    guard let schema = found?.schema else { return false }
    return ScalarShape(schema.located, SchemaNavigator(sources)).isInteger
  }

  private static func member(_ names: [String], _ parts: [Located], _ navigator: SchemaNavigator) -> String? {
    names.first { name in parts.contains { $0["properties"]?.value[name] != nil } }
  }
}
