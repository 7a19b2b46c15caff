public import WharfCore
internal import WharfPrimitives

/// A form of several parts (RFC 7578): values, bytes, and files, which are read while they are
/// sent.
///
/// ```swift
/// var form = MultipartForm()
/// form.append("title", "Metropolis")
/// try form.append("poster", file: "/photos/poster.jpg", contentType: "image/jpeg")
/// let film: Film = try await client.fetch(.post("films", multipart: form)).value
/// ```
///
/// In names and file names CR, LF and `"` are percent-encoded, as browsers do (HTML,
/// "multipart/form-data encoding algorithm") and RFC 7578 §2 allows; other characters go in UTF-8.
/// Values go as they are. Parts keep their order, and a name may come several times. To send a form
/// by another method than POST, make a request with its ``body`` and ``contentType``.
public struct MultipartForm: Sendable {
    /// What stands between the parts: 128 random bits, so that no part holds it by chance.
    public let boundary: String
    private var segments: [BodySegment] = []
    private var length: Int64

    /// - Parameter random: makes the boundary. One that repeats itself could put it into a part, so
    ///   this is for tests alone.
    package init(using random: inout some RandomNumberGenerator) {
        let digits = (0..<2).map { _ in
            Hexadecimal.text(UInt64.random(in: 0...UInt64.max, using: &random))
        }
        boundary = "wharf-" + digits.joined()
        length = Int64(boundary.utf8.count) + 6
    }

    public init() {
        var random = SystemRandomNumberGenerator()
        self.init(using: &random)
    }

    /// A field with a value, as from a text field.
    public mutating func append(_ name: String, _ value: String) {
        add(head(name, nil, nil), .bytes(Array(value.utf8)), Int64(value.utf8.count))
    }

    /// Bytes as the content of a file.
    ///
    /// - Parameter filename: how the file is called for the server.
    /// - Throws: ``ReadFailure/Code/invalidRequest`` for a content type that a field can't hold.
    public mutating func append(
        _ name: String, bytes: [UInt8], filename: String, contentType: String = "application/octet-stream"
    ) throws(ReadFailure) {
        add(head(name, filename, try checked(contentType)), .bytes(bytes), Int64(bytes.count))
    }

    /// A file of the disk. Its length is taken now, and sending fails if the file has another by
    /// then.
    ///
    /// - Parameter filename: nil for the last part of `path`.
    /// - Throws: ``ReadFailure/Code/fileUnreadable`` when there is no regular file that can be
    ///   read; ``ReadFailure/Code/invalidRequest`` for a content type that a field can't hold.
    public mutating func append(
        _ name: String, file path: String, filename: String? = nil, contentType: String = "application/octet-stream"
    ) throws(ReadFailure) {
        let contentType = try checked(contentType)
        let length: Int64
        do { length = try OpenFile(path).length } catch { throw ReadFailure(error) }
        let filename = filename ?? path.split(separator: "/").last.map(String.init) ?? path
        add(head(name, filename, contentType), .file(path, length), length)
    }

    /// With the boundary, for the field `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// As it is sent; its length is exact. Files are opened again for each try.
    public var body: RequestBody {
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

    /// Either line end would end the field, and a quote the string: the rest would be read as
    /// another part.
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
