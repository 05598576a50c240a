import Foundation
import GRDB
import Synchronization

/// The database of the reference API and all that is asked of it.
///
/// Calls block their thread for the time of the statement (about 10 to 100 µs), which on an event loop with a local
/// database is cheaper than handing them to another thread.
final class Store: Sendable {
  let database: any DatabaseWriter
  /// Who is credited with a law never changes while the server runs.
  let credits: [Int: [Attribution]]
  let attributions: [CreditedAttribution]
  let categories: [Category]
  let seed: UInt64
  /// Laws are published by hand only, so the number of laws that match a query never changes while the server runs.
  let totals = Mutex<[LawFilter: Int]>([:])

  /// Opens the database in memory, or in `file` with a write-ahead log, and fills it when it is empty.
  init(file: String?, seed: UInt64, readers: Int) throws(ServerError) {
    self.seed = seed
    do {
      database = try Self.open(file, readers: readers)
    } catch {
      throw ServerError("cannot open the database \(file ?? "in memory"): \(Self.reason(error))")
    }
    do {
      try Self.prepare(database, seed: seed)
      (credits, attributions, categories) = try database.read { database in
        (try Self.credits(database), try Self.creditedAttributions(database), try Self.categories(database))
      }
    } catch {
      throw ServerError("cannot set up the database \(file ?? "in memory"): \(Self.reason(error))")
    }
  }

  private static func open(_ file: String?, readers: Int) throws -> any DatabaseWriter {
    var configuration = Configuration()
    configuration.maximumReaderCount = max(readers, 1)
    // A crash may lose the last votes, never the database; without this each vote waits for the disk.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    guard let file else { return try DatabaseQueue(configuration: configuration) }
    return try DatabasePool(path: file, configuration: configuration)
  }

  private static func reason(_ error: any Error) -> String {
    (error as? DatabaseError)?.message ?? "\(error)"
  }

  func close() { try? database.close() }
}
