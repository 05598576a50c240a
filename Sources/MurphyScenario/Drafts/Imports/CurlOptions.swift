/// The options of curl 8: their names, and which of them have a value.
enum CurlOptions {
  /// Long names of options with one letter. Letters that are not listed here mean nothing for the request.
  private static let letters: [Character: String] = [
    "X": "request", "I": "head", "G": "get", "H": "header", "d": "data", "F": "form", "u": "user", "b": "cookie",
    "T": "upload-file", "K": "config", "r": "range", "E": "cert", "x": "proxy", "A": "user-agent", "e": "referer",
    ":": "next",
  ]
  private static let lettersWithValue = Set("ACDEFHKPQTUXYbcdehmortuwxyz")

  /// Options that change the request, and that no step has.
  static let unsent: Set<String> = ["config", "range", "digest", "ntlm", "negotiate", "aws-sigv4", "time-cond"]

  private static let namesWithValue: Set<String> = Set(
    """
    abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to \
    continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode \
    delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine \
    etag-compare etag-save expect100-timeout form form-string happy-eyeballs-timeout-ms haproxy-clientip header \
    hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json keepalive-cnt keepalive-time key key-type krb \
    libcurl limit-rate local-port login-options max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer \
    output output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert \
    proxy-cert proxy-header proxy-key proxy-pass proxy-user proxy1.0 pubkey quote random-file range rate referer \
    request request-target resolve retry retry-delay retry-max-time service-name socks4 socks4a socks5 \
    socks5-hostname speed-limit speed-time stderr telnet-option time-cond tls-max tls13-ciphers tlspassword tlsuser \
    trace trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority \
    write-out
    """.split(separator: " ").map(String.init))

  /// The options of a command, in order, by their long names. URLs are values of `url`.
  static func read(_ words: some Sequence<String>) -> [(name: String, value: String)] {
    var options: [(name: String, value: String)] = []
    var pending: String?
    var isOver = false
    for word in words {
      if let name = pending {
        options.append((name, word))
        pending = nil
      } else if isOver || !word.hasPrefix("-") || word == "-" {
        options.append(("url", word))
      } else if word == "--" {
        isOver = true
      } else if word.hasPrefix("--") {
        let name = String(word.dropFirst(2))
        if namesWithValue.contains(name) { pending = name } else { options.append((name, "")) }
      } else {
        // -sSLd '{}', -XPOST
        var rest = word.dropFirst()
        while let letter = rest.popFirst() {
          let name = letters[letter] ?? String(letter)
          guard lettersWithValue.contains(letter) else {
            options.append((name, ""))
            continue
          }
          if rest.isEmpty { pending = name } else { options.append((name, String(rest))) }
          break
        }
      }
    }
    return options
  }
}
