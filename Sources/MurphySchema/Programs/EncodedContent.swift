/// `contentEncoding`, `contentMediaType` and `contentSchema`, asserted together.
struct EncodedContent: Sendable {
  let encoding: String?
  let mediaType: String?
  let node: NodeID?
}
