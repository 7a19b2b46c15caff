import Foundation
import WharfCore

extension EntityKey {
    static func note(_ id: String, of account: Account? = nil) -> EntityKey {
        EntityKey(account: account, kind: "note", id: id)
    }
}

extension EntityRow {
    static func note(
        _ id: String, _ bytes: [UInt8] = [1], of account: Account? = nil, _ fields: [String: FieldValue] = [:]
    ) -> EntityRow {
        EntityRow(key: .note(id, of: account), bytes: bytes, asOf: WallTime(nanoseconds: 5), fields: fields)
    }
}

extension Scratch {
    func contents(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    func contentsIfAny(_ name: String) throws -> Data { try names.contains(name) ? contents(name) : Data() }

    func overwrite(_ name: String, at offset: Int, with bytes: [UInt8]) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path(name)))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }
}
