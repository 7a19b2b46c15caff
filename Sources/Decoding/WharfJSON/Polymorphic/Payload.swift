/// Direct decoding of a union's payload; overloads choose between its ways to be read.
extension JSONReader {
    /// Reads a payload that is `JSONDecodable`.
    @inlinable @inline(__always) public mutating func payload<Payload: JSONDecodable>(
        _ type: Payload.Type
    ) -> Payload? {
        Payload.decode(from: &self)
    }
}

extension JSONWriter {
    /// Writes a payload that is `JSONEncodable`.
    @inlinable @inline(__always) public mutating func payload(_ payload: some JSONEncodable) {
        payload.encode(into: &self)
    }
}
