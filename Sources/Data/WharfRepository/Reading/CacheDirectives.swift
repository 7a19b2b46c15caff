internal import WharfCore
internal import WharfPrimitives

extension HTTPResponse {
    /// Whether it must not stand in for an unreachable origin once it is stale.
    ///
    /// See RFC 9111 §4.2.4 and §5.2.2.
    var forbidsStaleUse: Bool { CacheControl(headerFields).forbidsStaleUse }
}

extension Snapshot.Kept {
    /// Whether it came with `no-store` (RFC 9111 §5.2.2.5).
    ///
    /// Such a value is held in memory, and never written.
    var mustNotBeStored: Bool { response.map { CacheControl($0.headerFields).noStore } == true }
}
