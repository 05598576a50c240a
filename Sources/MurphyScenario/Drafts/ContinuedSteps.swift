/// Makes a session go on after a rejected step, with the next step that needs nothing from it.
extension [DraftedStep] {
  /// The steps, where only a call that all later steps depend on ends the session.
  ///
  /// - Parameter isLast: true if no step of the session follows these steps.
  func continued(isLast: Bool = true) -> [DraftedStep] {
    var steps: [DraftedStep] = []
    var index = startIndex
    while index < endIndex {
      let step = self[index]
      index += 1
      switch step {
      case .think, .set: steps.append(step)
      case .block(let block, let inner):
        steps.append(.block(block, inner.continued(isLast: isLast && self[index...].isDone)))
      case .call(var call):
        let needed = dependents(of: call, from: index)
        guard !isLast || !self[needed.upperBound...].isDone else {
          steps.append(step)
          continue
        }
        call.goesOn = true
        guard let save = call.saves.first(where: \.isRequired), !needed.isEmpty else {
          steps.append(.call(call))
          continue
        }
        call.saves = call.saves.map { $0.isRequired ? $0.optional : $0 }
        steps.append(.call(call))
        // Without the value, only the steps that need it are skipped.
        steps.append(.block(.given(name: save.name), Array(self[needed]).continued(isLast: false)))
        index = needed.upperBound
      }
    }
    return steps
  }

  /// The steps from `start` to the last one that reads a required value of the call, or a value computed from it.
  private func dependents(of call: DraftedCall, from start: Int) -> Range<Int> {
    var names = Set(call.saves.filter(\.isRequired).map(\.name))
    var end = start
    for index in start..<endIndex {
      guard ![self[index]].used.isDisjoint(with: names) else { continue }
      end = index + 1
      if case .set(let name, _) = self[index] { names.insert(name) }
    }
    return start..<end
  }
}

extension ArraySlice<DraftedStep> {
  /// True if no request follows.
  fileprivate var isDone: Bool { Array(self).calls.isEmpty }
}

extension DraftedSave {
  /// True if the session cannot go on without the value. An empty list is a value.
  fileprivate var isRequired: Bool { !isOptional && path?.contains("[*]") != true }
}
