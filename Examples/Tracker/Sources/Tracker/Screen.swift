import Wharf

/// The text view: lines of issues with their age, their error and their pending changes.
public struct Screen: Sendable {
    let tracker: Tracker

    public init(_ tracker: Tracker) {
        self.tracker = tracker
    }

    /// The loaded pages, a line for each issue.
    public func pages() async throws -> [String] {
        let snapshot = tracker.pages.snapshot
        let waiting = try await waiting()
        return (snapshot.value?.items ?? []).map { line($0, age(of: snapshot), waiting[$0.id]) }
    }

    /// One issue by its id.
    public func issue(_ id: Issue.ID) async throws -> String {
        let snapshot = await tracker.issues.snapshot(id: id)
        guard let issue = snapshot.value else { return "no issue: \(snapshot.error?.message ?? "deleted")" }
        return line(issue, age(of: snapshot), try await waiting()[id])
    }

    /// Both sides of each conflict.
    public func conflicts() async throws -> [String] {
        try await tracker.issues.conflicts().map { conflict in
            "mine: \(conflict.mine?.title ?? "deleted") · theirs: \(conflict.theirs?.title ?? "deleted")"
        }
    }

    /// "waits to be sent" or "failed" for each issue with changes that have not arrived.
    func waiting() async throws -> [Issue.ID: String] {
        try await tracker.issues.pending().mapValues { state in
            switch state {
            case .sending, .waiting: "waits to be sent"
            case .failed(let why): "failed: \(why.message)"
            }
        }
    }

    private func line(_ issue: Issue, _ age: String, _ waiting: String?) -> String {
        let number = issue.number.map(String.init) ?? "new"
        return ["#\(number) \(issue.title)", issue.state.rawValue, age, waiting].compactMap(\.self)
            .joined(separator: " · ")
    }

    /// For example "5 min old, not refreshed: connectionFailed".
    private func age<Value>(of snapshot: Snapshot<Value>) -> String {
        guard let kept = snapshot.kept else { return "never seen" }
        let minutes = kept.age(at: SystemWallClock().now()).components.seconds / 60
        return snapshot.error.map { "\(minutes) min old, not refreshed: \($0.code)" } ?? "\(minutes) min old"
    }
}
