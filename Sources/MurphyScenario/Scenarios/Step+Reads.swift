import MurphySchema

extension Step {
  /// The parts of earlier responses that its expressions and those of the steps in it read; nil is a whole response.
  package var reads: [JSONPath?] {
    let own: [Expression] =
      switch self {
      case .call(let call): call.step.expressions
      case .type(let typing): typing.call.step.expressions + typing.text.content.expressions + typing.every.expressions
      case .think(let pause): pause.expressions
      case .loop(let loop):
        loop.count.expressions + [loop.condition, loop.until].compactMap { $0?.expression }
          + (loop.every?.expressions ?? [])
      case .burst(let burst): burst.count.expressions + burst.over.expressions
      case .branch(let branch): [branch.condition.expression]
      case .offline(let offline): offline.duration.expressions
      case .set(let assignments): assignments.flatMap(\.value.content.expressions)
      case .choice, .group, .end: []
      }
    return own.flatMap(\.reads) + inner.flatMap(\.reads)
  }

  private var inner: [Step] {
    switch self {
    case .call(let call): call.step.reactions.flatMap(\.steps)
    case .type(let typing): typing.call.step.reactions.flatMap(\.steps)
    default: nested
    }
  }
}

extension CallStep {
  /// Every expression of the request and of the checks of its response.
  fileprivate var expressions: [Expression] {
    let bodies: [Template] =
      switch body {
      case .json(let value, _), .text(let value, _): [value]
      case .form(let fields): fields.map(\.value)
      case .multipart(let parts): parts.compactMap(\.value)
      case .file, nil: []
      }
    let conditions = (checks.body.map(\.condition) + checks.headers.map(\.condition)).compactMap { condition in
      if case .equals(let template) = condition { template } else { nil }
    }
    let templates =
      (path + query + headers + cookies).map(\.value) + [url, operation.undocumented?.url].compactMap(\.self) + bodies
      + conditions + saves.compactMap(\.fallback) + optimistic.map(\.value)
    return templates.flatMap(\.content.expressions) + checks.claims.map(\.formula.expression)
  }
}

extension DurationValue {
  fileprivate var expressions: [Expression] {
    if case .computed(let formula) = self { [formula.expression] } else { [] }
  }
}

extension CountValue {
  fileprivate var expressions: [Expression] {
    if case .computed(let formula) = self { [formula.expression] } else { [] }
  }
}

extension Expression {
  fileprivate var reads: [JSONPath?] {
    switch self {
    case .path(let path): [path]
    case .member(.context(.answer), "status"): []
    case .context(.answer): [nil]
    default: parts.flatMap(\.reads)
    }
  }
}
