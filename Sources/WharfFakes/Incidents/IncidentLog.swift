internal import Synchronization
public import WharfCore

/// Remembers incidents, so that a test can say which there were, or that there was none.
///
/// ```swift
/// let incidents = IncidentLog()
/// let stack = try await WharfStack.live(.init(baseURL: baseURL, onIncident: incidents.handler))
/// …
/// #expect(incidents.codes == [.entryDropped])
/// ```
public final class IncidentLog: Sendable {
    private let seen = Mutex<[Incident]>([])

    public init() {}

    /// In the order in which they came.
    public var all: [Incident] { seen.withLock { $0 } }
    public var codes: [Incident.Code] { all.map(\.code) }

    /// What is told. It keeps the log.
    public var handler: IncidentHandler { { incident in self.seen.withLock { $0.append(incident) } } }
}
