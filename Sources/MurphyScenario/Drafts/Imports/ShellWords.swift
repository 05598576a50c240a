/// Splits a shell script into commands and words (POSIX.1, Shell Command Language §2.2 and §2.3). It executes nothing:
/// `$NAME` becomes the variable `{{NAME}}`.
struct ShellWords {
  struct Command: Equatable {
    var line: Int
    var words: [String] = []
    /// True if it reads the output of the command before it.
    var isPiped = false
    /// The text of a here-document.
    var input: String?
    /// The commands in `$(…)` and between backticks.
    var substitutions: [String] = []
  }

  let text: [Character]
  var index = 0
  var line = 1
  private var word: String?
  var command = Command(line: 1)
  private var commands: [Command] = []
  /// True while the next word is the file of a redirection.
  private var isRedirected = false
  /// The delimiter of a here-document that starts on the next line.
  private var delimiter: String?

  /// The line of a quote or bracket without an end; nil if all have one.
  var unended: Int?

  /// - Returns: the commands, and the line of a quote or bracket without an end.
  static func commands(in text: String) -> (commands: [Command], unended: Int?) {
    var reader = ShellWords(text)
    return (reader.read(), reader.unended)
  }

  private init(_ text: String) {
    // The command prompt of Windows escapes with ^.
    let isPrompt = text.contains("^\"") || text.contains(/\^\r?\n/)
    let plain = text.replacingScalars("\r\n", with: "\n")
    let unescaped = isPrompt ? plain.replacing(/\^(.|\n)/) { $0.1 == "\n" ? " " : String($0.1) } : plain
    // A quote ends a word also where a combining mark follows it.
    self.text = unescaped.unicodeScalars.map(Character.init)
  }

  private mutating func read() -> [Command] {
    while let character = next() {
      switch character {
      case "\n":
        end(piped: false)
        readDocument()
      case "#" where word == nil: while let other = peek(), other != "\n" { _ = (other, next()) }
      case ";": end(piped: false)
      case "&":
        // 2>&1, &>file
        if isRedirected || peek() == ">" { continue }
        end(piped: false)
      case "|": end(piped: !take("|"))
      case "<", ">": redirect(character)
      case _ where character.isWhitespace: endWord()
      case "\\": if let escaped = next(), escaped != "\n" { append(escaped) }
      case "'": readQuoted()
      case "\"": readDoubleQuoted()
      case "$": readVariable(quoted: false)
      case "`": substitute(readUntil("`"))
      default: append(character)
      }
    }
    end(piped: false)
    return commands
  }

  func peek() -> Character? { index < text.count ? text[index] : nil }

  mutating func next() -> Character? {
    guard let character = peek() else { return nil }
    index += 1
    if character == "\n" { line += 1 }
    return character
  }

  mutating func take(_ character: Character) -> Bool {
    guard peek() == character else { return false }
    _ = next()
    return true
  }

  mutating func append(_ character: Character) { append(String(character)) }

  mutating func append(_ text: String) {
    if word == nil, command.words.isEmpty { command.line = line }
    word = (word ?? "") + text
  }

  /// A word with the output of a command.
  mutating func substitute(_ inner: String) {
    append("{{command}}")
    command.substitutions.append(inner)
  }

  mutating func readUntil(_ end: Character) -> String {
    let start = line
    var text = ""
    while let character = next() {
      if character == end { return text }
      text.append(character)
    }
    unended = unended ?? start
    return text
  }

  private mutating func readLine() -> String {
    var text = ""
    while let character = next(), character != "\n" { text.append(character) }
    return text
  }

  private mutating func endWord() {
    guard let ended = word else { return }
    word = nil
    if !isRedirected { command.words.append(ended) } else if delimiter == "" { delimiter = ended }
    isRedirected = false
  }

  private mutating func end(piped: Bool) {
    endWord()
    isRedirected = false
    if !command.words.isEmpty { commands.append(command) }
    if !command.words.isEmpty || piped { command = Command(line: line, isPiped: piped) } else { command.line = line }
  }

  /// A redirection: its file is not a word of the command.
  private mutating func redirect(_ sign: Character) {
    // 2>/dev/null
    if word?.allSatisfy(\.isNumber) == true { word = nil }
    endWord()
    isRedirected = true
    if take(sign), sign == "<", !take("<") {
      _ = take("-")
      delimiter = ""
    }
  }

  /// The lines of a here-document belong to the command before them.
  private mutating func readDocument() {
    guard let delimiter, !delimiter.isEmpty else { return }
    self.delimiter = nil
    var lines: [String] = []
    while index < text.count {
      let text = readLine()
      if text.drop(while: { $0 == "\t" }) == delimiter { break }
      lines.append(text)
    }
    if !commands.isEmpty { commands[commands.count - 1].input = lines.joined(separator: "\n") }
  }
}
