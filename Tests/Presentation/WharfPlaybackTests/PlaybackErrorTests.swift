import Testing
import WharfPlayback

@Suite struct PlaybackErrorTests {
    @Test func anErrorSaysItsCodeMessageAndCause() {
        struct Refused: Error {}
        let error = PlaybackError(.refused, "expected an item, found none", cause: Refused())
        #expect("\(error)" == "refused: expected an item, found none (Refused())")
    }
}
