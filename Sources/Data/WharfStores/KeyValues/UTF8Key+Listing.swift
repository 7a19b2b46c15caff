internal import WharfPrimitives

extension Sequence<UTF8Key> {
    /// The names as ``WharfCore/KeyValueStore/keys(withPrefix:)`` returns them.
    func listed(withPrefix prefix: String) -> [String] {
        filter { $0.hasPrefix(prefix) }.sorted().map(\.text)
    }
}
