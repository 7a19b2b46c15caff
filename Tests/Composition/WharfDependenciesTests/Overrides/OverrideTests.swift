import Testing
import WharfChecks
import WharfDependencies

@Suite struct OverrideTests {
    @Test func overrideReachesCalledCode() async throws {
        try await withDependencies {
            $0.profiles = .unimplemented.overriding(readProfile: { _ in .ann })
        } operation: {
            let title = try await Header().title(of: "x")
            #expect(title == "Ann")
        }
    }

    @Test func anArgumentBeatsTheOverride() async throws {
        try await withDependencies {
            $0.profiles = .unimplemented
        } operation: {
            let given = ProfileReading.unimplemented.overriding(readProfile: { _ in Profile(name: "given") })
            let title = try await Header(profiles: given).title(of: "x")
            #expect(title == "given")
        }
    }

    @Test func innerOverrideEndsWithItsScope() {
        withDependencies {
            $0[Greeting.self] = "outer"
        } operation: {
            withDependencies {
                $0[Greeting.self] = nil
            } operation: {
                #expect(Dependencies.current[Greeting.self] == nil)
            }
            #expect(Dependencies.current[Greeting.self] == "outer")
        }
        #expect(Dependencies.current[Greeting.self] == "unimplemented")
    }

    @Test func anInnerOverrideKeepsTheOthers() {
        withDependencies {
            $0[Greeting.self] = "outer"
        } operation: {
            withDependencies {
                $0[Unset.self] = "inner"
            } operation: {
                #expect(Dependencies.current[Greeting.self] == "outer")
                #expect(Dependencies.current[Unset.self] == "inner")
            }
        }
    }

    @Test func childTasksSeeOverridesAndDetachedTasksDoNot() async {
        await withDependencies {
            $0[Greeting.self] = "here"
        } operation: {
            async let child = Dependencies.current[Greeting.self]
            #expect(await child == "here")
            #expect(await Task { Dependencies.current[Greeting.self] }.value == "here")
            #expect(await Task.detached { Dependencies.current[Greeting.self] }.value == "unimplemented")
        }
    }

    @Test(arguments: 0..<50) func parallelTestsSeeTheirOwnOverrides(number: Int) async {
        let meeting = Crossing.shared
        await withDependencies {
            $0[Greeting.self] = "\(number)"
        } operation: {
            for _ in 0..<20 {
                #expect(Dependencies.current[Greeting.self] == "\(number)")
                await meeting.pass()
            }
        }
    }

    @Test func dependencyWithoutOverrideIsUnimplementedInATest() async throws {
        try await withKnownIssue {
            _ = try await Header().title(of: "Ann")
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("ProfileReading.readProfile(ofUser:) was called") }
        }
    }
}

/// An actor that makes tasks leave their threads and return.
private actor Crossing {
    static let shared = Crossing()
    private var passed = 0

    func pass() { passed += 1 }
}
