public import WharfCore
public import WharfJSON

/// Appends events to a file, one line of JSON each.
///
/// A batch is one write. Where a process was killed in the middle of one, the torn line is taken
/// off before the next, and the batch comes again: whole lines of it are there twice, with the same
/// `id`. Several processes may write to one file.
///
/// It waits for the disk on the thread that it is called on.
public struct NDJSONFile: AnalyticsSink {
    public let name: String
    public let limits: BatchLimits
    private let file: LineFile
    private let event: @Sendable (TrackedEvent) -> JSONValue

    /// - Parameters:
    ///   - path: of a file that is made where there is none, in a folder that is there. It has to
    ///     be this sink's own.
    ///   - rotation: a file that would grow beyond so many bytes is first renamed to `<path>.1`,
    ///     `<path>.2` and so on, the newest with the highest number. None is ever removed: that is
    ///     for who reads them. A number is not used again then, as long as `<path>.lock` is left
    ///     alone, which keeps the last. nil: never.
    ///   - syncs: whether a batch counts as delivered only when it would survive a loss of power.
    ///   - event: how a line looks; ``TrackedEvent/json`` where nobody says else.
    public init(
        name: String = "file", path: String, rotation: Int? = nil, syncs: Bool = false,
        limits: BatchLimits = BatchLimits(entries: 500, wait: .seconds(1)),
        event: @escaping @Sendable (TrackedEvent) -> JSONValue = { $0.json }
    ) {
        self.init(
            name: name, LineFile(path: path, rotation: rotation, syncs: syncs), limits: limits, event: event)
    }

    init(
        name: String, _ file: LineFile, limits: BatchLimits, event: @escaping @Sendable (TrackedEvent) -> JSONValue
    ) {
        self.name = name
        self.file = file
        self.limits = limits
        self.event = event
    }

    public func send(_ batch: [KeyedEvent]) async -> [Delivery.Verdict] {
        let lines = batch.flatMap { item in Array("\(event(item.event))\n".utf8) }
        do throws(FileFailure) {
            try file.append(lines)
            return batch.map { _ in .delivered }
        } catch {
            let failure = DeliveryFailure(.unavailable, message: "\(error)")
            return batch.map { _ in .retry(failure) }
        }
    }
}
