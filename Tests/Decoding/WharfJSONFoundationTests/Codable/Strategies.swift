import Foundation
import WharfJSON
import WharfJSONFoundation

/// One setting of all strategies, for both libraries.
struct Strategies: Sendable {
    let name: String
    var foundationDecoder: @Sendable (JSONDecoder) -> Void = { _ in }
    var decoder: @Sendable (inout CodableJSONDecoder) -> Void = { _ in }
    var foundationEncoder: @Sendable (JSONEncoder) -> Void = { _ in }
    var encoder: @Sendable (inout CodableJSONEncoder) -> Void = { _ in }

    static let userInfoKey = CodingUserInfoKey(rawValue: "factor")

    func makeFoundationDecoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        if let key = Self.userInfoKey { decoder.userInfo[key] = 3 }
        foundationDecoder(decoder)
        return decoder
    }

    func makeDecoder() -> CodableJSONDecoder {
        var made = CodableJSONDecoder()
        if let key = Self.userInfoKey { made.userInfo[key] = 3 }
        decoder(&made)
        return made
    }

    func makeFoundationEncoder(_ formatting: CodableJSONEncoder.OutputFormatting) -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = JSONEncoder.OutputFormatting(rawValue: formatting.rawValue)
        foundationEncoder(encoder)
        return encoder
    }

    func makeEncoder(_ formatting: CodableJSONEncoder.OutputFormatting) -> CodableJSONEncoder {
        var made = CodableJSONEncoder()
        made.outputFormatting = formatting
        encoder(&made)
        return made
    }
}

extension Strategies {
    static let defaults = Strategies(name: "defaults")

    static let snakeCase = Strategies(
        name: "snake case",
        foundationDecoder: { $0.keyDecodingStrategy = .convertFromSnakeCase },
        decoder: { $0.keyDecodingStrategy = .convertFromSnakeCase },
        foundationEncoder: { $0.keyEncodingStrategy = .convertToSnakeCase },
        encoder: { $0.keyEncodingStrategy = .convertToSnakeCase })

    static let customKeys = Strategies(
        name: "custom keys",
        foundationDecoder: { $0.keyDecodingStrategy = .custom(Self.shorten) },
        decoder: { $0.keyDecodingStrategy = .custom(Self.shorten) },
        foundationEncoder: { $0.keyEncodingStrategy = .custom(Self.lengthen) },
        encoder: { $0.keyEncodingStrategy = .custom(Self.lengthen) })

    @Sendable private static func lengthen(_ path: [any CodingKey]) -> any CodingKey {
        TextKey("x\(path.count)." + (path.last?.stringValue ?? ""))
    }

    @Sendable private static func shorten(_ path: [any CodingKey]) -> any CodingKey {
        let prefix = "x\(path.count)."
        let key = path.last?.stringValue ?? ""
        return TextKey(key.hasPrefix(prefix) ? String(key.dropFirst(prefix.count)) : key)
    }

    static let textFloats = Strategies(
        name: "floats as texts",
        foundationDecoder: {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "?")
        },
        decoder: {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "?")
        },
        foundationEncoder: {
            $0.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "?")
        },
        encoder: {
            $0.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+∞", negativeInfinity: "-∞", nan: "?")
        })

    static let seconds = Strategies(
        name: "seconds, bytes",
        foundationDecoder: {
            $0.dateDecodingStrategy = .secondsSince1970
            $0.dataDecodingStrategy = .deferredToData
        },
        decoder: {
            $0.dateDecodingStrategy = .secondsSince1970
            $0.dataDecodingStrategy = .deferredToData
        },
        foundationEncoder: {
            $0.dateEncodingStrategy = .secondsSince1970
            $0.dataEncodingStrategy = .deferredToData
        },
        encoder: {
            $0.dateEncodingStrategy = .secondsSince1970
            $0.dataEncodingStrategy = .deferredToData
        })

    static let milliseconds = Strategies(
        name: "milliseconds",
        foundationDecoder: { $0.dateDecodingStrategy = .millisecondsSince1970 },
        decoder: { $0.dateDecodingStrategy = .millisecondsSince1970 },
        foundationEncoder: { $0.dateEncodingStrategy = .millisecondsSince1970 },
        encoder: { $0.dateEncodingStrategy = .millisecondsSince1970 })

    static let iso8601 = Strategies(
        name: "ISO 8601",
        foundationDecoder: { $0.dateDecodingStrategy = .iso8601 },
        decoder: { $0.dateDecodingStrategy = .iso8601 },
        foundationEncoder: { $0.dateEncodingStrategy = .iso8601 },
        encoder: { $0.dateEncodingStrategy = .iso8601 })

    static let formatted = Strategies(
        name: "formatted",
        foundationDecoder: { $0.dateDecodingStrategy = .formatted(Self.formatter) },
        decoder: { $0.dateDecodingStrategy = .formatted(Self.formatter) },
        foundationEncoder: { $0.dateEncodingStrategy = .formatted(Self.formatter) },
        encoder: { $0.dateEncodingStrategy = .formatted(Self.formatter) })

    private static let formatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy/MM/dd HH:mm:ss"
        return formatter
    }()

    static let customValues = Strategies(
        name: "custom dates and data",
        foundationDecoder: {
            $0.dateDecodingStrategy = .custom(Self.readDate)
            $0.dataDecodingStrategy = .custom(Self.readData)
        },
        decoder: {
            $0.dateDecodingStrategy = .custom(Self.readDate)
            $0.dataDecodingStrategy = .custom(Self.readData)
        },
        foundationEncoder: {
            $0.dateEncodingStrategy = .custom(Self.write)
            $0.dataEncodingStrategy = .custom(Self.write)
        },
        encoder: {
            $0.dateEncodingStrategy = .custom(Self.write)
            $0.dataEncodingStrategy = .custom(Self.write)
        })

    @Sendable private static func readDate(_ decoder: any Decoder) throws -> Date {
        var container = try decoder.unkeyedContainer()
        return Date(timeIntervalSinceReferenceDate: try container.decode(Double.self))
    }

    @Sendable private static func readData(_ decoder: any Decoder) throws -> Data {
        guard let data = "\(try decoder.singleValueContainer().decode(String.self))".data(using: .utf8) else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: ""))
        }
        return data
    }

    @Sendable private static func write(_ date: Date, _ encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(date.timeIntervalSinceReferenceDate)
    }

    /// Writes nothing for empty data.
    @Sendable private static func write(_ data: Data, _ encoder: any Encoder) throws {
        if data.isEmpty { return }
        var container = encoder.singleValueContainer()
        try container.encode(String(decoding: data, as: UTF8.self))
    }

    static let keys = [defaults, snakeCase, customKeys]
    static let dates = [defaults, seconds, milliseconds, iso8601, formatted, customValues]
}

struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(_ text: String) { stringValue = text }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
}
