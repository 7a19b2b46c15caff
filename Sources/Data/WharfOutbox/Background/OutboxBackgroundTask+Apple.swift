#if canImport(BackgroundTasks) && (os(iOS) || os(tvOS) || os(visionOS))
internal import BackgroundTasks
public import WharfCore
internal import WharfStorage

/// Drains an outbox in a background processing task of the system.
///
/// ```swift
/// let sending = OutboxBackgroundTask("com.example.notes.sending") { outbox }
/// sending.register()                       // before the app has finished launching
/// try sending.submit()                     // when it goes to the background with something to send
/// ```
///
/// List the identifier in the app's Info.plist under `BGTaskSchedulerPermittedIdentifiers`, and
/// `processing` under `UIBackgroundModes`. The system chooses when the task runs, maybe hours
/// later. It never runs for an app that the user swiped away.
public struct OutboxBackgroundTask: Sendable {
    /// The task's identifier, as in the Info.plist.
    public let identifier: String
    private let outbox: @Sendable () async throws -> OutboxEngine
    private let report: IncidentHandler

    /// Creates a task.
    ///
    /// - Parameters:
    ///   - onIncident: receives failures. The task then counts as failed, and undelivered entries
    ///     wait.
    ///   - outbox: returns the app's outbox, opened if necessary. Draining does not start it.
    public init(
        _ identifier: String, onIncident: @escaping IncidentHandler = { _ in },
        outbox: @escaping @Sendable () async throws -> OutboxEngine
    ) {
        self.identifier = identifier
        self.outbox = outbox
        report = onIncident
    }

    /// Registers the task with the system. Call it before the app has finished launching.
    ///
    /// - Returns: false if the Info.plist does not permit the identifier.
    @discardableResult
    public func register() -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { [outbox, report] task in
            let running = Running(task)
            // The system's handler returns at once, so the drain runs in a task of its own.
            let draining = Task {
                do {
                    running.end(isDone: try await outbox().drain().isComplete)
                } catch {
                    // The end of the system's time is no fault of the journal, so it is not
                    // reported.
                    if !Task.isCancelled {
                        report(
                            Incident(
                                .journalFailed, message: "the outbox could not be drained in the background: \(error)",
                                cause: error))
                    }
                    running.end(isDone: false)
                }
            }
            // Requests in flight at the expiration are delivered again later, under the same key.
            task.expirationHandler = { draining.cancel() }
        }
    }

    /// Asks the system for a run with a network. It replaces an earlier request.
    ///
    /// - Throws: the error of `BGTaskScheduler`: background refresh is switched off, or this is a
    ///   simulator.
    public func submit() throws {
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.requiresNetworkConnectivity = true
        try BGTaskScheduler.shared.submit(request)
    }
}

// Unchecked: `BGTask` is not Sendable, but only `end` uses it, and that may be on any thread.
private final class Running: @unchecked Sendable {
    private let task: BGTask

    init(_ task: BGTask) { self.task = task }

    func end(isDone: Bool) { task.setTaskCompleted(success: isDone) }
}
#endif
