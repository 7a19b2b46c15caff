internal import WharfCore
internal import WharfPrimitives

/// A change of a model as it waits in an outbox.
///
/// Its payload has lines of text, an empty line, and the bytes of the model.
struct WaitingChange: Hashable {
    enum Operation: String { case add, edit, delete }

    /// A change as the maker of a later one has seen it: its entry, ``version`` and ``revision``.
    struct Name: Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        init(_ entry: OutboxEntry.ID, _ change: WaitingChange?) {
            text = [entry.text, change?.version, change?.revision].compactMap(\.self).joined(separator: " ")
        }

        /// The id of the entry, without version and revision.
        var entry: Substring { text.prefix { $0 != " " } }
        /// Whether the change was merged, or coalesced with an edit, since it was made.
        var isAnew: Bool { text.contains(" ") }
    }

    let operation: Operation
    /// The text of the model's id.
    let id: String
    /// The schema of the bytes.
    let schema: Int
    let isShown: Bool
    /// The entity tag of the model that the change was made on.
    let validator: String?
    /// The name of a chain: the entry of the first of the model's waiting changes.
    ///
    /// A change that is made while none waits begins a new chain.
    let chain: String
    /// The changes of the model that waited when this one was made, the earliest first.
    ///
    /// They are named as the maker has seen them. There are no more than the last ``mostBehind``.
    let behind: [Name]
    /// The first validator of a change that a person has sent again, over theirs.
    ///
    /// Empty if it had none; nil for any other change. A change that was made behind the first one
    /// counts as made on this one.
    let former: String?
    /// A new name for each merge of the change with theirs, by its kind or a person.
    ///
    /// nil without a merge. A maker that has seen the change from before the merge does not know
    /// the merged one.
    let version: String?
    /// A new name for each edit that is coalesced into the change; nil without any.
    ///
    /// A change of another process may have seen an earlier edit only. Without the revision it
    /// would count as made on the last one. Its delivery would overwrite that, with a matching
    /// entity tag.
    let revision: String?
    /// The encoded model; empty for a deletion.
    let bytes: [UInt8]

    /// The most changes that ``behind`` names.
    ///
    /// If more changes in a row are settled otherwise than by delivery, a person is asked about a
    /// conflict that is none.
    static let mostBehind = 32

    /// Whether its kind or a person has seen theirs, and decided to send this change.
    var isDecided: Bool { version != nil || former != nil }

    static func kind(of name: String) -> OutboxEntry.Kind { OutboxEntry.Kind("entity/\(name)") }

    init(
        _ operation: Operation, id: String, schema: Int, isShown: Bool, validator: String?, chain: String,
        behind: [Name], former: String? = nil, version: String? = nil, revision: String? = nil, bytes: [UInt8]
    ) {
        self.operation = operation
        self.id = id
        self.schema = schema
        self.isShown = isShown
        self.validator = validator
        self.chain = chain
        self.behind = behind
        self.former = former
        self.version = version
        self.revision = revision
        self.bytes = bytes
    }

    var payload: [UInt8] {
        var lines = [
            "\(operation.rawValue)", "id \(PercentEncoding.data(id))", "schema \(schema)",
            "chain \(PercentEncoding.data(chain))",
        ]
        if isShown { lines.append("shown") }
        if let validator { lines.append("validator \(PercentEncoding.data(validator))") }
        if let former { lines.append("former \(PercentEncoding.data(former))") }
        if let version { lines.append("version \(PercentEncoding.data(version))") }
        if let revision { lines.append("revision \(PercentEncoding.data(revision))") }
        if !behind.isEmpty {
            lines.append("behind \(behind.map { PercentEncoding.data($0.text) }.joined(separator: " "))")
        }
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + bytes
    }

    /// Reads a payload; nil if the bytes are no change.
    init?(_ payload: [UInt8]) {
        var lines: [String] = []
        var rest = payload[...]
        while true {
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            guard let text = String(validating: line, as: UTF8.self) else { return nil }
            lines.append(text)
        }
        guard let first = lines.first, let operation = Operation(rawValue: first) else { return nil }
        func encoded(_ name: String) -> Substring? {
            lines.dropFirst().first { $0.hasPrefix(name + " ") }?.dropFirst(name.count + 1)
        }
        func value(_ name: String) -> String? { encoded(name).map { PercentDecoding.path($0) } }
        guard let id = value("id"), let schema = value("schema").flatMap({ Int($0) }), let chain = value("chain") else {
            return nil
        }
        let behind = encoded("behind")?.split(separator: " ").map { Name(PercentDecoding.path($0)) }
        self.init(
            operation, id: id, schema: schema, isShown: lines.dropFirst().contains("shown"),
            validator: value("validator"), chain: chain, behind: behind ?? [],
            former: value("former"), version: value("version"), revision: value("revision"), bytes: Array(rest))
    }
}
