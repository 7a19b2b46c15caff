import WharfCore
import WharfCoreLaws

extension EntityKind<RepositoryLaws.Model> {
    /// Encoded as "1:name", so that a row is readable.
    static let models = EntityKind("model", codec: .text, indexes: [RepositoryLaws.Model.byName.index])
}

extension RepositoryLaws.Model {
    static let byName = Field<Self, String>("name") { $0.name }
}

extension Codec<RepositoryLaws.Model> {
    struct Unreadable: Error {}

    static let text = Codec { model in
        Array("\(model.id):\(model.name)".utf8)
    } decode: { bytes, schema in
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1)
        guard schema == 1, parts.count == 2, let id = Int(parts[0]) else { throw Unreadable() }
        return RepositoryLaws.Model(id: id, name: String(parts[1]))
    }
}
