internal import WharfCore

/// A list as it lies in a store: the ids of its entities in their order, under the name of its
/// query. A page of one has before them where the next page is.
enum ListRow {
    static let schema = 1
    static let pageSchema = 2

    /// A kind of its own, so that queries over the entities don't see it.
    static func kind(of name: String) -> String { name + "/list" }

    static func bytes(_ ids: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for id in ids {
            withUnsafeBytes(of: UInt32(id.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: id.utf8)
        }
        return bytes
    }

    /// nil where the row is of another schema or cut off.
    static func ids(_ row: EntityRow) -> [String]? {
        switch row.schema {
        case schema: texts(row.bytes)
        case pageSchema: texts(row.bytes).map { Array($0.dropFirst()) }
        default: nil
        }
    }

    static func bytes(_ ids: [String], next: PageToken?) -> [UInt8] { bytes([next?.text ?? ""] + ids) }

    /// nil where the row is no page or cut off, or its token can't be read.
    static func page(_ row: EntityRow) -> (ids: [String], next: PageToken?)? {
        guard row.schema == pageSchema, let texts = texts(row.bytes), let first = texts.first else { return nil }
        let ids = Array(texts.dropFirst())
        if first.isEmpty { return (ids, nil) }
        guard let next = PageToken(text: first) else { return nil }
        return (ids, next)
    }

    /// The texts that ``bytes(_:)`` was given; nil if the bytes are cut off.
    static func texts(_ bytes: [UInt8]) -> [String]? {
        var ids: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            guard rest.count >= count, let id = String(validating: rest.prefix(count), as: UTF8.self) else {
                return nil
            }
            ids.append(id)
            rest = rest.dropFirst(count)
        }
        return ids
    }
}
