internal import WharfCore

/// A change of a model as it waits in an outbox: lines that say what it is, an empty one, and the bytes of the model.
struct WaitingChange: Hashable {
    enum Operation: String { case add, edit, delete }

    let operation: Operation
    /// The text of the model's id.
    var id: String
    /// Of the bytes.
    let schema: Int
    let isShown: Bool
    /// Of what the change was made on.
    var validator: String?
    /// Empty for a deletion.
    let bytes: [UInt8]

    static func kind(of name: String) -> OutboxEntry.Kind { OutboxEntry.Kind("entity/\(name)") }

    init(
        _ operation: Operation, id: String, schema: Int, isShown: Bool, validator: String?, bytes: [UInt8]
    ) {
        self.operation = operation
        self.id = id
        self.schema = schema
        self.isShown = isShown
        self.validator = validator
        self.bytes = bytes
    }

    var payload: [UInt8] {
        var lines = ["\(operation.rawValue)", "id \(PercentEncoding.data(id))", "schema \(schema)"]
        if isShown { lines.append("shown") }
        if let validator { lines.append("validator \(PercentEncoding.data(validator))") }
        return Array((lines.joined(separator: "\n") + "\n\n").utf8) + bytes
    }

    /// The same for a model whose id, or whose entity tag, is another by now.
    func rewritten(_ ids: [String: String]) -> WaitingChange {
        WaitingChange(
            operation, id: ids[id] ?? id, schema: schema, isShown: isShown,
            validator: validator.map { ids[Self.name(ofValidator: $0)] ?? $0 }.flatMap { $0.isEmpty ? nil : $0 },
            bytes: ids[id] == nil ? bytes : IDReplacement.replacing(ids, in: bytes))
    }

    /// As which an entity tag stands among the ids that a delivery has assigned; none is empty there.
    static func name(ofValidator validator: String) -> String { "validator \(validator)" }

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
        func value(_ name: String) -> String? {
            lines.dropFirst().first { $0.hasPrefix(name + " ") }.map {
                PercentDecoding.path($0.dropFirst(name.count + 1))
            }
        }
        guard let id = value("id"), let schema = value("schema").flatMap({ Int($0) }) else { return nil }
        self.init(
            operation, id: id, schema: schema, isShown: lines.dropFirst().contains("shown"),
            validator: value("validator"), bytes: Array(rest))
    }
}
