import MurphyModel
import MurphySchema

/// An Overlay document (OpenAPI Overlay Specification 1.0 and 1.1): changes to an OpenAPI document in a separate file.
struct Overlay {
  enum Change {
    /// Merged into each object that the target selects, appended to each array. In 1.1, it replaces other values.
    case update(JSONPointer)
    /// The value that the query selects changes the targets in the same way (1.1).
    case copy(JSONPath, JSONPointer)
    /// Removes the values that the target selects from their objects and arrays.
    case remove
  }

  struct Action {
    var target: JSONPath
    /// The position of `target` in the overlay.
    var site: JSONPointer
    var change: Change
  }

  let document: SourceDocument
  private(set) var actions: [Action] = []
  private(set) var problems: [Diagnostic] = []
  /// True for version 1.1.
  private var hasCopies = false

  /// True if a document is an overlay and not an OpenAPI document.
  static func isOverlay(_ document: SourceDocument) -> Bool {
    document.value["overlay"] != nil && document.value["openapi"] == nil
  }

  init(_ document: SourceDocument) {
    self.document = document
    readVersion()
    warnOfUnknown(["overlay", "info", "extends", "actions"], in: .root, "an overlay")
    for field in ["title", "version"] where document.value["info"]?[field]?.string == nil {
      report("an overlay needs \"info\" with \"\(field)\", a string", at: JSONPointer(tokens: ["info"]), .warning)
    }
    guard let list = document.value["actions"]?.array, !list.isEmpty else {
      report("an overlay needs \"actions\", a list with at least one action", at: JSONPointer(tokens: ["actions"]))
      return
    }
    for index in list.indices { readAction(JSONPointer(tokens: ["actions", String(index)]), list[index]) }
  }

  private mutating func readVersion() {
    let site = JSONPointer(tokens: ["overlay"])
    let found = document.value["overlay"]
    let text = found?.string ?? found?.number?.text ?? ""
    hasCopies = text.hasPrefix("1.1.") || text == "1.1"
    guard !hasCopies, !text.hasPrefix("1.0."), text != "1.0" else { return }
    let shown = text.isEmpty ? found?.text ?? "" : text
    report("Overlay \(shown) is not supported; 1.0.0 and 1.1.0 are", at: site, ofName: false)
  }

  private mutating func readAction(_ site: JSONPointer, _ action: JSONValue) {
    guard action.object != nil else { return report("an action must be an object; found \(action.typeName)", at: site) }
    warnOfUnknown(
      ["target", "description", "update", "remove"] + (hasCopies ? ["copy"] : []), in: site, "an action")
    guard let target = query("target", of: action, site) else { return }
    if let remove = action["remove"], remove.bool == nil {
      report("\"remove\" must be true or false; found \(remove.text)", at: site.appending("remove"), ofName: false)
    }
    let removes = action["remove"]?.bool == true
    let copies = hasCopies && action["copy"] != nil
    guard removes || copies || action["update"] != nil else {
      return report("this action changes nothing: it has neither \"update\" nor \"remove: true\"", at: site, .warning)
    }
    if removes, action["target"]?.string == "$" {
      return report("the whole document cannot be removed", at: site.appending("target"), ofName: false)
    }
    var change = removes ? Change.remove : .update(site.appending("update"))
    if copies, !removes {
      guard action["update"] == nil else {
        return report("an action cannot have both \"update\" and \"copy\"", at: site.appending("copy"))
      }
      guard let source = query("copy", of: action, site) else { return }
      change = .copy(source, site.appending("copy"))
    }
    actions.append(Action(target: target, site: site.appending("target"), change: change))
  }

  /// A field with a query; nil after a report.
  private mutating func query(_ field: String, of action: JSONValue, _ site: JSONPointer) -> JSONPath? {
    guard let text = action[field]?.string else {
      report("an action needs \"\(field)\", a JSONPath query", at: site.appending(field))
      return nil
    }
    do throws(JSONPathError) {
      return try JSONPath(text)
    } catch {
      report("\"\(text)\" is not a JSONPath query: \(error.message)", at: site.appending(field), ofName: false)
      return nil
    }
  }

  private mutating func warnOfUnknown(_ known: [String], in site: JSONPointer, _ what: String) {
    for name in site.resolve(in: document.value)?.object?.keys ?? []
    where !known.contains(name) && !name.hasPrefix("x-") {
      let hint = suggestion(for: name, among: known)
      report(
        "\(what) cannot have \"\(name)\"\(hint.isEmpty ? "; its fields are \(known.joined(separator: ", "))" : hint)",
        at: site.appending(name), .warning)
    }
  }

  mutating func report(
    _ message: String, at site: JSONPointer, ofName: Bool = true, _ severity: Diagnostic.Severity = .error
  ) {
    problems.append(document.diagnostic(message, at: site, ofName: ofName, severity: severity))
  }
}

extension Overlay {
  /// The maximum number of values in the changed document: actions that target all values multiply them.
  private static let mostValues = 1_000_000

  /// Applies the actions in their order.
  ///
  /// Objects are merged member by member: values replace values, objects are merged, arrays are concatenated. If the
  /// target selects an array, the update is appended to it as one item (Overlay 1.0.0, §4.4.3). In 1.1, an array is
  /// concatenated with it.
  /// - Parameter file: the number of the overlay's file in the changed document.
  mutating func apply(to tree: inout MarkedValue, file: Int) {
    let own = document.marked(file: file)
    for action in actions {
      let found: [JSONPointer]
      do throws(PathExcess) {
        found = try action.target.pointers(in: tree.value)
      } catch {
        report("\(error)", at: action.site, ofName: false)
        return
      }
      if found.isEmpty {
        report(
          "\(action.target) selects nothing, so this action changes nothing", at: action.site, ofName: false, .warning)
      }
      switch action.change {
      // In reverse order, so that a removal does not shift the positions of later removals.
      case .remove: for place in found.reversed() { tree.remove(at: place.tokens) }
      case .update(let site), .copy(_, let site):
        guard let update = value(of: action, own, tree) else { continue }
        let size = tree.size.adding(update.size.multiplied(by: found.count))
        guard size <= Self.mostValues else {
          report(
            "\(action.target) selects \(found.count) places: the document would have \(size) values, but murphy "
              + "reads at most \(Self.mostValues)", at: action.site, ofName: false)
          return
        }
        for place in found { self.update(&tree, at: place, with: update, site) }
      }
    }
  }

  /// The value that changes the targets of an action.
  private mutating func value(of action: Action, _ own: MarkedValue, _ tree: MarkedValue) -> MarkedValue? {
    switch action.change {
    case .remove: return nil
    case .update(let site): return own.part(at: site)
    case .copy(let source, let site):
      let found = (try? source.pointers(in: tree.value)) ?? []
      guard found.count == 1 else {
        report("\"copy\" must select one value; \(source) selects \(found.count)", at: site, ofName: false)
        return nil
      }
      return tree.part(at: found[0])
    }
  }

  private mutating func update(
    _ tree: inout MarkedValue, at place: JSONPointer, with update: MarkedValue, _ site: JSONPointer
  ) {
    var mistakes: [(message: String, site: JSONPointer)] = []
    tree.change(at: place.tokens[...]) { target in
      switch (target.content, update.content) {
      case (.array(let items), .array(let more)) where hasCopies: target.content = .array(items + more)
      case (.array(let items), _):
        var item = update
        item.name = item.place
        target.content = .array(items + [item])
      case (.object, .object): Self.merge(update, into: &target, site, &mistakes)
      case (.object, _):
        mistakes.append(("the target selects an object, so \"update\" must be an object; found \(update.kind)", site))
      case (.scalar, .scalar) where hasCopies: target = update
      case (.scalar, _) where hasCopies:
        mistakes.append(("the target at \(place) is not an object or array; found \(update.kind) here", site))
      case (.scalar, _):
        mistakes.append(
          ("a target must select objects or arrays; found \(target.value.text.shortened(to: 60)) at \(place)", site))
      }
    }
    for mistake in mistakes { report(mistake.message, at: mistake.site) }
  }

  private static func merge(
    _ update: MarkedValue, into target: inout MarkedValue, _ site: JSONPointer,
    _ mistakes: inout [(message: String, site: JSONPointer)]
  ) {
    guard case .object(var members) = target.content, case .object(let new) = update.content else { return }
    for member in new {
      let (key, value) = (member.key, member.value)
      guard let index = members.firstIndex(where: { $0.key == key }) else {
        members.append(member)
        continue
      }
      switch (members[index].value.content, value.content) {
      case (.object, .object): merge(value, into: &members[index].value, site.appending(key), &mistakes)
      case (.array(let old), .array(let more)): members[index].value.content = .array(old + more)
      case (.scalar, .scalar): members[index].value = value
      default:
        mistakes.append(
          (
            "\"\(key)\" is \(members[index].value.kind) in the document, but \(value.kind) here; remove it with an "
              + "action before this one", site.appending(key)
          ))
      }
    }
    target.content = .object(members)
  }
}
