internal import WharfCore
internal import WharfPrimitives

/// A change of a model as it waits in an outbox.
///
/// Its payload has lines of text, an empty line, and the bytes of the model.
struct WaitingChange: Hashable {
    enum Operation: String { case add, edit, delete }

    /// A change as the maker of a later one has seen it: its entry, ``version`` and ``revision``.
    struct Reference: Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        init(_ entry: OutboxEntry.ID, _ change: WaitingChange?) {
            // Ids of a journal, versions and revisions have no blank, so `entry` ends at the first
            // one.
            text = [entry.text, change?.version, change?.revision].compactMap(\.self).joined(separator: " ")
        }

        /// The id of the entry, without version and revision.
        var entry: Substring { text.prefix { $0 != " " } }
        /// Whether the change was merged, or coalesced with an edit, since it was made.
        var isAnew: Bool { text.contains(" ") }
    }

    var operation: Operation
    /// The text of the model's id.
    var id: String
    /// The schema of the bytes.
    var schema: Int
    let isShown: Bool
    /// The entity tag of the model that the change was made on.
    var validator: String?
    /// The name of a chain: the entry of the first of the model's waiting changes.
    ///
    /// A change that is made while none waits begins a new chain.
    let chain: String
    /// The changes of the model that waited when this one was made, the earliest first.
    ///
    /// They are named as the maker has seen them. There are no more than the last ``mostBehind``.
    var behind: [Reference] = []
    /// The first validator of a change that a person has sent again, over theirs.
    ///
    /// Empty if it had none; nil for any other change. A change that was made behind the first one
    /// counts as made on this one.
    var former: String?
    /// A new name for each merge of the change with theirs, by its kind or a person.
    ///
    /// nil without a merge. A maker that has seen the change from before the merge does not know
    /// the merged one.
    var version: String?
    /// A new name for each edit that is coalesced into the change; nil without any.
    ///
    /// A change of another process may have seen an earlier edit only. Without the revision it
    /// would count as made on the last one. Its delivery would overwrite that, with a matching
    /// entity tag.
    var revision: String?
    /// The encoded model; empty for a deletion.
    var bytes: [UInt8]

    /// The most changes that ``behind`` names.
    ///
    /// If more changes in a row are settled otherwise than by delivery, a person is asked about a
    /// conflict that is none.
    static let mostBehind = 32

    /// Whether its kind or a person has seen theirs, and decided to send this change.
    var isDecided: Bool { version != nil || former != nil }

    static func kind(of name: String) -> OutboxEntry.Kind { OutboxEntry.Kind("entity/\(name)") }

    init(_ operation: Operation, id: String, schema: Int, isShown: Bool, chain: String, bytes: [UInt8]) {
        (self.operation, self.id, self.schema) = (operation, id, schema)
        (self.isShown, self.chain, self.bytes) = (isShown, chain, bytes)
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
        // Values are percent-encoded, so no line has a line feed, and no name of `behind` a blank.
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + bytes
    }

    /// Reads a payload; nil if the bytes are no change.
    init?(_ payload: [UInt8]) {
        var lines: [String] = []
        var rest = payload[...]
        while true {
            // Lines end at the empty line. The bytes behind it may be anything, also text with line
            // feeds.
            guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            guard let text = String(validating: line, as: UTF8.self) else { return nil }
            lines.append(text)
        }
        guard let first = lines.first, let operation = Operation(rawValue: first) else { return nil }
        // Unknown lines are skipped, so that an older version can read the change of a newer one.
        func encoded(_ name: String) -> Substring? {
            lines.dropFirst().first { $0.hasPrefix(name + " ") }?.dropFirst(name.count + 1)
        }
        func value(_ name: String) -> String? { encoded(name).map { PercentDecoding.path($0) } }
        guard let id = value("id"), let schema = value("schema").flatMap({ Int($0) }), let chain = value("chain") else {
            return nil
        }
        self.init(
            operation, id: id, schema: schema, isShown: lines.dropFirst().contains("shown"), chain: chain,
            bytes: Array(rest))
        validator = value("validator")
        behind = encoded("behind")?.split(separator: " ").map { Reference(PercentDecoding.path($0)) } ?? []
        (former, version, revision) = (value("former"), value("version"), value("revision"))
    }
}
