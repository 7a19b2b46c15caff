import Testing
import WharfDependencies

@Suite struct ContextTests {
    private func inPreview<Key: DependencyKey>(_ key: Key.Type) -> Key.Value {
        withDependencies {
            $0.context = .preview
        } operation: {
            Dependencies.current[key]
        }
    }

    @Test func contextInATestIsTest() {
        #expect(Dependencies.current.context == .test)
    }

    @Test func contextInAnAppIsLive() {
        let app = App()
        #expect(app.run { Dependencies.current.context } == .live)
    }

    @Test func aPreviewReadsThePreviewValue() {
        let app = App()
        #expect(app.run { inPreview(Avatar.self) } == "a drawing")
        #expect(app.run { Dependencies.current[Avatar.self] } == "a photo")
    }

    @Test func previewReadsTheLiveValueWithoutAPreviewValue() {
        let app = App()
        #expect(app.run { inPreview(Greeting.self) } == "live")
        #expect(app.failures.isEmpty)
    }

    @Test func aPreviewValueIsMadeOfPreviewValuesAndMadeOnce() {
        let app = App()
        #expect(app.run { inPreview(Frame.self) } == "a frame around a drawing")
        let values = app.run { (1...2).map { _ in inPreview(MadeOnce<Frame>.self) } }
        #expect(Set(values).count == 1, "found \(values)")
    }

    @Test func aPreviewOfAKeyWithoutAnyValueIsAFailure() {
        let app = App()
        #expect(app.run { inPreview(Unset.self) } == "unimplemented")
        #expect(app.failures.count == 1)
    }

    @Test func anOverrideBeatsThePreviewValue() {
        let value = withDependencies {
            $0.context = .preview
            $0[Avatar.self] = "a fake"
        } operation: {
            Dependencies.current[Avatar.self]
        }
        #expect(value == "a fake")
    }

    @Test func aTestThatAsksForLiveValuesReadsThem() {
        let value = withDependencies {
            $0.context = .live
        } operation: {
            Dependencies.current[Avatar.self]
        }
        #expect(value == "a photo")
    }
}

private enum Avatar: LiveDependencyKey, PreviewDependencyKey {
    static var unimplemented: String { "nothing" }
    static var live: String { "a photo" }
    static var preview: String { "a drawing" }
}

private enum Frame: LiveDependencyKey {
    static var unimplemented: String { "nothing" }
    static var live: String { "a frame around \(Dependencies.current[Avatar.self])" }
}
