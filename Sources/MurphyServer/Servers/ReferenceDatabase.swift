import GRDB

/// The SQLite database of a reference API.
///
/// `write` runs in a transaction that holds the database's write lock from its beginning (GRDB's `immediate`). So data
/// that it has read cannot change before it writes.
///
/// Calls block their thread for the time of the statement (about 10 to 100 µs). On an event loop with a local database,
/// this is cheaper than a change of threads.
package enum ReferenceDatabase {
  /// Opens the database in memory, or in a file with a write-ahead log, and fills it if it is empty.
  ///
  /// - Parameters:
  ///   - system: the owner of the database; a file of another system is not changed.
  ///   - schema: the statements that create its tables.
  ///   - fill: writes the initial data.
  package static func open(
    _ options: ReferenceOptions, of system: String, schema: String, fill: (Database) throws -> Void
  ) throws(ServerError) -> any DatabaseWriter {
    let place = options.database ?? "in memory"
    let database: any DatabaseWriter
    do {
      database = try open(options.database, readers: options.threads)
    } catch {
      throw ServerError("cannot open the database \(place): \(reason(error))")
    }
    do {
      try database.write { database in
        if try isThere(database, system, schema, seed: options.seed) { return }
        try database.execute(
          sql: "CREATE TABLE origin (seed INTEGER NOT NULL, system TEXT NOT NULL, schema TEXT NOT NULL)")
        try database.execute(sql: schema)
        try database.execute(
          sql: "INSERT INTO origin VALUES (?, ?, ?)", arguments: [Int64(bitPattern: options.seed), system, schema])
        try fill(database)
      }
    } catch {
      throw ServerError("cannot set up the database \(place): \(reason(error))")
    }
    return database
  }

  /// The database's message, or a description of the error.
  static func reason(_ error: any Error) -> String { (error as? DatabaseError)?.message ?? "\(error)" }

  private static func open(_ file: String?, readers: Int) throws -> any DatabaseWriter {
    var configuration = Configuration()
    configuration.maximumReaderCount = max(readers, 1)
    // A crash may lose the last writes, never the database. Without this option each write waits for the disk.
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    guard let file else { return try DatabaseQueue(configuration: configuration) }
    return try DatabasePool(path: file, configuration: configuration)
  }

  /// True if the database is already filled.
  /// - Throws: for a database of another program, system, version or seed.
  private static func isThere(
    _ database: Database, _ system: String, _ schema: String, seed: UInt64
  ) throws -> Bool {
    if try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 { return false }
    guard try database.tableExists("origin"), let origin = try Row.fetchOne(database, sql: "SELECT * FROM origin"),
      let found: Int64 = origin["seed"], let owner: String = origin["system"]
    else { throw ServerError("it belongs to another program. Name another file.") }
    guard owner == system else { throw ServerError("it belongs to \(owner), not to \(system). Name another file.") }
    guard origin["schema"] == schema else {
      throw ServerError("another version of murphy created it. Name another file.")
    }
    guard found == Int64(bitPattern: seed) else {
      throw ServerError("it was created with seed \(UInt64(bitPattern: found)), not \(seed). Name another file.")
    }
    return true
  }
}

extension DatabaseWriter {
  /// The data that a system reads once, when it starts.
  package func loaded<Value>(_ body: (Database) throws -> Value) throws(ServerError) -> Value {
    do { return try read(body) } catch {
      throw ServerError("cannot read the database: \(ReferenceDatabase.reason(error))")
    }
  }
}

/// Statements that stay prepared, because requests execute the same ones repeatedly.
extension Database {
  /// The first row; nil without one.
  package func row(_ sql: String, _ arguments: StatementArguments) throws -> Row? {
    try Row.fetchOne(try cachedStatement(sql: sql), arguments: arguments)
  }

  /// All rows.
  package func rows(_ sql: String, _ arguments: StatementArguments) throws -> [Row] {
    try Row.fetchAll(try cachedStatement(sql: sql), arguments: arguments)
  }

  /// Executes a statement that returns no rows.
  package func run(_ sql: String, _ arguments: StatementArguments) throws {
    try cachedStatement(sql: sql).execute(arguments: arguments)
  }
}
