package import WharfCore

extension RequestBody {
    /// Returns all bytes of the body. A stream is made for this call and read to its end.
    package func collected() async throws(TransportError) -> [UInt8] {
        switch self {
        case .none: []
        case .bytes(let bytes): bytes
        case .stream(let make, _): try await make().collect()
        }
    }
}
