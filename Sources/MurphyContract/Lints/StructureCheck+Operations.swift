import MurphyModel
import MurphySchema

/// Operations, and the links and callbacks between them.
extension StructureCheck {
  /// The operations of paths, webhooks and callbacks.
  mutating func operation(_ site: Located) {
    parameterLists([site["parameters"]])
    distinct(site["parameters"])
    serverNames(site["servers"])
    guard let field = site["operationId"], let id = field.value.string else { return }
    let mark = sources.mark(field)
    if let first = identifiers[id], first != mark {
      report("the operationId \"\(id)\" is taken by \(first.text)", at: field, ofName: false)
    } else {
      identifiers[id] = mark
    }
  }

  /// A parameter is identified by name and location and may occur once in a list.
  mutating func distinct(_ list: Located?) {
    var seen: Set<[String]> = []
    for parameter in parameters(list) where !seen.insert([parameter.name, parameter.place]).inserted {
      report(
        "the \(parameter.place) parameter \"\(parameter.name)\" appears here twice", at: parameter.site, ofName: false)
    }
  }

  mutating func link(_ site: Located) {
    exclusive(site, "operationRef", "operationId")
    if site.value["operationRef"] == nil, site.value["operationId"] == nil {
      report("\(label(site)) needs \"operationId\" or \"operationRef\"", at: site)
    }
    if let field = site["operationId"], let name = field.value.string { links.append((name, field)) }
    if let field = site["operationRef"], let text = field.value.string, !DocumentSet.isOnNetwork(text) {
      do throws(Diagnostic) {
        later(try sources.target(of: text, from: field), .object(.operation))
      } catch {
        report(error.message, at: field, ofName: false, .warning)
      }
    }
    for (_, value) in site["parameters"]?.members ?? [] { expression(value) }
    if let body = site["requestBody"] { expression(body) }
  }

  /// A missing target does not stop a run: links are not followed.
  mutating func linkTargets() {
    for (name, site) in links where identifiers[name] == nil {
      let hint = suggestion(for: name, among: identifiers.keys.sorted())
      report("no operation has the operationId \"\(name)\"\(hint)", at: site, ofName: false, .warning)
    }
  }

  mutating func callback(_ site: Located) {
    for (name, entry) in site.members where !name.hasPrefix("x-") {
      for text in RuntimeExpression.wrong(in: name) {
        report("\"\(text)\" is not a runtime expression such as $request.body#/url", at: entry, .warning)
      }
    }
  }

  /// A value that is not an expression is a constant. That is rarely intended if it starts with `$`.
  private mutating func expression(_ site: Located) {
    for text in site.value.string.map(RuntimeExpression.wrong) ?? [] {
      report(
        "\"\(text)\" is not a runtime expression such as $response.body#/id", at: site, ofName: false, .warning)
    }
  }
}

/// The runtime expressions of links and callbacks (OpenAPI 3.2 §4.22.1; the same in 3.0 and 3.1).
struct RuntimeExpression {
  /// The invalid expressions in `text`: the whole string if it starts with `$`, otherwise each part in braces that
  /// starts with `$`.
  static func wrong(in text: String) -> [String] {
    if text.hasPrefix("$") { return isExpression(text[...]) ? [] : [text] }
    return text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
      guard part.hasPrefix("$"), let inner = part.split(separator: "}", omittingEmptySubsequences: false).first else {
        return nil
      }
      return isExpression(inner) ? nil : String(inner)
    }
  }

  private static func isExpression(_ text: Substring) -> Bool {
    if ["$url", "$method", "$statusCode"].contains(text) { return true }
    guard let prefix = ["$request.", "$response."].first(where: text.hasPrefix) else { return false }
    let source = text.dropFirst(prefix.count)
    if source.hasPrefix("header.") {
      let name = source.dropFirst("header.".count)
      return HeaderName.isValid(name)
    }
    if source.hasPrefix("query.") || source.hasPrefix("path.") { return true }
    guard source.hasPrefix("body") else { return false }
    let pointer = source.dropFirst("body".count)
    return pointer.isEmpty || pointer.hasPrefix("#") && JSONPointer(String(pointer.dropFirst())) != nil
  }
}
