/// What git's configuration says of messages, by one process of git.
struct MessageSettings: Hashable {
    private(set) var marker = Comments.Marker.fixed([UInt8(ascii: "#")])
    private(set) var cleanup = Comments.Cleanup.standard

    /// git's own defaults.
    init() {}

    static func current() async throws(AnnotationError) -> MessageSettings {
        let output = try await Git.run([
            "config", "-z", "--get-regexp", "^(core\\.comment(char|string)|commit\\.cleanup)$",
        ])
        // 1: there is none of them.
        guard output.status <= 1 else {
            throw AnnotationError(.programFailed, "expected git's configuration, but: \(output.error)")
        }
        return MessageSettings(output.bytes)
    }

    /// - Parameter listing: `key`, line end, value, NUL, as often as there are values; of several
    ///   the last counts.
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
