/// A union's payload in direct decoding, whichever way it can be read.
extension JSONReader {
    /// Reads a payload that reads itself.
    @inlinable @inline(__always) public mutating func payload<Payload: JSONDecodable>(
        _ type: Payload.Type
    ) -> Payload? {
        Payload.decode(from: &self)
    }
}

extension JSONWriter {
    /// Writes a payload that writes itself.
    @inlinable @inline(__always) public mutating func payload(_ payload: some JSONEncodable) {
        payload.encode(into: &self)
    }
}
