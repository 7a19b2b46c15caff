public import Wharf

/// Reads a user, kills the service, and reads the user again by each policy; then edits the user,
/// and brings the service back.
public struct Demo: Sendable {
    /// What was shown, for whoever wants to check it.
    public struct Report: Sendable {
        public var processID: Int32 = 0
        public var before: [Line] = []
        public var after: [Line] = []
        /// What was shown of an edit: made while the service was dead, after a restart of the app,
        /// and once it has arrived.
        public var edited: [EditLine] = []
    }

    private let origin: String
    private let log: String
    private let cache: CacheLocation
    private let data: String
    /// Between the death of the service and the next read: what it said by then has become stale.
    private let pause = Duration.seconds(3)
    private let show: @Sendable (String) -> Void

    /// - Parameters:
    ///   - origin: path of the executable that is the service.
    ///   - log: file to which the service writes its requests.
    ///   - cache: where the answers are kept.
    ///   - data: the file in which changes wait.
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

    /// - Parameter died: called once the service is dead, before anything is read again.
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

/// What outlives the service: the stack with its repository, and what was shown so far.
private actor Stage {
    private(set) var report = Demo.Report()
    /// Of the service, which is nobody's while it is dead.
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

    /// The whole message; for an answer that does not decode every fault, each with the piece of
    /// the line around it.
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
