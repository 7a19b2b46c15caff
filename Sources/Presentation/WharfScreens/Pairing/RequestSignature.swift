internal import WharfCore
internal import WharfPrimitives

/// The `Authorization` field of a request that a shared key authenticates.
struct RequestSignature: Equatable {
    static let scheme = "Wharf-HMAC-SHA256"

    var key: String
    /// A number that increases with each request under the key.
    var counter: UInt64
    var code: [UInt8]

    init(key: String, counter: UInt64, code: [UInt8]) {
        (self.key, self.counter, self.code) = (key, counter, code)
    }

    /// Parses the field. Returns nil for another scheme, and if a parameter is missing or repeated.
    init?(field: String) {
        let parts = field.split(separator: " ", maxSplits: 1)
        // The limit bounds the work for a hostile field.
        guard field.utf8.count <= 512, parts.count == 2, parts[0].lowercased() == Self.scheme.lowercased() else {
            return nil
        }
        var values: [String: String] = [:]
        for part in parts[1].split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            let name = String(pair[0].filter { $0 != " " })
            // Two readers of a repeated parameter could take different values for the signed one.
            guard values.updateValue(String(pair[1].filter { $0 != " " }), forKey: name) == nil else { return nil }
        }
        guard let key = values["key"], let counter = values["counter"].flatMap({ UInt64($0) }),
            let code = values["mac"].flatMap({ Hexadecimal.bytes(Array($0.utf8)) })
        else { return nil }
        self.init(key: key, counter: counter, code: code)
    }

    var field: String { "\(Self.scheme) key=\(key), counter=\(counter), mac=\(Hexadecimal.text(code))" }

    /// Returns the bytes that the code authenticates.
    ///
    /// - Parameter target: the path and the query as in the request line.
    static func message(_ method: HTTPRequest.Method, _ target: String, counter: UInt64, body: [UInt8]) -> [UInt8] {
        // Methods and targets contain no line end (RFC 9112, section 3), so different requests give
        // different texts.
        let digest = Hexadecimal.text(SHA256.digest(body))
        return Array("wharf-screen-request-1\n\(method.rawValue)\n\(target)\n\(counter)\n\(digest)".utf8)
    }
}
