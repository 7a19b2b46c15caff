internal import WharfCore
internal import WharfStorage

/// The encoding of a stored head, with checksums.
///
/// The bytes end in a checksum that also covers the key of the entry. They contain the body's
/// length and checksum, so no body can pass under another head or key.
///
/// The layout, version 1: version, body length, body checksum, request time, response time, status,
/// reason, fields, varying, checksum. HPACK's indexing hints of fields belong to one connection,
/// and are not kept.
struct HeadCoding {
    private static let version: UInt8 = 1
    private static let maximumFieldCount = 60_000

    var head: StoredHead
    var bodyLength: Int64
    var bodyChecksum: UInt64

    /// - Parameter seed: the checksum of the key.
    func encoded(seed: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: 512)
        // The order of these lines is the format. `decode` must read in the same order.
        writer.put(Self.version)
        writer.put(UInt64(bitPattern: bodyLength))
        writer.put(bodyChecksum)
        writer.put(UInt64(bitPattern: head.requestedAt.nanoseconds))
        writer.put(UInt64(bitPattern: head.respondedAt.nanoseconds))
        writer.put(count: head.response.status.code)
        writer.put(counted: head.response.status.reasonPhrase.utf8)
        Self.put(head.response.headerFields, &writer)
        Self.put(head.varying, &writer)
        // The seed is the key's checksum. A row that damage moves under another key fails the
        // check.
        writer.put(XXH64.hash(writer.bytes, seed: seed))
        return writer.bytes
    }

    /// Returns nil if the bytes are damaged, or were stored under another key.
    static func decode(_ bytes: UnsafeRawBufferPointer, seed: UInt64) -> HeadCoding? {
        guard bytes.count > 8 else { return nil }
        let content = UnsafeRawBufferPointer(rebasing: bytes.dropLast(8))
        var tail = ByteReader(UnsafeRawBufferPointer(rebasing: bytes.suffix(8)))
        // The checksum is verified before any byte is interpreted.
        guard tail.word() == XXH64.hash(content, seed: seed) else { return nil }
        var reader = ByteReader(content)
        guard reader.byte() == version,
            // No file is longer. A larger number would overflow in the sums of offsets.
            let bodyLength = reader.word(), bodyLength <= UInt64(Int64.max) / 2, let bodyChecksum = reader.word(),
            let requestedAt = reader.word(), let respondedAt = reader.word(),
            let status = reader.count(), (0...999).contains(status), let reason = reader.text(),
            // Bytes left over mean a layout that this version does not know.
            let fields = Self.fields(&reader), let varying = Self.fields(&reader), reader.isAtEnd
        else { return nil }
        let head = StoredHead(
            response: HTTPResponse(status: .init(code: status, reasonPhrase: reason), headerFields: fields),
            varying: varying,
            requestedAt: WallTime(nanoseconds: Int64(bitPattern: requestedAt)),
            respondedAt: WallTime(nanoseconds: Int64(bitPattern: respondedAt))
        )
        return HeadCoding(head: head, bodyLength: Int64(bitPattern: bodyLength), bodyChecksum: bodyChecksum)
    }

    /// Encodes the fields that distinguish a variant.
    ///
    /// Equal fields give the same bytes, regardless of the case of names and of interleaving.
    static func canonical(_ varying: HTTPFields) -> [UInt8] {
        var writer = ByteWriter(capacity: 64)
        // Values of one name keep their order, because the order of a list is part of its meaning
        // (RFC 9110 §5.3). Names are sorted, because their order has none.
        let sorted = varying.enumerated().sorted {
            ($0.element.name.canonicalName, $0.offset) < ($1.element.name.canonicalName, $1.offset)
        }
        for (_, field) in sorted {
            writer.put(counted: field.name.canonicalName.utf8)
            field.withUnsafeBytesOfValue { writer.put(counted: $0) }
        }
        return writer.bytes
    }

    private static func put(_ fields: HTTPFields, _ writer: inout ByteWriter) {
        writer.put(count: fields.count)
        for field in fields {
            writer.put(counted: field.name.rawName.utf8)
            field.withUnsafeBytesOfValue { writer.put(counted: $0) }
        }
    }

    private static func fields(_ reader: inout ByteReader) -> HTTPFields? {
        // The count bounds the reservation below.
        guard let count = reader.count(), count <= maximumFieldCount else { return nil }
        var fields = HTTPFields()
        fields.reserveCapacity(count)
        for _ in 0..<count {
            guard let name = reader.text().flatMap({ HTTPField.Name($0) }), let value = reader.counted() else {
                return nil
            }
            fields.append(HTTPField(name: name, lenientValue: value))
        }
        return fields
    }
}
