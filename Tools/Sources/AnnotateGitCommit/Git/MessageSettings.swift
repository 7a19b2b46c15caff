/// git's settings for messages, read by one git process.
struct MessageSettings: Hashable {
    private(set) var marker = Comments.Marker.fixed([UInt8(ascii: "#")])
    private(set) var cleanup = Comments.Cleanup.standard

    /// Creates git's default settings.
    init() {}

    static func current() async throws(AnnotationError) -> MessageSettings {
        let output = try await Git.run([
            "config", "-z", "--get-regexp", "^(core\\.comment(char|string)|commit\\.cleanup)$",
        ])
        // Status 1 means that none of them is set.
        guard output.status <= 1 else {
            throw AnnotationError(.programFailed, "can't read git's configuration: \(output.error)")
        }
        return MessageSettings(output.bytes)
    }

    /// - Parameter listing: repeated `key`, line end, value, NUL. If a key is repeated, its last
    ///   value counts.
    init(_ listing: [UInt8]) {
        for entry in listing.split(separator: 0) {
            let parts = entry.split(separator: .lineEnd, maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[1].isEmpty else { continue }
            let value = String(decoding: parts[1], as: UTF8.self)
            switch String(decoding: parts[0], as: UTF8.self) {
            case "core.commentchar", "core.commentstring":
                marker = value.lowercased() == "auto" ? .auto : .fixed(Array(parts[1]))
            default:
                cleanup = Comments.Cleanup(rawValue: value) ?? .standard
            }
        }
    }
}
