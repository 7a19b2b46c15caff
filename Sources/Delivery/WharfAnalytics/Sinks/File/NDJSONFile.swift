public import WharfCore
public import WharfJSON

/// A sink that appends events to a file, one line of JSON each.
///
/// A batch is one write. If a process is killed during a write, the next append removes the torn
/// line, and the batch is sent again. Then whole lines of it occur twice, with the same `id`.
/// Several processes may write to one file.
///
/// It blocks the calling thread while it waits for the disk.
public struct NDJSONFile: AnalyticsSink {
    public let name: String
    public let limits: BatchLimits
    private let file: LineFile
    private let event: @Sendable (TrackedEvent) -> JSONValue

    /// Creates a sink.
    ///
    /// - Parameters:
    ///   - path: the path of the file, in an existing folder. The file is created if necessary, and
    ///     belongs to this sink alone.
    ///   - rotation: the size in bytes above which the file is renamed before a write; nil for
    ///     never. The names are `<path>.1`, `<path>.2` and so on, the newest with the highest
    ///     number. The sink removes none of them: that is up to their reader. No number is used
    ///     again, as long as `<path>.lock`, which stores the last one, is left alone.
    ///   - syncs: whether a batch counts as delivered only when it would survive a loss of power.
    ///   - event: the content of a line; ``TrackedEvent/json`` by default.
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
