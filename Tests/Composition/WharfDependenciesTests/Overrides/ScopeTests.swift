import Dispatch
import Testing
import WharfDependencies

/// Captured dependencies, for escaping closures and for objects that make others.
@Suite struct ScopeTests {
    @Test func capturedDependenciesReachADetachedTask() async {
        let captured = withDependencies {
            $0[Greeting.self] = "captured"
        } operation: {
            Dependencies.current
        }
        let value = await Task.detached {
            withDependencies(from: captured) { Dependencies.current[Greeting.self] }
        }.value
        #expect(value == "captured")
    }

    @Test func capturedDependenciesReachADispatchQueue() async {
        let value = await withDependencies {
            $0[Greeting.self] = "captured"
        } operation: {
            let captured = Dependencies.current
            return await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    withDependencies(from: captured) {
                        continuation.resume(returning: Dependencies.current[Greeting.self])
                    }
                }
            }
        }
        #expect(value == "captured")
    }

    @Test func capturedDependenciesReachAnAsynchronousOperation() async {
        let captured = Dependencies.current.overriding { $0[Greeting.self] = "captured" }
        let value = await withDependencies(from: captured) {
            $0[Unset.self] = "further"
        } operation: {
            await Task.yield()
            return [Dependencies.current[Greeting.self], Dependencies.current[Unset.self]]
        }
        #expect(value == ["captured", "further"])
    }

    @Test func aChildIsMadeWithTheDependenciesOfItsParent() {
        let parent = withDependencies {
            $0[Greeting.self] = "of the parent"
        } operation: {
            Parent()
        }
        #expect(parent.makeChild().greeting == "of the parent")
    }

    @Test func capturedDependenciesReplaceTheCurrentOnes() {
        let captured = Dependencies.current
        withDependencies {
            $0[Greeting.self] = "outer"
        } operation: {
            withDependencies(from: captured) {
                #expect(Dependencies.current[Greeting.self] == "unimplemented")
            }
            #expect(Dependencies.current[Greeting.self] == "outer")
        }
    }

    @Test func overridingLeavesTheOriginalAsItWas() {
        let scope = Dependencies.current.overriding { $0[Greeting.self] = "in the scope" }
        let inner = scope.overriding { $0[Greeting.self] = nil }
        #expect(scope[Greeting.self] == "in the scope")
        #expect(inner[Greeting.self] == nil)
        #expect(Dependencies.current[Greeting.self] == "unimplemented")
    }

    @Test func anOverrideThatThrowsEndsBeforeTheOperation() {
        struct Failed: Error {}
        #expect(throws: Failed.self) {
            try withDependencies { _ in
                throw Failed()
            } operation: {
                Issue.record("the operation ran")
            }
        }
    }
}

private struct Parent {
    private let dependencies = Dependencies.current

    func makeChild() -> Child { withDependencies(from: dependencies) { Child() } }
}

private struct Child {
    let greeting = Dependencies.current[Greeting.self]
}
