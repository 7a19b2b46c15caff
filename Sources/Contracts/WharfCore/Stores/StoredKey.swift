/// A name in a ``KeyValueStore`` with the codec of its value.
///
/// ```swift
/// extension StoredKey<Theme> {
///     static var theme: Self { StoredKey("theme", .rawValue()) }
/// }
///
/// try await store.set(.dark, of: .theme)
/// let theme = try await store.value(of: .theme) ?? .light
/// ```
///
/// The value is stored in a frame: the byte `FF`, with which no text begins, and the byte 1 for
/// this layout. The codec's schema follows in eight bytes, the lowest first, and then the encoded
/// value.
public struct StoredKey<Value: Sendable>: Sendable {
    /// The name in the store.
    public let name: String
    /// Encodes and decodes the value.
    public let codec: Codec<Value>

    /// Creates a key.
    public init(_ name: String, _ codec: Codec<Value>) {
        self.name = name
        self.codec = codec
    }
}

extension StoredKey {
    private static var frame: [UInt8] { [0xFF, 1] }
    private static var headLength: Int { 10 }

    fileprivate func framed(_ value: Value) throws(StoreError) -> [UInt8] {
        let content: [UInt8]
        do {
            content = try codec.encode(value)
        } catch {
            throw StoreError(
                .failed, message: "could not encode the \(Value.self) of \"\(name)\": \(error); nothing was changed",
                cause: error)
        }
        return Self.frame + withUnsafeBytes(of: Int64(codec.schema).littleEndian) { Array($0) } + content
    }

    fileprivate func value(in bytes: [UInt8]) throws(StoreError) -> Value {
        // A value that another library has put under the name must not be decoded as a frame.
        guard bytes.count >= Self.headLength, bytes.starts(with: Self.frame) else {
            throw undecodable("\(bytes.count) bytes that were not set by a stored key of this version", nil)
        }
        // The lowest byte comes first, so the bytes are read from the last one on.
        let head = bytes[2..<Self.headLength].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let schema = Int(truncatingIfNeeded: Int64(bitPattern: head))
        do {
            return try codec.decode(Array(bytes.dropFirst(Self.headLength)), schema)
        } catch {
            throw undecodable("\(bytes.count - Self.headLength) bytes of schema \(schema): \(error)", error)
        }
    }

    private func undecodable(_ found: String, _ cause: (any Error)?) -> StoreError {
        StoreError(
            .undecodable,
            message: "could not decode \"\(name)\" as a \(Value.self) of schema \(codec.schema): it has \(found); the "
                + "value stays as it is until the name is set or removed", cause: cause)
    }
}

extension KeyValueStore {
    /// Returns the value of a key; nil if it has none.
    ///
    /// - Throws: ``StoreError/Code/undecodable`` if the codec can't decode the value. The value
    ///   stays in the store.
    public func value<Value>(of key: StoredKey<Value>) async throws(StoreError) -> Value? {
        guard let bytes = try await value(for: key.name) else { return nil }
        return try key.value(in: bytes)
    }

    /// Sets or removes the value of a key.
    ///
    /// - Parameter value: the new value, which may replace an undecodable one; nil removes the
    ///   value.
    public func set<Value>(_ value: Value?, of key: StoredKey<Value>) async throws(StoreError) {
        guard let value else { return try await set(nil, for: key.name) }
        try await set(try key.framed(value), for: key.name)
    }
}
