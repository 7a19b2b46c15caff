internal import WharfCore

extension HTTPResponse {
    /// `must-revalidate` and `no-cache` forbid a stale answer when the origin can't be reached (RFC 9111 §4.2.4, §5.2.2).
    var forbidsStaleUse: Bool { hasDirective("must-revalidate") || hasDirective("no-cache") }

    private func hasDirective(_ name: String) -> Bool {
        headerFields[values: .cacheControl].contains { value in
            value.split(separator: ",").contains { directive in
                let found = directive.drop { $0 == " " || $0 == "\t" }.prefix { $0 != "=" && $0 != " " && $0 != "\t" }
                return found.lowercased() == name
            }
        }
    }

    fileprivate var forbidsStoring: Bool { hasDirective("no-store") }
}

extension Snapshot.Kept {
    /// It came with `no-store` (RFC 9111 §5.2.2.5): it is held in memory, and never written.
    var mustNotBeStored: Bool { response?.forbidsStoring == true }
}
