public import Wharf

/// A line about one read: its name, and the value, source, age and error of the snapshot.
public struct Line: Sendable {
    /// The name of the read, such as a policy.
    public let read: String
    /// Name and city of the user; nil without a value.
    public let value: String?
    /// The source of the value; nil without a value.
    public let source: Source?
    /// The age of the value at the time of the read; nil without a value.
    public let age: Duration?
    /// Whether the value was fresh; false without a value.
    public let isFresh: Bool
    /// The error of the read, if it failed.
    public let error: ReadFailure?

    init(_ read: String, _ snapshot: Snapshot<User>, at now: WallTime) {
        self.read = read
        value = snapshot.value.map { "\($0.name), \($0.city)" }
        source = snapshot.kept?.source
        age = snapshot.kept?.age(at: now)
        isFresh = snapshot.kept?.isFresh(at: now) ?? false
        error = snapshot.error
    }

    static let header = columns("read", "value", "source", "age", "error")

    /// The line as text, in columns.
    public var text: String {
        let seconds = age.map { "\($0.components.seconds) s, \(isFresh ? "fresh" : "stale")" }
        return Self.columns(read, value ?? "none", source?.name ?? "", seconds ?? "", error?.code.name ?? "none")
    }

    fileprivate static func columns(_ texts: String...) -> String {
        let widths = [20, 28, 13, 13]
        let padded = texts.enumerated().map { index, text in
            index < texts.count - 1 ? text + String(repeating: " ", count: max(1, widths[index] - text.count)) : text
        }
        return "  " + padded.joined()
    }
}

/// A line about an edit: the event, the value, and whether the edit still waits.
public struct EditLine: Sendable {
    /// The name of the event, such as "app restarted".
    public let event: String
    /// Name and city of the user; nil without a value.
    public let value: String?
    /// The source of the value; nil without a value.
    public let source: Source?
    /// Whether the edit still waits for the service.
    public let isPending: Bool

    init(_ event: String, _ snapshot: Snapshot<User>) {
        self.event = event
        value = snapshot.value.map { "\($0.name), \($0.city)" }
        source = snapshot.kept?.source
        isPending = snapshot.kept?.isPending ?? false
    }

    static let header = Line.columns("event", "value", "source", "edit")

    /// The line as text, in columns.
    public var text: String {
        Line.columns(event, value ?? "none", source?.name ?? "", isPending ? "waits" : "arrived")
    }
}
