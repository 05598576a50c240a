import MurphyServer
import Synchronization

/// The endpoints of the journal.
struct JournalEndpoints: Sendable {
  let store: JournalStore
  let hooks: JournalHooks

  /// `POST /v1/sessions`: one more device of an author; a new author gets a journal.
  func logIn(_ incoming: Incoming) async throws -> Work {
    let email = try await incoming.fields(["email"]).email("email")
    return Work {
      let author = try store.author(email: email)
      let token = try await hooks.logIn(author, of: .logIn) { try store.addDevice(of: $0) }
      return .json(.created) { json in
        json.member("token", token)
        json.member("authorId", author)
      }
    }
  }

  /// `GET /v1/entries`: the entries that have changed since the last sync.
  func pullEntries(_ incoming: Incoming) throws -> Work {
    let limit = try incoming.query.integer("limit", 1...100) ?? 50
    let pull = EntryPull(author: incoming.caller.account, since: try lastSync(incoming), limit: limit)
    return Work {
      let page = try await hooks.pull(pull, of: .pullEntries) { try store.pull($0) }
      return .json(.ok, capacity: 256 + page.entries.count * 384) { json in
        json.member("entries", each: page.entries) { $0.entry($1) }
        json.member("limit", pull.limit)
        json.member("hasMore", page.hasMore)
        json.member("syncedAt", Timestamp.text(microsecondsSince1970: page.syncedAt))
      }
    }
  }

  /// `GET /v1/changes`: the changes since the last sync, and each later one when it occurs, as a stream of events.
  func followChanges(_ incoming: Incoming) throws -> Work {
    let start = EntryPull(author: incoming.caller.account, since: try lastSync(incoming), limit: 100)
    return Work {
      let position = Mutex(start)
      return .events(life: store.streamLife) {
        let page = try await hooks.pull(position.withLock(\.self), of: .followChanges) { try store.pull($0) }
        position.withLock { $0.since = page.syncedAt }
        return page.entries.map { entry in
          var json = JSONWriter()
          json.object { $0.entry(entry) }
          let time = Timestamp.text(microsecondsSince1970: entry.updatedAt)
          return "id: \(time)\nevent: entry\ndata: \(String(buffer: json.buffer))\n\n"
        }.joined()
      }
    }
  }

  /// The time of the client's last sync, in microseconds since 1970; 0 for none.
  private func lastSync(_ incoming: Incoming) throws(APIError) -> Int {
    guard let text = incoming.query["lastSyncAt"] else { return 0 }
    guard let time = Timestamp.microseconds(text) else {
      throw .invalid("lastSyncAt", "lastSyncAt must be a date-time such as 2024-01-15T10:30:00Z.")
    }
    return time
  }

  /// `GET /v1/entries/{id}`: one entry.
  func getEntry(_ incoming: Incoming) throws -> Work {
    let id = try incoming.uuid()
    guard let entry = try store.entry(id, of: incoming.caller.account) else { throw noEntry(id) }
    return Work {
      let entry = try await hooks.entry(entry, of: .getEntry) { $0 }
      return .json(.ok) { $0.entry(entry) }
    }
  }

  /// `PUT /v1/entries/{id}`: uploads a change from a device.
  func pushEntry(_ incoming: Incoming) async throws -> Work {
    let id = try incoming.uuid()
    let fields = try await incoming.fields(["version", "content"])
    let push = EntryPush(
      id: id, author: incoming.caller.account, version: try fields.integer("version", 0...1_000_000_000),
      content: try fields.text("content", 1...10_000))
    return Work {
      let decided = try await hooks.push(push, of: .pushEntry) { try store.push($0) }
      switch try await hooks.pushed(decided, of: .pushEntry, honestly: { $0 }) {
      case .saved(let entry): return .json(entry.version == 1 ? .created : .ok) { $0.entry(entry) }
      case .conflict(let entry):
        return .json(.conflict) { json in
          json.member("error") { json in
            json.member("code", "conflict")
            json.member("message", "The entry has version \(entry.version) now.")
          }
          json.member("entry") { $0.entry(entry) }
        }
      case .ahead(let current):
        return .json(.unprocessableContent) { json in
          json.member("error") { json in
            json.member("code", "version_ahead")
            json.member("message", "Version \(push.version) does not exist yet.")
            json.member("currentVersion", current)
          }
        }
      case .foreign: throw noEntry(push.id)
      }
    }
  }

  private func noEntry(_ id: String) -> APIError { .notFound("There is no entry \(id).") }
}

extension JSONWriter {
  /// An entry in the form of `#/components/schemas/Entry`.
  fileprivate mutating func entry(_ entry: JournalEntry) {
    member("id", entry.id)
    member("authorId", entry.author)
    member("version", entry.version)
    member("content", entry.content)
    member("createdAt", Timestamp.text(microsecondsSince1970: entry.createdAt))
    member("updatedAt", Timestamp.text(microsecondsSince1970: entry.updatedAt))
  }
}
