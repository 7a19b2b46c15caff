package import WharfCore

extension RequestBody {
    /// Returns all bytes of the body. It creates a stream for this call and reads all of it.
    package func collected() async throws(TransportError) -> [UInt8] {
        switch self {
        case .none: []
        case .bytes(let bytes): bytes
        case .stream(let make, _): try await make().collect()
        }
    }
}
