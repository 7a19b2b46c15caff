package import Foundation
package import WharfJSON

/// A URL is coded as a string.
///
/// `URL`'s own `encode(to:)` would write an object.
extension URL: CodableRouted, CodableEncodingRouted {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        CodableRouteOf<URL> { decoder in
            try decoder.requireValue(URL.self)
            guard let url = URL(string: try decoder.decode(String.self)) else {
                throw decoder.corrupted("Invalid URL string.", expected: "a URL")
            }
            return url
        }
    }

    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<URL> { $1.encode($0.absoluteString) }
    }
}

/// A decimal is coded as a number with all its digits.
///
/// `Decimal`'s own `encode(to:)` would write an object.
extension Decimal: CodableRouted, CodableEncodingRouted {
    package static func route(in decoder: CodableJSONDecoder) -> CodableRoute? {
        CodableRouteOf<Decimal> { decoder in
            try decoder.requireValue(Decimal.self)
            guard let text = decoder.numberText, let number = Decimal(string: text), number.isFinite else {
                throw decoder.mismatch(Decimal.self)
            }
            return number
        }
    }

    package static func encodingRoute(in encoder: CodableJSONEncoder) -> CodableEncodingRoute? {
        CodableEncodingRouteOf<Decimal> { number, encoder in
            guard number.isFinite else { throw encoder.notEncodable(number, "Unable to encode Decimal.nan in JSON.") }
            encoder.encode(json: Array(number.description.utf8))
        }
    }
}
