import Testing
import WharfJSON

/// The ways to read one document, each of which has to answer the same about its grammar.
enum Way: CaseIterable {
    /// Into a tree.
    case tree
    /// Passed over.
    case skipped
    /// As the value of a key that no type asked for, in an object that a type asked for.
    case beside
    /// By a type that expects something else, so that it is passed over while an error is noted.
    case mistaken
    /// By the coder that does as Foundation's.
    case dropIn

    /// The breach of the grammar, if there is one; its place as in the document.
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

    /// An object without a key of its own.
    private struct Nothing: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Nothing? {
            guard var fields = json.beginObject() else { return nil }
            repeat {} while json.next(&fields)
            return Nothing()
        }
    }

    /// Reads nothing: the document is checked all the same.
    private struct Unread: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// Expects what is never there.
    private enum Never: JSONDecodable {
        static func decode(from json: inout JSONReader) -> Never? { json.mismatch(expected: "something else") }
    }
}

/// A document by text, or by bytes where it is none.
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

/// `"` around bytes.
func quoted(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }
