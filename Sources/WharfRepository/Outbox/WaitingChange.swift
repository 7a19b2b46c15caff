internal import WharfCore
internal import WharfPrimitives

/// A change of a model as it waits in an outbox: lines that say what it is, an empty one, and the
/// bytes of the model.
struct WaitingChange: Hashable {
    enum Operation: String { case add, edit, delete }

    /// A change as the maker of a later one has seen it: its entry, ``version`` and ``revision``.
    struct Name: Hashable {
        let text: String

        init(_ text: String) { self.text = text }

        init(_ entry: OutboxEntry.ID, _ change: WaitingChange?) {
            text = [entry.text, change?.version, change?.revision].compactMap(\.self).joined(separator: " ")
        }

        /// Whatever version of it this is.
        var entry: Substring { text.prefix { $0 != " " } }
        /// It is not as it was made.
        var isAnew: Bool { text.contains(" ") }
    }

    let operation: Operation
    /// The text of the model's id.
    let id: String
    /// Of the bytes.
    let schema: Int
    let isShown: Bool
    /// Of what the change was made on.
    let validator: String?
    /// The first of the changes of the model that wait one behind the other: one that is made when
    /// none waits begins anew.
    let chain: String
    /// The changes of the model that waited when it was made, as its maker has seen them, the
    /// earliest first: no more than the last ``mostBehind``.
    let behind: [Name]
    /// Of what a person has put in the place of theirs as it was: the validator that it was made on
    /// at first, empty for none. What was made behind it then was made on this.
    let former: String?
    /// Of what was made of the change and theirs, by its kind or a person, another each time; nil
    /// for the change as it was made. Who has seen it as it was does not know what is sent in its
    /// place.
    let version: String?
    /// Another each time that an edit is coalesced into the change; nil for the change as it was
    /// made.
    ///
    /// Without it a change of another process that has seen an earlier edit would count as made on
    /// the last one: its delivery would overwrite that, with a matching entity tag.
    let revision: String?
    /// Empty for a deletion.
    let bytes: [UInt8]

    /// Who has more of them settled otherwise than by delivery, one behind the other, is asked
    /// about a conflict too many.
    static let mostBehind = 32

    /// A kind or a person has seen theirs, and decided to send this in its place.
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

    /// nil for bytes that are none.
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
