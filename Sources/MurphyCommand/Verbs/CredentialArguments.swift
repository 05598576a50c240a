import ArgumentParser
import Foundation
import Murphy
import MurphyModel

/// `--header`, `--login` and `--token-command`: headers of every request, in addition to those of the scenario.
struct CredentialArguments: ParsableArguments {
  @Option(
    name: .customLong("header"),
    help: ArgumentHelp(
      """
      Add a header to each request, unless the step sets this header (repeatable). Murphy replaces ${env(NAME)} in the \
      value by the environment variable. With @FILE, murphy reads one header from each line of the file. Murphy masks \
      secrets in its output.
      """,
      valueName: "name=value"))
  var texts: [String] = []
  @Option(
    help: ArgumentHelp(
      """
      Send this login request first, and then send the token of its response with each request. The form of the login \
      request is METHOD PATH BODY, such as 'POST /login {"user": "ada", "password": "${env(PASSWORD)}"}'. The body \
      can also be a form, such as username=ada&password=… With @FILE, murphy reads the login request from the file.
      """,
      valueName: "request"))
  var login: String?
  @Option(
    help: ArgumentHelp(
      """
      Where the response to --login contains the token: a JSONPath such as $.data.token, or the name of a header. By \
      default, murphy searches for the fields access_token, token, id_token, jwt and similar fields. If the response \
      has none of these fields, murphy uses its cookies.
      """,
      valueName: "place"))
  var loginToken: String?
  @Option(
    help: ArgumentHelp(
      """
      Run this shell command first. Murphy sends the standard output of the command as the token of each request.
      """, valueName: "command"))
  var tokenCommand: String?
  @Option(
    help: ArgumentHelp(
      "The header that contains the token. The default header is Authorization, with the word Bearer before the token.",
      valueName: "name"))
  var tokenHeader: String?

  /// Read after `-e` and `--env-file` have set their variables.
  ///
  /// - Throws: `GateError.usage` for an invalid header; it shows no value.
  var fields: [HeaderField] {
    get throws(GateError) {
      var fields: [HeaderField] = []
      for text in texts {
        let lines =
          text.hasPrefix("@")
          ? try Self.file(text, "--header").textLines.map { $0.trimmingCharacters(in: .whitespaces) } : [text]
        for line in lines where !line.isEmpty && !line.hasPrefix("#") { fields.append(try Self.field(line)) }
      }
      return fields
    }
  }

  /// Nil without `--login` and `--token-command`.
  var tokens: TokenSource? {
    get throws(GateError) {
      var source: TokenSource?
      if let login {
        let text = try Self.expanded(login.hasPrefix("@") ? Self.file(login, "--login") : login, "--login")
        source = TokenSource(
          .login(try TokenLogin(text, place: loginToken)),
          given: [("--login", login)] + (loginToken.map { [("--login-token", $0)] } ?? []))
      } else if loginToken != nil {
        throw .usage("--login-token has an effect only with --login. Add --login with the login request.")
      }
      if let tokenCommand {
        guard source == nil else {
          throw .usage("--login and --token-command cannot be used together. Remove one of the two options.")
        }
        source = TokenSource(.command(tokenCommand), given: [("--token-command", tokenCommand)])
      }
      guard let tokenHeader else { return source }
      guard source != nil else {
        throw .usage("--token-header has an effect only with --login or --token-command. Add one of the two options.")
      }
      guard HeaderName.isValid(tokenHeader) else { throw .usage("--token-header takes the name of a header.") }
      source?.header = tokenHeader
      source?.given.append(("--token-header", tokenHeader))
      return source
    }
  }

  func apply(to options: inout RunOptions) throws(GateError) {
    (options.headers, options.tokens) = (try fields, try tokens)
    Console.hide(SecretMask(secrets: options.tokens?.secrets ?? []))
  }

  private static func field(_ text: String) throws(GateError) -> HeaderField {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == ":" || $0 == "=" }
    guard parts.count == 2, HeaderName.isValid(parts[0]) else {
      throw .usage("--header takes NAME=VALUE or NAME: VALUE. The name has no spaces.")
    }
    let value = try expanded(parts[1].trimmingCharacters(in: .whitespaces), "--header")
    guard !value.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw .usage(
        """
        --header: the value of \(parts[0]) contains a control character, such as a line break. Remove the control \
        character.
        """)
    }
    return HeaderField(String(parts[0]), value)
  }

  /// The text of `@FILE`.
  private static func file(_ text: String, _ option: String) throws(GateError) -> String {
    let path = String(text.dropFirst())
    do {
      return String(decoding: try BoundedFile.read(path, limit: BoundedFile.scenario), as: UTF8.self)
    } catch {
      throw .usage("\(option): cannot read \(path): \(error).")
    }
  }

  /// The text with variables instead of `${env(NAME)}`.
  private static func expanded(_ text: String, _ option: String) throws(GateError) -> String {
    var expanded = ""
    var rest = text[...]
    while let match = rest.firstMatch(of: /\$\{env\(([A-Za-z_][A-Za-z0-9_]*)\)\}/) {
      guard let value = ProcessInfo.processInfo.environment[String(match.1)] else {
        throw .usage(
          "\(option): the environment variable \(match.1) is not set. Set it in the environment, or with -e.")
      }
      expanded += rest[..<match.range.lowerBound] + value
      rest = rest[match.range.upperBound...]
    }
    return expanded + rest
  }
}
