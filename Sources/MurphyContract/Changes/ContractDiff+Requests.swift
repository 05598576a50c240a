import MurphyModel

extension ContractDiff {
  /// A client's request stays allowed if the new version needs no scheme or scope that the old alternative did not.
  mutating func compareSecurity(_ site: OperationSite, _ next: OperationSite, _ marks: (SourceMark, SourceMark)) {
    let none: [[String: Set<String>]] = [[:]]
    let before = site.security.isEmpty ? none : site.security
    let after = next.security.isEmpty ? none : next.security
    let callers = ContractChange.Subject.callers(index)
    func isSame(_ scheme: String) -> Bool { old.securitySchemes[scheme]?.kind == new.securitySchemes[scheme]?.kind }
    for alternative in before {
      let isEnough = after.contains { needed in
        needed.allSatisfy { scheme, scopes in alternative[scheme]?.isSuperset(of: scopes) == true && isSame(scheme) }
      }
      if isEnough { continue }
      let hasSchemes = after.contains { $0.keys.allSatisfy { alternative[$0] != nil && isSame($0) } }
      let rule = alternative.isEmpty ? "security-added" : hasSchemes ? "security-scope-added" : "security-changed"
      add(.breaking, rule, "security", "\(words([alternative])) → \(words(after))", marks, callers)
    }
    guard before != after else { return }
    let isWider = after.contains { needed in !before.contains(needed) }
    if isWider {
      add(.compatible, "security-alternative-added", "security", "\(words(before)) → \(words(after))", marks, callers)
    }
  }

  private func words(_ alternatives: [[String: Set<String>]]) -> String {
    alternatives.map { alternative in
      let schemes = alternative.sorted { $0.key < $1.key }
      let names = schemes.map { $0.key + ($0.value.isEmpty ? "" : " (\($0.value.sorted().joined(separator: ", ")))") }
      return names.isEmpty ? "no credentials" : names.joined(separator: " and ")
    }.joined(separator: " or ")
  }

  mutating func compareParameters(
    _ before: Contract.Operation, _ after: Contract.Operation, _ site: OperationSite, _ next: OperationSite
  ) {
    // A path parameter keeps its position if it gets another name.
    let renamed = Dictionary(
      zip(PathTemplate(after.path).names, PathTemplate(before.path).names), uniquingKeysWith: { first, _ in first })
    func name(_ parameter: Contract.Parameter) -> String {
      parameter.location == .path ? renamed[parameter.name] ?? parameter.name : parameter.name
    }
    var left = before.parameters
    for parameter in after.parameters {
      let key = ParameterKey(parameter.location, name(parameter))
      let part = "\(parameter.location.rawValue) parameter \(parameter.name)"
      if let place = left.firstIndex(where: { ParameterKey($0.location, $0.name) == key }) {
        let known = left.remove(at: place)
        compare(known, parameter, key, part)
        let values = (
          site.parameters[key] ?? .null, next.parameters[ParameterKey(parameter.location, parameter.name)] ?? .null
        )
        compareDeprecation(
          "parameter", part, (values.0["deprecated"]?.bool == true, values.1["deprecated"]?.bool == true), values,
          (known.source, parameter.source), .parameter(index, key))
      } else if let place = left.firstIndex(where: { $0.name == name(parameter) && $0.location != .path }) {
        let known = left.remove(at: place)
        add(
          .breaking, "parameter-location-changed", part,
          "in: \(known.location.rawValue) → \(parameter.location.rawValue)",
          (known.source, parameter.source), .parameter(index, ParameterKey(known.location, known.name)))
      } else {
        let isRequired = parameter.isRequired
        add(
          isRequired ? .breaking : .compatible, isRequired ? "required-parameter-added" : "parameter-added", part,
          "new \(isRequired ? "required" : "optional") parameter", (nil, parameter.source), .callers(index))
      }
    }
    for parameter in left {
      let key = ParameterKey(parameter.location, parameter.name)
      let value = site.parameters[key]
      let isDeprecated = value?["deprecated"]?.bool == true
      let (severity, words) =
        isDeprecated ? removal(isDeprecated: true, value?["x-sunset"]) : (.possiblyBreaking, "removed")
      add(
        severity, "parameter-removed", "\(parameter.location.rawValue) parameter \(parameter.name)", words,
        reason: isDeprecated ? nil : "the API may reject or ignore a parameter that it does not know",
        (parameter.source, nil), .parameter(index, key))
    }
  }

  private mutating func compare(
    _ before: Contract.Parameter, _ after: Contract.Parameter, _ key: ParameterKey, _ part: String
  ) {
    let marks = (before.source, after.source)
    let index = index
    let senders = ContractChange.Subject.parameter(index, key)
    if before.isRequired != after.isRequired {
      let words = before.isRequired ? "required → optional" : "optional → required"
      add(
        after.isRequired ? .breaking : .compatible, "parameter-became-\(after.isRequired ? "required" : "optional")",
        part,
        words, marks, .callers(index))
    }
    let styles = [before, after].map { parameter in
      parameter.contentType ?? "style \(parameter.style.rawValue)\(parameter.explode ? ", exploded" : "")"
    }
    if styles[0] != styles[1] {
      add(.breaking, "parameter-style-changed", part, "\(styles[0]) → \(styles[1])", marks, senders)
    }
    if before.allowReserved != after.allowReserved {
      let reason = "reserved characters may be read in another way"
      add(
        .possiblyBreaking, "parameter-style-changed", part,
        "allowReserved \(before.allowReserved) → \(after.allowReserved)",
        reason: reason, marks, senders)
    }
    switch (before.schema?.located, after.schema?.located) {
    case (nil, nil): break
    case (nil, _): add(.breaking, "parameter-schema-added", part, "any value → values of a schema", marks, senders)
    case (_, nil): add(.compatible, "parameter-schema-removed", part, "values of a schema → any value", marks, senders)
    case (let old?, let new?):
      compare(old, new, SchemaSide(isRequest: true, isText: before.contentType == nil, isParameter: true), part) {
        .parameter(index, key, $0)
      }
      // Clients that do not send the parameter get another behaviour.
      let defaults = (graph.navigators.old.defaultText(old), graph.navigators.new.defaultText(new))
      guard defaults.0 != defaults.1, !before.isRequired, !after.isRequired else { return }
      add(
        .breaking, "parameter-default-changed", part, "\(defaults.0 ?? "none") → \(defaults.1 ?? "none")", marks,
        .callers(index))
    }
  }

  mutating func compareBodies(_ before: Contract.Operation, _ after: Contract.Operation) {
    let callers = ContractChange.Subject.callers(index)
    let index = index
    switch (before.requestBody, after.requestBody) {
    case (nil, nil): break
    case (nil, let body?):
      add(
        body.isRequired ? .breaking : .compatible, body.isRequired ? "required-body-added" : "body-added",
        "request body",
        "new \(body.isRequired ? "required" : "optional") body", (before.source, body.source), callers)
    case (let body?, nil):
      add(.breaking, "body-removed", "request body", "removed", (body.source, after.source), .body(index))
    case (let old?, let new?):
      if old.isRequired != new.isRequired {
        add(
          new.isRequired ? .breaking : .compatible, "body-became-\(new.isRequired ? "required" : "optional")",
          "request body",
          old.isRequired ? "required → optional" : "optional → required", (old.source, new.source), callers)
      }
      compareContent(old.content, new.content, isRequest: true, "request body", .body(index), (old.source, new.source))
      {
        .body(index, $0)
      }
    }
  }
}

extension SchemaNavigator {
  fileprivate func defaultText(_ schema: Located) -> String? { SchemaView([schema], self).first("default")?.value.text }
}
