import Testing
import WharfChecks

@Suite struct ExpectReleaseTests {
    private final class Sheet {}
    private final class Coordinator {
        var sheet: Sheet? = Sheet()
        var history: [Sheet] = []
        func dismiss() { sheet = nil }
        func archive() {
            history = sheet.map { [$0] } ?? []
            sheet = nil
        }
    }
    private struct Interruption: Error {}

    @Test func anActionThatReleasesPasses() async {
        let coordinator = Coordinator()
        await expectRelease(of: coordinator.sheet, after: { coordinator.dismiss() })
        #expect(coordinator.sheet == nil)
    }

    @Test func aVariableOfTheTestMayBeItsOwner() async {
        var sheet: Sheet? = Sheet()
        await expectRelease(of: sheet) { sheet = nil }
        #expect(sheet == nil)
    }

    @Test @MainActor func actionRunsOnTheCallersActor() async {
        var sheet: Sheet? = Sheet()
        await expectRelease(of: sheet) {
            MainActor.assertIsolated()
            sheet = nil
            await Task.yield()
            MainActor.assertIsolated()
        }
        #expect(sheet == nil)
    }

    @Test func anActionThatReleasesNothingFailsAtTheCall() async {
        let coordinator = Coordinator()
        let line = #line + 2
        await withKnownIssue {
            await expectRelease(of: coordinator.sheet, after: { coordinator.archive() }, clock: HastyClock())
        } matching: { issue in
            "\(issue)".contains(
                "expected Sheet to be released after the action, but it is still alive 1.0 seconds later")
                && issue.sourceLocation?.line == line
        }
    }

    @Test func nothingToReleaseIsAFailure() async {
        let coordinator = Coordinator()
        coordinator.dismiss()
        await withKnownIssue {
            await expectRelease(of: coordinator.sheet, after: { Issue.record("the action ran") })
        } matching: {
            "\($0)".contains("is nil, so there is nothing to check")
        }
    }

    @Test func errorOfTheActionIsRethrown() async {
        let coordinator = Coordinator()
        await #expect(throws: Interruption.self) {
            try await expectRelease(of: coordinator.sheet, after: { throw Interruption() })
        }
    }
}
