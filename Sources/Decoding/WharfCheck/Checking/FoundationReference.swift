import Foundation
import WharfJSON

/// Foundation's decoder as production configures it.
struct FoundationReference: Sendable {
    let decoder: JSONDecoder
    /// Whether `CodableJSONDecoder` gives the same result for every document that is JSON.
    let isPlain: Bool

    init(_ decoder: JSONDecoder) {
        self.decoder = decoder
        // A subclass may override any method.
        let isItself = type(of: decoder) == JSONDecoder.self
        isPlain = isItself && !decoder.allowsJSON5 && !decoder.assumesTopLevelDictionary
    }

    /// The decoder's settings as a `CodableJSONDecoder`.
    ///
    /// Settings without a counterpart matter only if the two decoders disagree.
    var settings: CodableJSONDecoder {
        var settings = CodableJSONDecoder()
        switch decoder.keyDecodingStrategy {
        case .convertFromSnakeCase: settings.keyDecodingStrategy = .convertFromSnakeCase
        case .custom(let convert): settings.keyDecodingStrategy = .custom(convert)
        default: break
        }
        switch decoder.dateDecodingStrategy {
        case .secondsSince1970: settings.dateDecodingStrategy = .secondsSince1970
        case .millisecondsSince1970: settings.dateDecodingStrategy = .millisecondsSince1970
        case .iso8601: settings.dateDecodingStrategy = .iso8601
        #if canImport(Darwin)
        // On other systems Foundation turns `formatted` into `custom`.
        case .formatted(let formatter): settings.dateDecodingStrategy = .formatted(formatter)
        #endif
        case .custom(let read): settings.dateDecodingStrategy = .custom(read)
        default: break
        }
        switch decoder.dataDecodingStrategy {
        case .deferredToData: settings.dataDecodingStrategy = .deferredToData
        case .custom(let read): settings.dataDecodingStrategy = .custom(read)
        default: settings.dataDecodingStrategy = .base64
        }
        if case .convertFromString(let positive, let negative, let nan) = decoder.nonConformingFloatDecodingStrategy {
            settings.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: positive, negativeInfinity: negative, nan: nan)
        }
        settings.userInfo = decoder.userInfo
        return settings
    }
}
