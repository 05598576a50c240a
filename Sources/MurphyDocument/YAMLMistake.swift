import MurphyModel
import Yams

/// What libyaml says, in words that name the mistake.
enum YAMLMistake {
  static func diagnostic(_ error: any Error, _ source: SourceText) -> Diagnostic {
    switch error {
    case YamlError.scanner(let context, let problem, let mark, _),
      YamlError.parser(let context, let problem, let mark, _),
      YamlError.composer(let context, let problem, let mark, _):
      return diagnostic(context, problem, mark, source)
    case YamlError.reader(let problem, let offset, _, _):
      let line = source.bytes.prefix(offset ?? 0).count { $0 == 0x0A } + 1
      return source.diagnostic("not YAML: \(problem)", line: line, column: 1)
    default:
      return source.diagnostic("not YAML: \(error)", line: 1, column: 1)
    }
  }

  private static func diagnostic(
    _ context: YamlError.Context?, _ problem: String, _ mark: Mark, _ source: SourceText
  ) -> Diagnostic {
    let line = source.line(mark.line) ?? ""
    let lead = line.prefix { $0 == " " || $0 == "\t" }
    if let tab = lead.firstIndex(of: "\t") {
      let column = lead.distance(from: lead.startIndex, to: tab) + 1
      return source.diagnostic(
        "not YAML: a tab cannot indent; use spaces", line: mark.line, column: column)
    }
    let known = [
      "mapping values are not allowed in this context":
        "a second \": \" in one line; put a text with a colon in quotes, or check the indentation",
      "did not find expected key": "expected a key; check the indentation and the quotes of the lines before",
      "did not find expected '-' indicator": "expected another \"- \"; check the indentation",
      "could not find expected ':'": "expected \": \" behind a key",
      "found character that cannot start any token": "a text that begins with this character needs quotes",
      "found unexpected end of stream": "the file ends within quotes or brackets",
      "did not find expected ',' or '}'":
        "expected , or } in a mapping in braces; a text with a bracket, a brace or ${…} in it needs quotes there",
      "did not find expected ',' or ']'":
        "expected , or ] in a list in brackets; a text with a bracket, a brace or ${…} in it needs quotes there",
      "found undefined alias": "there is no anchor of this name before",
      "found unknown escape character": "this is not an escape within double quotes; use single quotes, or \\\\",
    ]
    var message = "not YAML: \(known[problem] ?? problem)"
    if let context, context.mark.line > 0, context.mark.line != mark.line {
      message += " (\(context.text), which begins in line \(context.mark.line))"
    }
    // The end of the file is better shown where the open bracket or quote stands.
    if problem == "found unexpected end of stream", let context {
      return source.diagnostic(message, line: context.mark.line, column: context.mark.column)
    }
    return source.diagnostic(message, line: mark.line, column: mark.column)
  }
}
