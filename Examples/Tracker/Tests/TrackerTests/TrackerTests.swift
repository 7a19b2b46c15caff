import Foundation
import Testing
import Tracker
import TrackerService
import Wharf

struct TrackerTests {
    @Test func offlineChangesSurviveARestartAndArrive() async throws {
        try await withService { service, folder in
            var ann = try await signIn("ann", at: service, folder)
            let (kept, gone) = (Issue(title: "Fix the crash"), Issue(title: "Write the manual"))
            try await ann.create(kept)
            try await ann.create(gone)
            try await ann.deliver()

            service.setConnected(false)
            let added = Issue(title: "Crash on resume")
            try await ann.create(added)
            var changed = try await ann.issues.get(id: kept.id, policy: .cacheOnly)
            let shown = changed
            changed.title = "Fix the crash at start"
            try await ann.edit(changed, basedOn: shown)
            try await ann.close(kept.id)
            try await ann.delete(gone.id)
            await ann.stack.close()

            ann = try await open(service, folder)
            let stored = await ann.issues.storedListSnapshot(EntityQuery()).value ?? []
            #expect(Set(stored.map(\.title)) == ["Fix the crash at start", "Crash on resume"])
            #expect(try await Set(ann.issues.pending().keys) == [kept.id, gone.id, added.id])

            service.setConnected(true)
            try await ann.deliver()
            let arrived = service.issues
            #expect(Set(arrived.map(\.id)) == [kept.id, added.id])
            #expect(arrived.first { $0.id == kept.id }?.title == "Fix the crash at start")
            #expect(arrived.first { $0.id == kept.id }?.state == .closed)
            let late = ["issue.created", "issue.edited", "issue.closed", "issue.deleted"]
            while service.events.count < 6 { try await ann.deliver() }
            #expect(service.events == ["issue.created", "issue.created"] + late)
            await ann.stack.close()
        }
    }

    @Test func aConflictShowsBothSidesAndIsResolved() async throws {
        try await withService { service, folder in
            let ann = try await signIn("ann", at: service, folder + "/ann")
            let ben = try await signIn("ben", at: service, folder + "/ben")
            let issue = Issue(title: "Fix the crash")
            try await ann.create(issue)
            try await ann.deliver()
            let shown = try await ann.issues.get(id: issue.id)

            var theirs = try await ben.issues.get(id: issue.id)
            let shownToBen = theirs
            theirs.title = "Fix the crash on Linux"
            try await ben.edit(theirs, basedOn: shownToBen)
            try await ben.deliver()

            var mine = shown
            mine.title = "Fix the crash on Android"
            try await ann.edit(mine, basedOn: shown)
            try await ann.deliver()
            let conflict = try #require(try await ann.issues.conflicts().first)
            #expect(conflict.mine?.title == mine.title)
            #expect(conflict.theirs?.title == theirs.title)

            try await ann.issues.resolve(conflict, with: .mine)
            try await ann.deliver()
            #expect(try await ann.issues.conflicts().isEmpty)
            #expect(service.issues.map(\.title) == [mine.title])
            await ann.stack.close()
            await ben.stack.close()
        }
    }

    @Test func searchWorksOfflineAndReadsShareOneRenewal() async throws {
        try await withService { service, folder in
            let ann = try await signIn("ann", at: service, folder)
            let issues = ["Fix the crash", "Write the manual", "Crash on resume"].map { Issue(title: $0) }
            for issue in issues { try await ann.create(issue) }
            try await ann.deliver()

            service.expireAccessTokens()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for issue in issues {
                    group.addTask { _ = try await ann.issues.get(id: issue.id, policy: .networkOnly) }
                }
                try await group.waitForAll()
            }
            #expect(service.renewals == 1)
            #expect(await ann.search("manual").value?.map(\.title) == ["Write the manual"])

            service.setConnected(false)
            let found = await ann.search("crash")
            #expect(Set(found.value?.map(\.title) ?? []) == ["Fix the crash", "Crash on resume"])
            await ann.stack.close()
        }
    }
}

private func withService(_ use: (TrackerService, String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "Tracker-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let service = try await TrackerService()
    try await use(service, folder.path)
    await service.stop()
}

private func signIn(_ user: String, at service: TrackerService, _ folder: String) async throws -> Tracker {
    try await Session(service.baseURL, folder: folder).signIn(user, password: "secret")
    return try await open(service, folder)
}

private func open(_ service: TrackerService, _ folder: String) async throws -> Tracker {
    try await Tracker(service.baseURL, folder: folder, session: Session(service.baseURL, folder: folder))
}
