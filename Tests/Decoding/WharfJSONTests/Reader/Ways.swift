import Testing
import WharfJSON

/// The ways to read one document. All must agree on whether its syntax is valid.
enum Way: CaseIterable {
    /// Decodes a tree.
    case tree
    /// Skips the value.
    case skipped
    /// Decodes an object whose type does not request the value's key.
    case beside
    /// Decodes a type that expects another value, so that the value is skipped and an error
    /// reported.
    case mistaken
    /// Decodes with `CodableJSONDecoder`.
    case dropIn

    /// The syntax error, if there is one, with its offset in the document.
    func breach(_ document: [UInt8], options: JSONReadingOptions = .init()) -> JSONIssue? {
        switch self {
        case .tree: return failure(JSONValue.self, document, options: options).first
        case .skipped:
            var reader = JSONReader(JSONBytes(document), options: options)
            reader.skipValue()
            return Self.error(reader)?.issues.first
        case .beside:
            var deeper = options
            deeper.maximumDepth += 1
            let envelope = Array(#"{"unknown":"#.utf8) + document + Array("}".utf8)
            return failure(Nothing.self, envelope, options: deeper).first
        case .mistaken:
            return failure(Never.self, document, options: options).first { $0.code != .typeMismatch }
        case .dropIn: return Self.dropIn(document, options)
        }
    }

    private static func dropIn(_ document: [UInt8], _ options: JSONReadingOptions) -> JSONIssue? {
        var decoder = CodableJSONDecoder()
        decoder.maximumDepth = options.maximumDepth
        do {
            _ = try decoder.decode(Unread.self, from: document)
            return nil
        } catch DecodingError.dataCorrupted(let context) {
            if let issue = (context.underlyingError as? JSONError)?.issues.first { return issue }
            Issue.record("no place: \(context)")
        } catch {
            Issue.record("another error: \(error)")
        }
        return nil
    }

    private static func error(_ reader: consuming JSONReader) -> JSONError? {
        do throws(JSONError) {
            try reader.finish()
            return nil
        } catch {
            return error
        }
    }

    /// Decodes an object without any key of its own.
    private struct Nothing: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Nothing? {
            guard var fields = json.beginObject() else { return nil }
            repeat {} while json.next(&fields)
            return Nothing()
        }
    }

    /// Reads nothing, but the decoder still checks the document.
    private struct Unread: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// Expects a value that is never there.
    private enum Never: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Never? { json.mismatch(expected: "something else") }
    }
}

/// A document made from text, or from bytes if it is no text.
struct Document: CustomTestStringConvertible, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
    init(_ text: String) { bytes = Array(text.utf8) }

    var testDescription: String {
        bytes.count > 60 ? "\(bytes.count) bytes" : String(decoding: bytes, as: UTF8.self).debugDescription
    }
}

extension Document: ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    init(stringLiteral value: String) { self.init(value) }
    init(arrayLiteral elements: UInt8...) { self.init(elements) }
}

/// Puts bytes between quotes.
func quoted(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }
