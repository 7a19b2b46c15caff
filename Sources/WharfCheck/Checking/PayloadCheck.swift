public import Foundation
public import WharfJSON

/// Holds payloads against the type that reads them in production: with a team's own executable where the types have dependencies, else
/// by `wharf check`.
///
/// ```swift
/// @main enum FeedCheck {
///     static func main() async {
///         await PayloadCheck(Feed.self, decoder: .production).main()
///     }
/// }
/// ```
public struct PayloadCheck<Value> {
    /// What reports call the type.
    public var typeName: String
    let check: (JSONBytes, CheckOptions) -> CheckedDocument
    /// Why the decoder of production can't be taken for these checks.
    let obstacle: String?

    /// - Parameters:
    ///   - decoder: as production configures it.
    ///   - rules: what must hold besides.
    @_disfavoredOverload public init(
        _ type: Value.Type, decoder: CodableJSONDecoder = CodableJSONDecoder(), rules: [Rule<Value>] = []
    ) where Value: Decodable {
        let memory = CodableMemory()
        self.init(type, nil) { bytes, options in
            CodableCheck(type: type, decoder: decoder, rules: rules, options: options, memory: memory).check(bytes)
        }
    }

    /// With the settings of a decoder of Foundation's. JSON5 and a top level without braces are not supported.
    public init(_ type: Value.Type, decoder: JSONDecoder, rules: [Rule<Value>] = []) where Value: Decodable {
        let (settings, obstacle) = CodableJSONDecoder.settings(of: decoder)
        let memory = CodableMemory()
        self.init(type, obstacle) { bytes, options in
            CodableCheck(type: type, decoder: settings, rules: rules, options: options, memory: memory).check(bytes)
        }
    }

    /// For a type that reads itself from JSON directly.
    public init(
        _ type: Value.Type, options reading: JSONReadingOptions = JSONReadingOptions(), rules: [Rule<Value>] = []
    ) where Value: JSONDecodable {
        self.init(type, nil) { bytes, options in
            DirectCheck(type: type, reading: reading, rules: rules, options: options).check(bytes)
        }
    }

    private init(
        _ type: Value.Type, _ obstacle: String?,
        _ check: @escaping (JSONBytes, CheckOptions) -> CheckedDocument
    ) {
        typeName = "\(type)"
        self.obstacle = obstacle
        self.check = check
    }

    /// Everything that is wrong with a document, in its order; empty where there is nothing.
    public func findings(in document: [UInt8], options: CheckOptions = CheckOptions()) -> [Finding] {
        check(JSONBytes(document), options).findings
    }
}

extension CodableJSONDecoder {
    /// The settings of a decoder of Foundation's, and which of them has no meaning here.
    static func settings(of decoder: JSONDecoder) -> (CodableJSONDecoder, obstacle: String?) {
        var settings = CodableJSONDecoder()
        switch decoder.keyDecodingStrategy {
        case .useDefaultKeys: settings.keyDecodingStrategy = .useDefaultKeys
        case .convertFromSnakeCase: settings.keyDecodingStrategy = .convertFromSnakeCase
        case .custom(let convert): settings.keyDecodingStrategy = .custom(convert)
        @unknown default: return (settings, "a keyDecodingStrategy that is not known here")
        }
        switch decoder.dateDecodingStrategy {
        case .deferredToDate: settings.dateDecodingStrategy = .deferredToDate
        case .secondsSince1970: settings.dateDecodingStrategy = .secondsSince1970
        case .millisecondsSince1970: settings.dateDecodingStrategy = .millisecondsSince1970
        case .iso8601: settings.dateDecodingStrategy = .iso8601
        #if canImport(Darwin)
        // Elsewhere Foundation makes a custom one of it.
        case .formatted(let formatter): settings.dateDecodingStrategy = .formatted(formatter)
        #endif
        case .custom(let read): settings.dateDecodingStrategy = .custom(read)
        @unknown default: return (settings, "a dateDecodingStrategy that is not known here")
        }
        switch decoder.dataDecodingStrategy {
        case .deferredToData: settings.dataDecodingStrategy = .deferredToData
        case .base64: settings.dataDecodingStrategy = .base64
        case .custom(let read): settings.dataDecodingStrategy = .custom(read)
        @unknown default: return (settings, "a dataDecodingStrategy that is not known here")
        }
        switch decoder.nonConformingFloatDecodingStrategy {
        case .throw: settings.nonConformingFloatDecodingStrategy = .throw
        case .convertFromString(let positive, let negative, let nan):
            settings.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        @unknown default: return (settings, "a nonConformingFloatDecodingStrategy that is not known here")
        }
        settings.userInfo = decoder.userInfo
        if decoder.allowsJSON5 { return (settings, "allowsJSON5") }
        if decoder.assumesTopLevelDictionary { return (settings, "assumesTopLevelDictionary") }
        return (settings, nil)
    }
}
