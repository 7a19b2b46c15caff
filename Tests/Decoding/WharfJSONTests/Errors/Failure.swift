import Testing
import WharfJSON

/// The errors of decoding a document, or none if it can be decoded.
func failure<Value: JSONDecodable>(
    _ type: Value.Type, _ bytes: [UInt8], options: JSONReadingOptions = .init()
) -> [JSONIssue] {
    do throws(JSONError) {
        _ = try JSON.decode(type, from: bytes, options: options)
        return []
    } catch {
        return error.issues
    }
}

func failure<Value: JSONDecodable>(
    _ type: Value.Type, _ text: String, options: JSONReadingOptions = .init()
) -> [JSONIssue] {
    failure(type, Array(text.utf8), options: options)
}

func text(_ value: some JSONEncodable) throws -> String {
    String(decoding: try JSON.encode(value), as: UTF8.self)
}
