import MurphyJSON
import MurphyModel

extension Contract {
  /// Where an answer of the operation that says it succeeded names a thing: the first of `names` that is a member of its
  /// body, or of the body's `data`. Nil where no JSON object is documented or it has none of them.
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

  /// Whether a `Location` is documented for an answer that says it succeeded.
  package func namesLocation(_ operation: Int) -> Bool {
    operations[operation].responses.contains { promise in
      promise.isSuccess && promise.headers.contains { $0.name.lowercased() == "location" }
    }
  }

  private static func member(_ names: [String], _ parts: [Located], _ navigator: SchemaNavigator) -> String? {
    names.first { name in parts.contains { $0["properties"]?.value[name] != nil } }
  }
}

extension ResponsePromise {
  /// A status of the class 2.
  package var isSuccess: Bool {
    switch status {
    case .exactly(let status): (200..<300).contains(status)
    case .hundred(let hundred): hundred == 2
    case .any: false
    }
  }
}
