import Testing
import WharfDependencies

@Suite struct PrepareTests {
    @Test func preparedValueReplacesTheLiveOne() {
        let app = App()
        app.run {
            prepareDependencies { $0[Greeting.self] = "prepared" }
            #expect(Dependencies.current[Greeting.self] == "prepared")
            #expect(Dependencies.current[Left.self] == "left of prepared")
        }
        #expect(app.failures.isEmpty)
    }

    @Test func aPreparedKeyNeedsNoLiveValue() {
        let app = App()
        app.run {
            prepareDependencies { $0[Unset.self] = "prepared" }
            #expect(Dependencies.current[Unset.self] == "prepared")
        }
        #expect(app.failures.isEmpty)
    }

    @Test func aDetachedTaskReadsThePreparedValue() async {
        let app = App()
        app.run { prepareDependencies { $0[Unset.self] = "prepared" } }
        let value = await Task.detached { app.run { Dependencies.current[Unset.self] } }.value
        #expect(value == "prepared")
    }

    @Test func aKeyPreparedAfterItWasReadFailsAndKeepsItsValue() {
        let app = App()
        app.run {
            #expect(Dependencies.current[Greeting.self] == "live")
            prepareDependencies { $0[Greeting.self] = "too late" }
            #expect(Dependencies.current[Greeting.self] == "live")
        }
        #expect(
            app.failures == [
                "Greeting was prepared after it had been read or prepared, so it keeps its value; prepare it earlier, "
                    + "or override it: withDependencies { $0[Greeting.self] = … }"
            ])
    }

    @Test func lastPreparationInAPreviewWins() {
        let app = App()
        app.run {
            withDependencies {
                $0.context = .preview
            } operation: {
                for text in ["first", "last"] { prepareDependencies { $0[Greeting.self] = text } }
                #expect(Dependencies.current[Greeting.self] == "last")
            }
            #expect(Dependencies.current[Greeting.self] == "live")
        }
        #expect(app.failures.isEmpty)
    }

    @Test func preparationDoesNotKeepTaskOverrides() {
        let app = App()
        app.run {
            withDependencies {
                $0[Greeting.self] = "for a moment"
            } operation: {
                prepareDependencies { $0[Unset.self] = "prepared" }
            }
            #expect(Dependencies.current[Greeting.self] == "live")
        }
    }
}
