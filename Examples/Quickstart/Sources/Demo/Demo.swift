public import Wharf
internal import WharfJSON

/// A demo of reads and an edit while the service is dead.
///
/// It reads a user, kills the service, and reads the user again by each policy. Then it edits the
/// user, and restarts the service.
public struct Demo: Sendable {
    /// The shown lines, so that tests can check them.
    public struct Report: Sendable {
        /// The process id of the first service.
        public var processID: Int32 = 0
        /// The reads while the service was alive.
        public var before: [Line] = []
        /// The reads after its death.
        public var after: [Line] = []
        /// The lines of an edit: while the service was dead, after a restart of the app, and after
        /// the arrival.
        public var edited: [EditLine] = []
    }

    private let origin: String
    private let log: String
    private let cache: CacheLocation
    private let data: String
    /// The time between the death of the service and the next read. After it the answers are stale.
    private let pause = Duration.seconds(3)
    private let show: @Sendable (String) -> Void

    /// - Parameters:
    ///   - origin: the path of the service's executable.
    ///   - log: the file to which the service writes its requests.
    ///   - cache: the place of kept responses.
    ///   - data: the file of waiting changes.
    public init(
        origin: String, log: String, cache: CacheLocation, data: String,
        show: @escaping @Sendable (String) -> Void
    ) {
        self.origin = origin
        self.log = log
        self.cache = cache
        self.data = data
        self.show = show
    }

    /// Runs the demo, and returns the shown lines.
    ///
    /// - Parameter died: called after the service has died, before the next read.
    public func run(died: @Sendable (Report) -> Void = { _ in }) async throws -> Report {
        let stage = Stage(show: show)
        try await OriginProcess.run(executable: origin, log: log) { origin in
            try await stage.open(origin, cache: cache)
            await stage.readWhileAlive()
        }
        show("\n  Process \(await stage.report.processID) is dead (kill -9). \(pause.components.seconds) s later:\n")
        died(await stage.report)
        try await Task.sleep(for: pause)
        await stage.readWhenDead()
        var report = await stage.report
        report.edited = try await Editing(
            executable: origin, log: log, address: stage.address, cache: cache, data: data, show: show
        ).run()
        return report
    }
}

/// The state that survives the service: the stack with its repository, and the report so far.
private actor Stage {
    private(set) var report = Demo.Report()
    /// The address of the service. No process listens on it while the service is dead.
    private(set) var address = ""
    private var stack: WharfStack?
    private var users: (any ReadableRepository<User>)?
    private let clock = SystemWallClock()
    private let show: @Sendable (String) -> Void

    init(show: @escaping @Sendable (String) -> Void) {
        self.show = show
    }

    func open(_ origin: OriginProcess, cache: CacheLocation) async throws {
        report.processID = origin.processID
        address = origin.baseURL
        let stack = try await WharfStack.live(.init(baseURL: origin.baseURL, cache: cache, retry: .never))
        self.stack = stack
        users = stack.repository(at: "users", payload: UserPayload.self) { User($0) }
        show("  The service runs as process \(origin.processID) at \(origin.baseURL).")
        show("  Its answers may be used for 3 seconds (Cache-Control: max-age=3).\n")
        show(Line.header)
    }

    func readWhileAlive() async {
        guard let users else { return }
        for read in ["first read", "second read"] {
            report.before.append(await line(read, users, .standard))
        }
    }

    func readWhenDead() async {
        guard let users else { return }
        show(Line.header)
        for policy in ReadPolicy.all where policy != .cacheThenNetwork {
            report.after.append(await line(policy.name, users, policy))
        }
        var emission = 1
        for await snapshot in users.observe(id: 1, policy: .cacheThenNetwork) {
            let line = Line("observe, \(emission)", snapshot, at: clock.now())
            show(line.text)
            report.after.append(line)
            emission += 1
            if snapshot.fetch == .idle { break }
        }
        if let error = report.after.compactMap(\.error).first { explain(error) }
        await stack?.close()
    }

    /// Shows the whole message of an error, and all decoding errors with the text around each.
    private func explain(_ error: ReadFailure) {
        show("\n  The error in full: \(error.message)")
        guard let error = error.cause as? JSONError else { return }
        for line in error.description.split(separator: "\n") { show("  \(line)") }
    }

    private func line(_ read: String, _ users: any ReadableRepository<User>, _ policy: ReadPolicy) async -> Line {
        let line = Line(read, await users.snapshot(id: 1, policy: policy), at: clock.now())
        show(line.text)
        return line
    }
}
