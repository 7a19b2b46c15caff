internal import Synchronization
public import WharfCore

/// A log of incidents, for tests that check which incidents there were.
///
/// ```swift
/// let incidents = IncidentLog()
/// configuration.onIncident = incidents.handler
/// let stack = try await WharfStack.live(configuration)
/// …
/// #expect(incidents.codes == [.entryDropped])
/// ```
public final class IncidentLog: Sendable {
    private let seen = Mutex<[Incident]>([])

    /// Creates an empty log.
    public init() {}

    /// The incidents in the order of their arrival.
    public var all: [Incident] { seen.withLock { $0 } }
    /// The codes of the incidents in the order of their arrival.
    public var codes: [Incident.Code] { all.map(\.code) }

    /// The handler that adds incidents to the log. It retains the log.
    public var handler: IncidentHandler { { incident in self.seen.withLock { $0.append(incident) } } }
}
