public import Foundation
public import WharfJSON

extension CodableJSONDecoder {
    /// The formats in which `Data` is read.
    ///
    /// They are those of Foundation's `JSONDecoder.DataDecodingStrategy`.
    public enum DataDecodingStrategy: Sendable {
        /// The format of `Data`'s own `init(from:)`: an array of bytes.
        case deferredToData
        /// A string in base64.
        case base64
        /// A closure of your own.
        case custom(@Sendable (_ decoder: any Decoder) throws -> Data)
    }

    /// The format in which `Data` is read; ``DataDecodingStrategy/base64`` by default.
    public var dataDecodingStrategy: DataDecodingStrategy {
        get { settings[DataDecodingStrategy.self] ?? .base64 }
        set { settings[DataDecodingStrategy.self] = newValue }
    }

    /// Returns the value decoded from a document.
    ///
    /// - Throws: a `DecodingError`, or an error that a type's own `init(from:)` throws.
    public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try decode(type, from: data.withUnsafeBytes { JSONBytes(copying: $0) })
    }
}

extension Data: CodableRouted {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        let strategy = decoder.dataDecodingStrategy
        return CodableRouteOf<Data> { decoder in
            try decoder.requireValue(Data.self)
            switch strategy {
            case .deferredToData: return try Data(from: decoder)
            case .base64:
                guard let data = Data(base64Encoded: try decoder.decode(String.self)) else {
                    throw decoder.corrupted("Encountered Data is not valid Base64.", expected: "data in Base64")
                }
                return data
            case .custom(let read): return try read(decoder)
            }
        }
    }
}

extension CodableJSONEncoder {
    /// The formats in which `Data` is written.
    ///
    /// They are those of Foundation's `JSONEncoder.DataEncodingStrategy`.
    public enum DataEncodingStrategy: Sendable {
        /// The format of `Data`'s own `encode(to:)`: an array of bytes.
        case deferredToData
        /// A string in base64.
        case base64
        /// A closure of your own. If it encodes nothing, the result is an empty object.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The format in which `Data` is written; ``DataEncodingStrategy/base64`` by default.
    public var dataEncodingStrategy: DataEncodingStrategy {
        get { settings[DataEncodingStrategy.self] ?? .base64 }
        set { settings[DataEncodingStrategy.self] = newValue }
    }

    /// Returns the value as a JSON document.
    ///
    /// - Throws: an `EncodingError`, or an error that a type's own `encode(to:)` throws.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        let bytes: [UInt8] = try encode(value)
        return Data(bytes)
    }
}

extension Data: CodableEncodingRouted {
    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        let strategy = encoder.dataEncodingStrategy
        return CodableEncodingRouteOf<Data> { data, encoder in
            switch strategy {
            case .deferredToData: try data.encode(to: encoder)
            case .base64: encoder.encode(data.base64EncodedString())
            case .custom(let write): try write(data, encoder)
            }
        }
    }
}
