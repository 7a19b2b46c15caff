public import WharfCore
internal import WharfPrimitives

/// A form of several parts (RFC 7578): values, bytes and files.
///
/// Files are read while the form is sent.
///
/// ```swift
/// var form = MultipartForm()
/// form.append("title", "Metropolis")
/// try form.append("poster", file: "/photos/poster.jpg", contentType: "image/jpeg")
/// let film: Film = try await client.fetch(.post("films", multipart: form)).value
/// ```
///
/// In names and file names CR, LF and `"` are percent-encoded. Browsers do so (HTML,
/// "multipart/form-data encoding algorithm"), and RFC 7578 §2 allows it. Other characters are sent
/// as UTF-8, and values are sent as they are. Parts keep their order, and a name may occur several
/// times. To send a form by another method than POST, make a request with its ``body`` and
/// ``contentType``.
public struct MultipartForm: Sendable {
    /// The separator of the parts.
    ///
    /// It has 128 random bits, so that no part contains it by chance.
    public let boundary: String
    private var segments: [BodySegment] = []
    private var length: Int64

    /// - Parameter random: makes the boundary. A predictable boundary could occur in a part, so use
    ///   this only in tests.
    package init(using random: inout some RandomNumberGenerator) {
        let digits = (0..<2).map { _ in
            Hexadecimal.text(UInt64.random(in: 0...UInt64.max, using: &random))
        }
        boundary = "wharf-" + digits.joined()
        length = Int64(boundary.utf8.count) + 6
    }

    /// Creates an empty form with a random boundary.
    public init() {
        var random = SystemRandomNumberGenerator()
        self.init(using: &random)
    }

    /// Appends a field with a value, as from a text field.
    public mutating func append(_ name: String, _ value: String) {
        add(head(name, nil, nil), .bytes(Array(value.utf8)), Int64(value.utf8.count))
    }

    /// Appends bytes as the content of a file.
    ///
    /// - Parameter filename: the file's name for the server.
    /// - Throws: ``ReadFailure/Code/invalidRequest`` for a content type that a field can't hold.
    public mutating func append(
        _ name: String, bytes: [UInt8], filename: String, contentType: String = "application/octet-stream"
    ) throws(ReadFailure) {
        add(head(name, filename, try checked(contentType)), .bytes(bytes), Int64(bytes.count))
    }

    /// Appends a file from disk, which is read while the form is sent.
    ///
    /// Its length is read now. Sending fails if the file has another length by then.
    ///
    /// - Parameter filename: nil for the last component of `path`.
    /// - Throws: ``ReadFailure/Code/fileUnreadable`` if there is no readable regular file;
    ///   ``ReadFailure/Code/invalidRequest`` for a content type that a field can't hold.
    public mutating func append(
        _ name: String, file path: String, filename: String? = nil, contentType: String = "application/octet-stream"
    ) throws(ReadFailure) {
        let contentType = try checked(contentType)
        let length: Int64
        do { length = try OpenFile(path).length } catch { throw ReadFailure(error) }
        let filename = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        add(head(name, filename, contentType), .file(path, length), length)
    }

    /// The value of `Content-Type`, which has the boundary.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The encoded form, with its exact length. Files are opened again for each attempt.
    public var body: RequestBody {
        // The last boundary is added here, so that parts can still be appended.
        let all = segments + [.bytes(Array("--\(boundary)--\r\n".utf8))]
        let length = length
        return .stream({ BodyStream(SegmentedBody(all), expectedLength: length) }, length: length)
    }

    private mutating func add(_ head: [UInt8], _ content: BodySegment, _ count: Int64) {
        segments += [.bytes(head), content, .bytes([13, 10])]
        length += Int64(head.count) + count + 2
    }

    private func head(_ name: String, _ filename: String?, _ contentType: String?) -> [UInt8] {
        var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.escaped(name))\""
        if let filename { head += "; filename=\"\(Self.escaped(filename))\"" }
        if let contentType { head += "\r\nContent-Type: \(contentType)" }
        return Array((head + "\r\n\r\n").utf8)
    }

    /// Escapes a name. CR or LF would end the field and a quote would end the string: the rest
    /// would be read as another part.
    private static func escaped(_ text: String) -> String {
        PercentEncoding.encode(text, keeping: OctetSet("\r\n\"").complement)
    }

    private func checked(_ contentType: String) throws(ReadFailure) -> String {
        guard !contentType.isEmpty, HTTPField.isValidValue(contentType) else {
            throw ReadFailure(
                .invalidRequest, message: "expected a media type such as image/jpeg, found \"\(contentType)\"")
        }
        return contentType
    }
}
