import Testing
import WharfCore

struct CodedErrorTests {
    private struct Failure: CodedError {
        struct Code: ErrorCode {
            let name: String
            init(_ name: String) { self.name = name }
        }

        let code = Code("late")
        let message = "the ferry has left"
    }

    @Test func descriptionIsCodeAndMessage() {
        #expect("\(Failure())" == "late: the ferry has left")
        #expect(Failure().cause == nil)
    }

    @Test func errorsOfContractsAreCaughtByTheirShape() {
        let errors: [any Error] = [
            StoreError(.full, message: "no room"), TransportError(.offline, message: "no network"),
            ReadFailure(.nothingKept, message: "never read"), WriteFailure(.refused, message: "not allowed"),
            DeliveryFailure(.rejected, message: "422"),
        ]
        let described = errors.compactMap { error in (error as? any CodedError).map { "\($0.code)|\($0.message)" } }
        #expect(
            described == [
                "full|no room", "offline|no network", "nothingKept|never read", "refused|not allowed", "rejected|422",
            ])
    }
}
