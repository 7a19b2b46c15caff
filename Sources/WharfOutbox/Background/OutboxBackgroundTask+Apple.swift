#if canImport(BackgroundTasks) && (os(iOS) || os(tvOS) || os(visionOS))
internal import BackgroundTasks
public import WharfCore

/// Drains an outbox while the app is in the background, in a processing task of the system.
///
/// ```swift
/// let sending = OutboxBackgroundTask("com.example.notes.sending") { outbox }
/// sending.register()                       // before the app has finished launching
/// try sending.submit()                     // when it goes to the background with something to send
/// ```
///
/// The identifier has to stand in the app's Info.plist under `BGTaskSchedulerPermittedIdentifiers`,
/// with `processing` under `UIBackgroundModes`. When it runs is the system's choice, hours later
/// maybe, and not at all for an app that was swiped away.
public struct OutboxBackgroundTask: Sendable {
    public let identifier: String
    private let outbox: @Sendable () async throws -> OutboxEngine
    private let report: IncidentHandler

    /// - Parameters:
    ///   - onIncident: what went wrong; the task has failed then, and what was not delivered waits.
    ///   - outbox: the app's outbox, which may have to be opened first. Draining does not start it.
    public init(
        _ identifier: String, onIncident: @escaping IncidentHandler = { _ in },
        outbox: @escaping @Sendable () async throws -> OutboxEngine
    ) {
        self.identifier = identifier
        self.outbox = outbox
        report = onIncident
    }

    /// - Returns: false where the Info.plist does not permit the identifier.
    @discardableResult
    public func register() -> Bool {
        BGTaskScheduler.shared.register(forTaskWithIdentifier: identifier, using: nil) { [outbox, report] task in
            let running = Running(task)
            let draining = Task {
                do {
                    running.end(isDone: try await outbox().drain().isComplete)
                } catch {
                    // That the system's time ran out is no fault of the journal.
                    if !Task.isCancelled {
                        report(
                            Incident(
                                .journalFailed, message: "the outbox could not be drained in the background: \(error)",
                                cause: error))
                    }
                    running.end(isDone: false)
                }
            }
            // What is on its way then is delivered again, under its key.
            task.expirationHandler = { draining.cancel() }
        }
    }

    /// Asks the system for a run when there is a network. One that was asked for before is
    /// replaced.
    ///
    /// - Throws: what `BGTaskScheduler` throws: background refresh is switched off, or this is a
    ///   simulator.
    public func submit() throws {
        let request = BGProcessingTaskRequest(identifier: identifier)
        request.requiresNetworkConnectivity = true
        try BGTaskScheduler.shared.submit(request)
    }
}

// Unchecked: the system's task is ended from one place, and may be from any thread.
private final class Running: @unchecked Sendable {
    private let task: BGTask

    init(_ task: BGTask) { self.task = task }

    func end(isDone: Bool) { task.setTaskCompleted(success: isDone) }
}
#endif
