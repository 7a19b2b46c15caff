import WharfCore
import WharfStorage

/// The bytes of a stored response that answer a request (RFC 9110 §14).
///
/// It is chosen when the variant is selected, so that the store reads no other bytes. The choice
/// stays if a 304 then changes the head: `If-Range` is about the stored version, and these are its
/// bytes.
enum StoredPart: Sendable, Hashable {
    /// The client gets the whole response.
    case whole
    /// The client gets a partial response (206) with these bytes (RFC 9110 §15.3.7).
    ///
    /// - Parameter from: the position of the first stored byte. It is 0 unless only a part is
    ///   stored.
    case bytes(Range<Int64>, of: Int64, from: Int64)
    /// The stored body does not have the range, and the client gets 416 (RFC 9110 §15.5.17).
    case none(of: Int64)

    /// Chooses the bytes.
    ///
    /// The client gets the whole response in these cases:
    /// - The request has no range, or the response has another status than 200.
    /// - `If-Range` names another version.
    /// - The body has a coding that the client does not accept by its name or `*`. A range of an
    ///   encoded body is one of the encoded bytes (RFC 9110 §14.2).
    init(for request: RequestFacts, _ facts: ResponseFacts, length: Int64) {
        // A part was selected because it has the range.
        if let stored = facts.contentRange, let bytes = request.range?.bytes(of: stored.length) {
            self = .bytes(bytes, of: stored.length, from: stored.bytes.lowerBound)
            return
        }
        guard let range = request.range, facts.head.response.status.code == 200,
            request.ifRange.map(facts.validators.isExactly) ?? true,
            // A reader without Accept-Encoding has the decoded bytes before this range. The encoded
            // ones would not continue them. A server may ignore Range (RFC 9110 §14.2).
            request.continues(facts.head.response.headerFields[.contentEncoding])
        else {
            self = .whole
            return
        }
        self = range.bytes(of: length).map { .bytes($0, of: length, from: 0) } ?? .none(of: length)
    }

    /// The positions to ask the store for; nil for all.
    var positions: ClosedRange<Int64>? {
        switch self {
        case .whole: nil
        case .bytes(let bytes, _, let start): bytes.lowerBound - start...bytes.upperBound - start - 1
        // The position after the end: no byte is read.
        case .none(let length): length...length
        }
    }

    /// Returns the head of the answer.
    func head(of response: HTTPResponse) -> HTTPResponse {
        var head = response
        switch self {
        case .whole: break
        case .bytes(let bytes, let length, _):
            head.status = .partialContent
            head.headerFields[.contentRange] = ContentRange(bytes, of: length).fieldValue
            head.headerFields[.contentLength] = String(bytes.count)
        case .none(let length):
            head.status = .rangeNotSatisfiable
            head.headerFields[.contentRange] = "bytes */\(length)"
            head.headerFields[.contentLength] = "0"
        }
        return head
    }
}
