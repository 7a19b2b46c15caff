import Testing

@testable import WharfChecks

/// Ten thousand tests at the same time, with the code of the trait and the real clock.
@Suite(.serialized) struct LeaksUnderLoadTests {
    private static let count = 10_000
    private static let grace = GracePeriod(duration: GracePeriod.usual, clock: ContinuousClock())

    @Test func eachOfSixKindsOfLeakIsCaughtInTenThousandTestsAtOnce() async throws {
        let found = try await withThrowingTaskGroup { group in
            for index in 0..<Self.count {
                group.addTask { try await Self.leak(holders[index % holders.count]) }
            }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(found.values.reduce(0, +) == Self.count)
        for (index, holder) in holders.enumerated() {
            #expect(found["\(holder)"] == (Self.count + holders.count - 1 - index) / holders.count)
        }
    }

    @Test func noCleanTestFailsUnderLoad() async throws {
        let failures = Failures()
        try await withThrowingTaskGroup { group in
            for index in 0..<Self.count {
                group.addTask {
                    try await LeakScope.run(Self.grace) {
                        let kind = Clean.allCases[index % Clean.allCases.count]
                        track(kind.make()) { failures.add("\(kind): \($0)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(failures.messages == [])
    }

    /// Returns the type of the leaked object, once the leak is found and the object has let go.
    private static func leak(_ holder: any Holder.Type) async throws -> String {
        let failures = Failures()
        let reference = WeakReference<AnyObject>()
        try await LeakScope.run(grace) {
            let object = holder.init()
            reference.refer(to: object)
            track(object) { failures.add($0) }
        }
        let message = try #require(failures.messages.first)
        #expect(failures.messages.count == 1)
        #expect(message.hasPrefix("expected \(holder) to be released after the test, but it is still alive"))
        (reference.object as? any Holder)?.letGo()
        // So no other reference held it, including the check itself.
        #expect(await grace.passes { reference.object == nil })
        return "\(holder)"
    }
}

/// Does the same as `trackForLeaks`, with another failure.
func track(_ object: AnyObject, fail: @escaping @Sendable (String) -> Void) {
    guard LeakScope.current?.track(object, isolation: nil, fail: fail) == true else { return fail("not tracked") }
}
