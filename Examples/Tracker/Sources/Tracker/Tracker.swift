public import Wharf

/// The data layer of the app: the issues of one account, in a data file, at one service.
public struct Tracker: Sendable {
    public let stack: WharfStack
    public let issues: Repository<Issue>
    public let pages: PagedList<Issue>
    public let usage: Usage?

    /// Opens the files in `folder`, for the signed-in account of `session`.
    public init(_ baseURL: String, folder: String, session: Session) async throws {
        var configuration = WharfStack.Configuration(
            baseURL: baseURL, account: try await session.account, cache: .file(folder + "/cache.sqlite"))
        configuration.data = .file(folder + "/data.sqlite")
        configuration.credentials = session
        let stack = try await WharfStack.live(configuration)
        self.stack = stack
        let source = RemoteSource<Issue>.http(stack.client, at: "issues")
            .paged(stack.client, by: .number()) { _ in .get("issues") }
        issues = stack.repository(.issues, source)
        pages = issues.pages(size: 20)
        usage = try stack.outbox.map { try Usage(stack.client, outbox: $0) }
    }

    public func create(_ issue: Issue) async throws {
        try await issues.add(issue)
        try await usage?.track(.created, issue.id)
    }

    /// Changes the members that differ between `issue` and `shown`, the issue on the screen.
    public func edit(_ issue: Issue, basedOn shown: Issue) async throws {
        try await issues.edit(issue, basedOn: shown)
        try await usage?.track(.edited, issue.id)
    }

    public func close(_ id: Issue.ID) async throws {
        try await issues.edit(id) { $0.state = .closed }
        try await usage?.track(.closed, id)
    }

    public func delete(_ id: Issue.ID) async throws {
        try await issues.delete(id: id)
        try await usage?.track(.deleted, id)
    }

    /// Searches at the service, or in the stored issues if the service does not answer.
    public func search(_ text: String) async -> Snapshot<[Issue]> {
        let query = EntityQuery<Issue>().parameter("q", text, matching: Issue.words.hasWords(text))
        let answer = await issues.listSnapshot(query)
        guard let error = answer.error, !error.isAnswer else { return answer }
        return await issues.storedListSnapshot(query)
    }

    /// Sends the waiting changes, and returns when the service has decided each of them.
    public func deliver() async throws {
        _ = try await stack.outbox?.drain()
        for await pending in issues.observePending() {
            if pending.values.allSatisfy({ if case .failed = $0 { true } else { false } }) { return }
        }
    }
}

extension Issue {
    /// The searchable text.
    static let words = Field<Issue, String>("words") { "\($0.title)\n\($0.body)" }
}

extension EntityKind<Issue> {
    static let issues = EntityKind("issue", codec: .json, indexes: [Issue.words.index])
}
