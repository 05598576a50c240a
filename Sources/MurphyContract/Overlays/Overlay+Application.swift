import MurphyJSON
import MurphyModel

extension Overlay {
  /// Makes the changes, one action after the other.
  ///
  /// Objects are merged member by member: values replace values, objects are merged, arrays are joined. An array that
  /// a target selects takes the update as one more item (Overlay 1.0.0, §4.4.3).
  /// - Parameter file: under which number the changed document knows the overlay's file.
  mutating func apply(to tree: inout MarkedValue, file: Int) {
    let own = document.marked(file: file)
    for action in actions {
      let found = action.target.pointers(in: tree.value)
      if found.isEmpty {
        report(
          "\(action.target) selects nothing, so this action changes nothing", at: action.site, ofName: false, .warning)
      }
      switch action.change {
      // Backwards, so that no removal moves what is still to be removed.
      case .remove: for place in found.reversed() { tree.remove(at: place.tokens) }
      case .update(let site):
        var update: MarkedValue?
        var root = own
        root.change(at: site.tokens[...]) { update = $0 }
        guard let update else { continue }
        for place in found { self.update(&tree, at: place, with: update, site) }
      }
    }
  }

  private mutating func update(
    _ tree: inout MarkedValue, at place: JSONPointer, with update: MarkedValue, _ site: JSONPointer
  ) {
    var mistakes: [(message: String, site: JSONPointer)] = []
    tree.change(at: place.tokens[...]) { target in
      switch (target.content, update.content) {
      case (.array(let items), _):
        var item = update
        item.name = item.place
        target.content = .array(items + [item])
      case (.object, .object): Self.merge(update, into: &target, site, &mistakes)
      case (.object, _):
        mistakes.append(("the target selects an object, so \"update\" is an object; found \(update.kind)", site))
      case (.scalar, _):
        mistakes.append(
          ("a target selects objects or arrays; at \(place) stands \(target.value.text.prefix(60))", site))
      }
    }
    for mistake in mistakes { report(mistake.message, at: mistake.site) }
  }

  private static func merge(
    _ update: MarkedValue, into target: inout MarkedValue, _ site: JSONPointer,
    _ mistakes: inout [(message: String, site: JSONPointer)]
  ) {
    guard case .object(var members) = target.content, case .object(let new) = update.content else { return }
    for (key, value) in new {
      guard let index = members.firstIndex(where: { $0.key == key }) else {
        members.append((key, value))
        continue
      }
      switch (members[index].value.content, value.content) {
      case (.object, .object): merge(value, into: &members[index].value, site.appending(key), &mistakes)
      case (.array(let old), .array(let more)): members[index].value.content = .array(old + more)
      case (.scalar, .scalar): members[index].value = value
      default:
        mistakes.append(
          (
            "\"\(key)\" is \(members[index].value.kind) in the document and \(value.kind) here; remove it by an action "
              + "before this one", site.appending(key)
          ))
      }
    }
    target.content = .object(members)
  }
}
