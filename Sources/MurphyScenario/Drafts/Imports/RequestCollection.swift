import Foundation
import MurphyContract
import MurphyModel
import MurphySchema

/// A request in the file of another tool. Its strings may contain variables of the tool: `{{name}}`.
struct CollectedRequest {
  /// Its name in the file, for messages.
  var name: String
  var url: String
  /// The values of segments such as `:id` in the URL's path; nil if such segments are literal.
  var pathValues: [String: String]?
  /// The request without its URL. Its query is sent in addition to the URL's.
  var request: RecordedRequest
  /// The values that later requests use: the tool's variable, and its place in the response.
  var saves: [(variable: String, source: DraftedSave.Source)] = []
  /// Expected statuses other than success.
  var statuses: [Int] = []
  var finds: [(path: String, value: JSONValue?)] = []
  /// The pause before the request: `2s`.
  var pause: String?

  init(_ name: String, _ method: String, _ url: String) {
    (self.name, self.url) = (name, url)
    request = RecordedRequest(method: method.isEmpty ? "GET" : method.uppercased(), path: "/")
  }

  /// Sends credentials as the tool does. They become environment variables, unless a response contains them.
  ///
  /// - Parameter field: a field of the tool's settings by its name.
  /// - Returns: false if requests of this type cannot be sent.
  mutating func authorize(_ type: String, _ field: (String) -> String?) -> Bool {
    switch type.lowercased() {
    case "", "none", "noauth", "inherit": break
    case "bearer":
      let prefix = field("prefix").flatMap { $0.isEmpty ? nil : $0 } ?? "Bearer"
      request.headers.append(("Authorization", "\(prefix) \(field("token") ?? "")"))
    case "basic":
      let pair = "\(field("username") ?? ""):\(field("password") ?? "")"
      request.headers.append(("Authorization", "Basic " + Data(pair.utf8).base64EncodedString()))
    case "apikey":
      guard let key = field("key"), !key.isEmpty else { break }
      let place = (field("in") ?? field("addTo") ?? field("placement") ?? "header").lowercased()
      if place.hasPrefix("cookie") { return false }
      if place.hasPrefix("query") {
        request.query.append((key, field("value") ?? ""))
      } else {
        request.headers.append((key, field("value") ?? ""))
      }
    default: return false
    }
    return true
  }

  /// Sends the credentials `user:password`.
  mutating func authorize(basic pair: String) {
    let parts = pair.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    _ = authorize("basic") { $0 == "username" ? parts.first : parts.dropFirst().first }
  }

  /// Sets a body of text. Without a Content-Type header, it has the given type.
  mutating func setBody(_ text: String, _ type: String) {
    let type = request.typeField ?? type
    request.contentType = type
    request.body = type.contains("json") ? ToolVariables.quoted(text) : text
  }

  /// Sets a query of GraphQL as its body (GraphQL over HTTP).
  mutating func setGraphQL(_ query: JSONValue, variables: String) {
    var document = JSONObject()
    document["query"] = query
    document["variables"] = (try? JSONValue.parse(ToolVariables.quoted(variables))) ?? .object(JSONObject())
    request.contentType = "application/json"
    request.body = JSONValue.object(document).text
  }
}

/// What requests inherit from their folders.
struct FolderDefaults {
  var headers: [(name: String, value: String)] = []
  var auth = JSONValue.null

  /// The headers, without those that are set again.
  func headers(besides own: [(name: String, value: String)]) -> [(name: String, value: String)] {
    let names = Set(own.map { $0.name.lowercased() })
    return headers.filter { !names.contains($0.name.lowercased()) }
  }

  /// What requests inherit from a folder in this one.
  ///
  /// - Parameter ownAuth: nil if the folder inherits it, too.
  func inner(_ own: [(name: String, value: String)], _ ownAuth: JSONValue?) -> FolderDefaults {
    FolderDefaults(headers: headers(besides: own) + own, auth: ownAuth ?? auth)
  }
}

extension CollectedRequest {
  /// Adds the values that a script keeps: `pm.environment.set("token", pm.response.json().access_token)`,
  /// `bru.setVar("token", res.body.access_token)`.
  ///
  /// - Returns: true if the script does nothing else.
  mutating func addSaves(script: String) -> Bool {
    let sets =
      script.matches(
        of:
          /(?:[eE]nvironment|collectionVariables|globals|variables)\.set\(\s*["']([\w-]+)["']\s*,\s*[A-Za-z_$][\w$]*(?:\.response\.json\(\))?((?:\.[A-Za-z_$][\w$]*|\[[0-9]+\])+)\s*\)/
      )
      + script.matches(
        of:
          /bru\.set\w*Var\(\s*["']([\w-]+)["']\s*,\s*(?:res\.body|res\.getBody\(\)|(?!res\.)[A-Za-z_$][\w$]*)((?:\.[A-Za-z_$][\w$]*|\[[0-9]+\])+)\s*\)/
      )
    saves += sets.map { (String($0.1), .body("$" + $0.2)) }
    let statements = script.textLines.map { $0.trimmingCharacters(in: .whitespaces) }.filter {
      !$0.isEmpty && !$0.hasPrefix("//")
    }
    return statements.count <= sets.count
  }
}

/// The requests in the file of another tool, by session.
struct RequestCollection {
  var sessions: [(name: String, requests: [CollectedRequest])] = []
  /// Values of the tool's variables.
  var constants: [String: String] = [:]
  /// Elements that cannot be imported.
  var left: [String] = []

  mutating func add(_ requests: [CollectedRequest], to session: String) {
    guard !requests.isEmpty else { return }
    if let index = sessions.firstIndex(where: { $0.name == session }) {
      sessions[index].requests += requests
    } else {
      sessions.append((session, requests))
    }
  }

  /// - Parameter function: the template for a function of the tool; nil if it is not a function.
  func recording(_ contract: Contract, _ function: @escaping (String) -> String?) -> Recording {
    var tool = ToolImporter(contract, function)
    tool.variables.constants = resolvedConstants
    var recording = Recording()
    recording.left = left
    for request in sessions.flatMap(\.requests) {
      _ = tool.isOfAPI(Self.origin(tool.variables.withConstants(request.url)))
    }
    tool.api = tool.mostFrequentOrigin
    for session in sessions {
      tool.variables.given = [:]
      let steps = session.requests.flatMap { Self.steps($0, &tool, &recording) }
      if !steps.calls.isEmpty { recording.add(session.name, steps) }
    }
    recording.setTarget(base: tool.base, api: tool.api ?? "")
    recording.variables = tool.environment
    return recording
  }

  /// The constants without variables in them. Secrets are not constants: they become environment variables.
  private var resolvedConstants: [String: String] {
    var variables = ToolVariables { _ in nil }
    variables.constants = constants.filter {
      !SecretName.isSecret($0.key, $0.value) && !SecretLook.isSecret($0.value)
    }
    for _ in 0..<Self.deepest {
      variables.constants = variables.constants.mapValues { value in
        let resolved = variables.withConstants(value)
        return resolved.utf8.count <= Self.longest ? resolved : value
      }
    }
    return variables.constants
  }

  /// The maximum depth of variables in variables, and the maximum length of a value in bytes.
  private static let deepest = 4
  private static let longest = 100_000

  private static func steps(
    _ collected: CollectedRequest, _ tool: inout ToolImporter, _ recording: inout Recording
  ) -> [DraftedStep] {
    // Variables may contain the server and its base path.
    let raw = tool.variables.withConstants(collected.url)
    guard !raw.isEmpty else {
      recording.left.append("\(collected.name): it has no URL")
      return []
    }
    let origin = origin(raw)
    guard tool.isOfAPI(origin) else {
      recording.left.append(
        "\(collected.name): it is sent to \(origin.isEmpty ? "another server" : origin), not to the target")
      return []
    }
    var request = collected.request
    let parts = raw.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    request.path = path(String(parts.first ?? ""), collected.pathValues)
    if parts.count > 1 { request.query = RecordedRequest.pairs(parts[1]) + request.query }
    for file in request.parts where file.fileName != nil {
      recording.left.append(
        "\(collected.name): the content of \(file.fileName ?? ""); write the path of a file instead")
    }
    var call = tool.call(request)
    call.statuses = collected.statuses.filter { $0 >= 300 }
    call.finds = collected.finds
    for (variable, source) in collected.saves {
      let name = DraftNames.variable(variable == variable.uppercased() ? variable.lowercased() : variable)
      tool.variables.given[variable] = name
      call.saves.append(DraftedSave(name: name, source: source))
    }
    return (collected.pause.map { [.think($0)] } ?? []) + [.call(call)]
  }

  /// Scheme, host and port of a URL, without credentials; empty if they are a variable.
  private static func origin(_ url: String) -> String {
    guard let match = url.prefixMatch(of: /(https?:\/\/)(?:[^\/?#{}@]*@)?([^\/?#{}@]+)/) else { return "" }
    return String(match.1 + match.2)
  }

  /// The path of a URL such as `{{baseUrl}}/laws/:id`, with the values of its path variables.
  private static func path(_ url: String, _ values: [String: String]?) -> String {
    let rest = url.range(of: "://").map { url[$0.upperBound...] } ?? url[...]
    let path = rest.firstIndex(of: "/").map { rest[$0...] } ?? "/"
    guard let values else { return String(path) }
    return path.split(separator: "/").map { segment in
      guard segment.hasPrefix(":"), segment.count > 1 else { return "/" + segment }
      let name = String(segment.dropFirst())
      return "/" + (values[name].flatMap { $0.isEmpty ? nil : $0 } ?? "{{\(name)}}")
    }.joined()
  }
}
