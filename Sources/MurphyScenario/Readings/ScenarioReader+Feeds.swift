import MurphyDocument
import MurphyJSON
import MurphyModel

extension ScenarioReader {
  func readFeeds(_ node: MarkedValue?) {
    guard let node else { return }
    for (name, keyNode, value) in mapping(node, "feeds") {
      guard let entries = entries(value, .feed), let variable = newVariable(name, at: keyNode) else { continue }
      flow.known.remove(name)
      guard let file = text(entries["file"], "a file"), let fileNode = entries["file"] else { continue }
      // A feed that cannot be read keeps its name, so that its uses are not called unknown as well.
      let rows = rows(of: file, at: fileNode) ?? FeedRows(columns: [], rows: [])
      var feed = Feed(name: name, file: file, rows: rows, variable: variable)
      if let order = choice(entries["order"], "order", Feed.Order.self) { feed.order = order }
      if let atEnd = choice(entries["at-end"], "at-end", Feed.AtEnd.self) { feed.atEnd = atEnd }
      if let unit = choice(entries["per"], "per", Feed.Unit.self) { feed.per = unit }
      feeds.append(feed)
    }
  }

  private func rows(of file: String, at node: MarkedValue) -> FeedRows? {
    let path = ScenarioFiles.path(file, relativeTo: source.file)
    let bytes: [UInt8]
    do {
      bytes = try files.read(path)
    } catch {
      let reason = (error as? BoundedFile.Failure).map { ": \($0)" } ?? ""
      report("cannot read the file \(path)\(reason)", at: node)
      return nil
    }
    switch FeedRows.read(bytes, file: path) {
    case .success(let rows):
      if rows.count == 0 { report("the file \(path) has no rows", at: node) }
      return rows.count == 0 ? nil : rows
    case .failure(let diagnostic):
      diagnostics.append(diagnostic)
      return nil
    }
  }
}
