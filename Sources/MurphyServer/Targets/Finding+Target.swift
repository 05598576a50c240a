import MurphyModel

extension Finding {
  /// The same with a script that asks for the API's address: the server at `url` was started for this run and has
  /// ended.
  ///
  /// - Parameter command: starts the API again.
  package func leaving(_ url: String, startedBy command: String) -> Finding {
    let address = ShellWord(ShellVariable("TARGET")).quoted
    func leaving(_ script: ShellScript) -> ShellScript {
      let left = script.text.replacingScalars("'\(url)", with: address + "'")
      guard left != script.text else { return script }
      return ShellScript(": \"${TARGET:?set it to the address that this prints: \(command)}\"; " + left)
    }
    var finding = self
    finding.evidence?.curl = evidence?.curl.map(leaving)
    finding.evidence?.witness = evidence?.witness?.map { exchange in
      var exchange = exchange
      exchange.curl = exchange.curl.map(leaving)
      return exchange
    }
    return finding
  }
}

extension Target {
  /// `murphy serve` with this reference API and its options; nil for any other server.
  ///
  /// Options with characters that a shell may expand are left out.
  package func serveCommand(_ reference: ReferenceOptions) -> String? {
    guard case .embedded(let system, let settings) = self else { return nil }
    let options = (settings + reference.given.map { Setting(name: $0.name, value: $0.value) }).map {
      " --\($0.name) \($0.value)"
    }.filter { option in
      option.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: " =/._:-".utf8.contains(byte)
        }
      }
    }
    return "murphy serve \(system) --port 0" + options.joined()
  }
}
