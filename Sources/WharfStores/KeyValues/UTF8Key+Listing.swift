internal import WharfPrimitives

extension Sequence<UTF8Key> {
    /// As ``WharfCore/KeyValueStore/keys(withPrefix:)`` gives them.
    func listed(withPrefix prefix: String) -> [String] {
        filter { $0.hasPrefix(prefix) }.sorted().map(\.text)
    }
}
