internal import WharfJSON

/// The messages of `POST /pairing`. Nonces and proofs are hexadecimal.
enum PairingMessage {
    struct Request: Hashable {
        /// 128 random bits from the controller.
        var nonce: String
        var proof: String
    }

    struct Answer: Hashable {
        var key: String
        /// 128 random bits from the screen.
        var nonce: String
        /// The lifetime of the key.
        var seconds: Int
        var proof: String
    }

    /// Returns whether a text is a nonce: 32 lower-case hexadecimal digits.
    ///
    /// Each nonce has only this spelling.
    static func isNonce(_ text: String) -> Bool {
        text.utf8.count == 32
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}

extension PairingMessage.Request: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var nonce: String?, proof: String?
        repeat {
            json.read("nonce", 0, into: &nonce, &fields)
            json.read("proof", 1, into: &proof, &fields)
        } while json.next(&fields)
        guard let nonce, let proof else { return json.incomplete(fields, required: [(0, "nonce"), (1, "proof")]) }
        return Self(nonce: nonce, proof: proof)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("nonce", nonce)
        json.field("proof", proof)
        json.endObject()
    }
}

extension PairingMessage.Answer: JSONDecodable, JSONEncodable {
    static func decode(from json: inout JSONReader) -> Self? {
        guard var fields = json.beginObject() else { return nil }
        var key: String?, nonce: String?, seconds: Int?, proof: String?
        repeat {
            json.read("key", 0, into: &key, &fields)
            json.read("nonce", 1, into: &nonce, &fields)
            json.read("seconds", 2, into: &seconds, &fields)
            json.read("proof", 3, into: &proof, &fields)
        } while json.next(&fields)
        guard let key, let nonce, let seconds, let proof else {
            return json.incomplete(fields, required: [(0, "key"), (1, "nonce"), (2, "seconds"), (3, "proof")])
        }
        return Self(key: key, nonce: nonce, seconds: seconds, proof: proof)
    }

    func encode(into json: inout JSONWriter) {
        json.beginObject()
        json.field("key", key)
        json.field("nonce", nonce)
        json.field("seconds", seconds)
        json.field("proof", proof)
        json.endObject()
    }
}
