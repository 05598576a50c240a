import Foundation
import Testing

/// Files that are long, endless, or not files: each ends with a clear error, and soon.
@Suite(.serialized) struct HostileFileTests {
  /// Seconds that any of these may take on a machine that is busy.
  private static let bound = 60.0

  private static let scenario = ShopAPI.scenario(url: "http://127.0.0.1:1")

  /// Runs a line of bash in a folder with `scenario.yaml` and `shop.yaml`; it ends in time and with status 2.
  private static func refuses(
    _ line: String, _ sentence: String, in folder: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let ended = try await Shell.run(line, in: folder, limit: bound * 2)
    #expect(ended.said.status == 2, "\(line): \(ended.said)", sourceLocation: sourceLocation)
    let text = ended.said.output + ended.said.errors
    #expect(
      sentence.isEmpty || text.contains(sentence), "\(line): \(text.prefix(2000))", sourceLocation: sourceLocation)
    #expect(text.utf8.count < 20_000, "\(line)", sourceLocation: sourceLocation)
    #expect(ended.seconds < bound, "\(line)", sourceLocation: sourceLocation)
  }

  @Test(arguments: ["check", "run"]) func `a comment of 200 MB is rejected unread`(verb: String) async throws {
    try await ShopAPI.withFiles(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let comment = "head -c 200000000 /dev/zero | tr '\\0' x"
      for (name, limit) in [("scenario.yaml", verb == "run" ? "4 MiB" : "64 MiB"), ("shop.yaml", "64 MiB")] {
        let line =
          "(cat \(name); echo -n '#'; \(comment)) > long.yaml; sed s/shop.yaml/long.yaml/ scenario.yaml > s.yaml; "
        let asked = name == "scenario.yaml" ? "long.yaml" : "s.yaml"
        try await Self.refuses(line + "\"$MURPHY\" \(verb) \(asked)", "longer than \(limit)", in: folder)
      }
      try await Self.refuses("\"$MURPHY\" check long.yaml", "longer than 64 MiB", in: folder)
    }
  }

  @Test func `a long comment that is within the limits is read soon`() async throws {
    try await ShopAPI.withFiles(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let line = """
        (cat shop.yaml; echo -n '#'; head -c 20000000 /dev/zero | tr '\\0' x) > long.yaml
        sed s/shop.yaml/long.yaml/ scenario.yaml > s.yaml; "$MURPHY" check s.yaml && "$MURPHY" check long.yaml
        """
      let ended = try await Shell.run(line, in: folder, limit: Self.bound * 2)
      #expect(ended.said.status == 0, "\(ended.said)")
      #expect(ended.seconds < Self.bound)
    }
  }

  @Test func `a list that anchors double sixty times is not unfolded`() async throws {
    try await ShopAPI.withFiles(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let lists = (1...60).map { "x-\($0): &a\($0) [*a\($0 - 1), *a\($0 - 1)]" }
      let bomb = (["x-0: &a0 [1]"] + lists).joined(separator: "\n") + "\n"
      try (bomb + Self.scenario).write(toFile: folder + "/s.yaml", atomically: true, encoding: .utf8)
      try (bomb + ShopAPI.contract).write(toFile: folder + "/c.yaml", atomically: true, encoding: .utf8)
      for verb in ["check", "run"] {
        try await Self.refuses("\"$MURPHY\" \(verb) s.yaml", "aliases expand to more than", in: folder)
        let line = "sed s/shop.yaml/c.yaml/ scenario.yaml > t.yaml; \"$MURPHY\" \(verb) t.yaml"
        try await Self.refuses(line, "aliases expand to more than", in: folder)
      }
      try await Self.refuses("\"$MURPHY\" check c.yaml", "aliases expand to more than", in: folder)
    }
  }

  /// What is not a file in the places of the files that murphy reads, and how each place is named there.
  private static let places = [
    "run ODD", "check ODD", "tune ODD", "limits ODD", "run contract.yaml", "check contract.yaml", "run feed.yaml",
    "check feed.yaml", "run scenario.yaml --cacert ODD", "report ODD", "jsonpath '$.a' ODD",
    "schema validate --schema ODD shop.yaml", "schema validate --schema schema.json ODD",
  ]

  @Test(arguments: [
    ("mkfifo odd.json", "no data was received through this pipe"), ("ln -s /dev/zero odd.json", "longer than"),
    ("mkdir odd.json", "it is a folder"), ("ln -s odd.json odd.json", "too many levels"),
  ]) func `what is not a file ends in each place of one`(make: String, sentence: String) async throws {
    try await ShopAPI.withFiles(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let made = try await Shell.run(
        """
        \(make); echo '{}' > schema.json; sed s/shop.yaml/odd.json/ scenario.yaml > contract.yaml
        (cat scenario.yaml; echo 'feeds: { rows: { file: odd.json } }') > feed.yaml
        """, in: folder)
      #expect(made.said.status == 0, "\(made.said)")
      // All at once: a pipe is waited for.
      try await withThrowingTaskGroup(of: Void.self) { group in
        for place in Self.places {
          let line = "\"$MURPHY\" " + place.replacing("ODD", with: "odd.json")
          // A folder beside a contract's name is none, and a contract may be a path of the target.
          let said = sentence == "it is a folder" && place.contains("contract.yaml") ? "odd.json" : sentence
          let isResult = sentence == "it is a folder" && place.hasPrefix("report")
          let isNamed = place.contains("feed.yaml") && !["it is a folder", "too many levels"].contains(sentence)
          let wanted =
            isResult ? "no such file" : isNamed ? "not a regular file" : sentence == "too many levels" ? "" : said
          group.addTask { try await Self.refuses(line, wanted, in: folder) }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func `a pipe that somebody writes to is read`() async throws {
    try await ShopAPI.withFiles(Self.scenario) { file in
      let folder = (file as NSString).deletingLastPathComponent
      let line = "mkfifo a.json; (sleep 1; echo '{\"a\": [1]}' > a.json) & \"$MURPHY\" jsonpath '$.a[0]' a.json"
      let ended = try await Shell.run(line, in: folder)
      #expect(ended.said.status == 0, "\(ended.said)")
      #expect(ended.said.output.contains("1"))
    }
  }
}
