import Foundation
import MurphyModel

/// Why a contract could not be used: every mistake that was found.
public struct ContractError: Error, Sendable, CustomStringConvertible {
  public let diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  public var description: String { diagnostics.map(\.text).joined(separator: "\n") }
}

extension Contract {
  /// Reads the OpenAPI document `file` (YAML or JSON) with all files that it refers to, and compiles its schemas.
  ///
  /// A document of several megabytes takes about a second. Nothing is fetched from a network.
  /// - Throws: a ``ContractError`` with every mistake that keeps the contract from being used.
  public static func load(_ file: String, options: JudgeOptions = JudgeOptions()) throws(ContractError) -> Contract {
    try load(file, options: options, reader: .files)
  }

  /// As ``load(_:options:)`` from several files: OpenAPI documents, whose operations are put together, and overlays,
  /// each laid over the OpenAPI document before it.
  ///
  /// - Parameter fetched: documents that are not read from the disk, by the URL that stands for them in `files`.
  public static func load(
    _ files: [String], fetched: [String: [UInt8]] = [:], options: JudgeOptions = JudgeOptions()
  ) throws(ContractError) -> Contract {
    try load(files, options: options, reader: FileReader.files.serving(fetched))
  }

  package static func load(
    _ files: [String], options: JudgeOptions = JudgeOptions(), reader: FileReader
  ) throws(ContractError) -> Contract {
    var assembly = ContractAssembly(sources: DocumentSet(reader: reader), options: options)
    return try assembly.contract(files)
  }

  /// As ``load(_:options:)`` from a text in memory; `file` names it in messages and is what `$ref`s are relative to.
  public static func parse(
    _ text: String, file: String, options: JudgeOptions = JudgeOptions()
  ) throws(ContractError) -> Contract {
    let path = FileReader.absolute(file)
    let reader = FileReader { wanted in wanted == path ? Array(text.utf8) : try FileReader.files.read(wanted) }
    return try load(file, options: options, reader: reader)
  }

  package static func load(
    _ file: String, options: JudgeOptions, reader: FileReader
  ) throws(ContractError) -> Contract {
    try load([file], options: options, reader: reader)
  }
}
