import Testing

/// The ledger finds each broken promise. Real processes never produce these histories.
@Suite struct LedgerTests {
    /// Two rounds. The process of the first was killed, and both processes have enqueued entries.
    private var ledger = Ledger()

    private let a = Ledger.Entry(lane: 0, process: 1, serial: 0)
    private let b = Ledger.Entry(lane: 0, process: 1, serial: 1)
    private let c = Ledger.Entry(lane: 0, process: 2, serial: 0)
    private let d = Ledger.Entry(lane: 0, process: 2, serial: 1)

    init() {
        ledger.starts(1, round: 1)
    }

    private mutating func restart(killed: Bool = true) {
        ledger.ends(1, saying: ["begins \(a)", "enqueued \(a)", "begins \(b)", "enqueued \(b)"], killed: killed)
        ledger.starts(2, round: 2)
    }

    private mutating func send(
        _ entries: Ledger.Entry..., to destination: String = "api", by process: Int, isGood: Bool = true,
        hasEffect: Bool = true
    ) {
        let number = ledger.arrives(entries, at: destination, from: process)
        if hasEffect { for entry in entries { ledger.has(entry, effectAt: destination) } }
        ledger.leaves(number, isGood: isGood)
    }

    private mutating func violations() -> [String] {
        ledger.ends(2, saying: [], killed: false)
        return ledger.violations(rows: [])
    }

    @Test mutating func correctRunHasNoViolations() {
        send(a, by: 1)
        restart()
        // Sent again without a second effect.
        send(a, by: 2, hasEffect: false)
        send(b, by: 2)
        send(a, b, to: "mirror", by: 2)
        #expect(violations().isEmpty)
        #expect(ledger.sentAgain == 1)
    }

    @Test mutating func lostEntryIsDetected() {
        restart()
        send(a, by: 2)
        send(a, b, to: "mirror", by: 2)
        #expect(violations() == ["\(b) never came to api"])
    }

    @Test mutating func duplicateEffectIsDetected() {
        send(a, by: 1)
        restart()
        send(a, by: 2)
        send(b, by: 2)
        send(a, b, to: "mirror", by: 2)
        #expect(violations().contains("1 effects twice at api"))
    }

    @Test mutating func wrongOrderWithinALaneIsDetected() {
        restart()
        send(b, by: 2)
        send(a, by: 2)
        send(a, b, to: "mirror", by: 2)
        #expect(violations() == ["\(a) came to api after those behind it"])
    }

    @Test mutating func wrongOrderAcrossProcessesIsDetected() {
        restart()
        send(a, by: 2)
        send(c, by: 2)
        send(b, by: 2)
        send(a, b, c, to: "mirror", by: 2)
        ledger.ends(2, saying: ["begins \(c)", "enqueued \(c)"], killed: false)
        #expect(ledger.violations(rows: []) == ["\(b) came to api after those behind it"])
    }

    @Test mutating func resendOfMoreThanABatchIsDetected() {
        send(a, by: 1)
        send(b, by: 1)
        restart()
        send(a, by: 2, hasEffect: false)
        send(b, by: 2, hasEffect: false)
        send(a, b, to: "mirror", by: 2)
        #expect(violations() == ["2 of lane 0 were sent again to api after process 1"])
    }

    @Test mutating func eachKillMaySendABatchAgain() {
        send(a, by: 1)
        restart()
        _ = ledger.arrives([a], at: "api", from: 2)
        ledger.ends(2, saying: [], killed: true)
        ledger.starts(3, round: 3)
        send(a, by: 3, hasEffect: false)
        send(b, by: 3)
        send(a, b, to: "mirror", by: 3)
        #expect(violations().isEmpty)
        #expect(ledger.sentAgain == 2)
    }

    @Test mutating func resendWithoutAKillIsDetected() {
        send(a, by: 1)
        send(b, by: 1)
        restart(killed: false)
        send(a, by: 2, hasEffect: false)
        send(a, b, to: "mirror", by: 2)
        #expect(violations() == ["\(a) was sent again to api by 2, without a kill"])
    }

    @Test mutating func resendAfterABadAnswerIsAllowed() {
        send(a, by: 1, isGood: false)
        send(a, by: 1, hasEffect: false)
        restart()
        send(b, by: 2)
        send(a, b, to: "mirror", by: 2)
        #expect(violations().isEmpty)
    }

    @Test mutating func concurrentSendsOfALaneAreDetected() {
        _ = ledger.arrives([a], at: "api", from: 1)
        _ = ledger.arrives([b], at: "mirror", from: 1)
        #expect(ledger.faults.isEmpty)
        _ = ledger.arrives([b], at: "api", from: 1)
        #expect(ledger.faults.count == 1)
    }

    @Test(arguments: [true, false])
    mutating func takeoverWithinARoundRequiresAKill(isKilled: Bool) {
        let number = ledger.arrives([a], at: "api", from: 1)
        send(a, to: "mirror", by: 1)
        ledger.starts(2, round: 1)
        // The first process's death is not known yet.
        send(a, by: 2)
        send(a, to: "mirror", by: 2, hasEffect: false)
        ledger.leaves(number, isGood: true)
        ledger.ends(1, saying: ["begins \(a)", "enqueued \(a)"], killed: isKilled)
        #expect(violations().count == (isKilled ? 0 : 2))
    }

    @Test mutating func requestsOfAKilledProcessAreNoFault() {
        _ = ledger.arrives([a], at: "api", from: 1)
        restart()
        _ = ledger.arrives([a], at: "api", from: 2)
        _ = ledger.arrives([a], at: "api", from: 1)
        #expect(ledger.faults.isEmpty)
    }

    @Test mutating func changedBytesUnderAKeyAreDetected() {
        ledger.refuses(a, at: "api")
        #expect(ledger.faults.count == 1)
    }

    @Test mutating func entityWithoutItsEntryIsDetected() {
        restart()
        send(a, by: 2)
        send(b, by: 2)
        send(a, b, to: "mirror", by: 2)
        ledger.ends(2, saying: ["begins \(d)"], killed: false)
        #expect(ledger.violations(rows: [b]).isEmpty)
        #expect(ledger.violations(rows: [d]).count == 2)
    }

    @Test mutating func unknownEntryIsDetected() {
        restart()
        for entry in [a, b, c] { send(entry, by: 2) }
        send(a, b, to: "mirror", by: 2)
        #expect(violations() == ["\(c) came to api, and nobody has enqueued it"])
    }
}
