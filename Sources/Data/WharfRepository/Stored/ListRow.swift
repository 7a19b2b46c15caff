internal import WharfCore

/// The row of a list: the ids of its entities in order, under the name of its query.
///
/// The row of a page has the token of the next page before the ids.
enum ListRow {
    static let schema = 1
    static let pageSchema = 2

    /// Returns the kind of list rows, so that queries over the entities skip them.
    static func kind(of name: String) -> String { name + "/list" }

    static func bytes(_ ids: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for id in ids {
            // A length before each text, so that ids may have any character.
            withUnsafeBytes(of: UInt32(id.utf8.count).littleEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: id.utf8)
        }
        return bytes
    }

    /// Returns the ids of a row; nil if it has another schema or is cut off.
    static func ids(_ row: EntityRow) -> [String]? {
        switch row.schema {
        case schema: texts(row.bytes)
        case pageSchema: texts(row.bytes).map { Array($0.dropFirst()) }
        default: nil
        }
    }

    static func bytes(_ ids: [String], next: PageToken?) -> [UInt8] { bytes([next?.text ?? ""] + ids) }

    /// Returns the ids and the next token of a page.
    ///
    /// nil if the row is no page or is cut off, or if its token can't be read.
    static func page(_ row: EntityRow) -> (ids: [String], next: PageToken?)? {
        guard row.schema == pageSchema, let texts = texts(row.bytes), let first = texts.first else { return nil }
        let ids = Array(texts.dropFirst())
        if first.isEmpty { return (ids, nil) }
        guard let next = PageToken(text: first) else { return nil }
        return (ids, next)
    }

    /// Returns the texts that ``bytes(_:)`` was given.
    ///
    /// nil if the bytes are cut off, or if a text is not valid UTF-8.
    static func texts(_ bytes: [UInt8]) -> [String]? {
        var ids: [String] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard rest.count >= 4 else { return nil }
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(4)
            // A cut row must not give a shorter list: it would look complete.
            guard rest.count >= count, let id = String(validating: rest.prefix(count), as: UTF8.self) else {
                return nil
            }
            ids.append(id)
            rest = rest.dropFirst(count)
        }
        return ids
    }
}
