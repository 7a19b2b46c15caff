import Foundation
import Tracker
import TrackerService
import Wharf

/// The clock of the service, five minutes behind, so that the output shows an age.
struct FiveMinutesBehind: WallClock {
    func now() -> WallTime { SystemWallClock().now() - .seconds(300) }
}

/// One client: online, offline, restarted, online again, in conflict with a second client.
@main
struct TrackerDemo {
    static func main() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "Tracker-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = try await TrackerService(clock: FiveMinutesBehind())

        let ann = try await signIn("ann", at: service, folder: folder.path + "/ann")
        for title in ["Start without a network", "Fix the crash", "Write the manual"] {
            try await ann.create(Issue(title: title))
            try await ann.deliver()  // one after the other, so that the numbers have a fixed order
        }
        await ann.pages.refresh()
        try await show("signed in, the pages", Screen(ann).pages())

        await service.stop()
        let shown = ann.pages.snapshot.value?.items ?? []
        try await ann.create(Issue(title: "Crash on resume"))
        var changed = shown[1]
        changed.title = "Fix the crash at start"
        try await ann.edit(changed, basedOn: shown[1])
        try await ann.close(shown[0].id)
        try await ann.delete(shown[2].id)
        await ann.pages.refresh()
        try await show("offline, four changes", Screen(ann).pages())
        await show("offline, search \"crash\"", (ann.search("crash").value ?? []).map(\.title).sorted())
        await ann.stack.close()

        let again = try await open("ann", at: service, folder: folder.path + "/ann")
        await again.pages.refresh()
        try await show("restarted", Screen(again).pages())

        try await service.restart()
        try await again.deliver()
        await again.pages.refresh()
        try await show("delivered", Screen(again).pages())
        while service.events.count < 7 { try await again.deliver() }
        show("events at the service", service.events)

        let ben = try await signIn("ben", at: service, folder: folder.path + "/ben")
        try await conflict(between: ben, and: again, over: shown[1].id)
        await ben.stack.close()
        await again.stack.close()
        await service.stop()
    }

    /// Ben changes the title first. Ann's change of the same title is a conflict, and shows both
    /// sides.
    static func conflict(between ben: Tracker, and ann: Tracker, over id: Issue.ID) async throws {
        let shown = try await ann.issues.get(id: id)
        let shownToBen = try await ben.issues.get(id: id)
        try await rename(shownToBen, "Fix the crash on Linux", by: ben)
        try await rename(shown, "Fix the crash on Android", by: ann)
        try await show("a conflict", Screen(ann).conflicts())
        for conflict in try await ann.issues.conflicts() {
            try await ann.issues.resolve(conflict, with: .mine)
        }
        try await ann.deliver()
        try await show("resolved with mine", [Screen(ann).issue(id)])
    }

    static func rename(_ shown: Issue, _ title: String, by tracker: Tracker) async throws {
        var issue = shown
        issue.title = title
        try await tracker.edit(issue, basedOn: shown)
        try await tracker.deliver()
    }

    static func signIn(_ user: String, at service: TrackerService, folder: String) async throws -> Tracker {
        try await Session(service.baseURL, folder: folder).signIn(user, password: "secret")
        return try await open(user, at: service, folder: folder)
    }

    static func open(_ user: String, at service: TrackerService, folder: String) async throws -> Tracker {
        try await Tracker(service.baseURL, folder: folder, session: Session(service.baseURL, folder: folder))
    }

    /// Prints the step beside its first line, and further lines below that.
    static func show(_ step: String, _ lines: [String]) {
        for (number, line) in (lines.isEmpty ? ["nothing"] : lines).enumerated() {
            print((number == 0 ? step : "").padding(toLength: 24, withPad: " ", startingAt: 0), line)
        }
    }
}
