import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws

@Suite struct BodyProducerLawTests {
    @Test(arguments: BodyProducerLaws.all, [7, 1_000, 65_536])
    func aSlicedBodyKeeps(law: Law<BodyProducerLaws.Subject>, size: Int) async throws {
        try await law.check(.init("SlicedBody") { SlicedBody($0, size: size) })
    }

    @Test(arguments: SlicedBody.Fault.allCases)
    func aBodyThatIsWrongBreaksItsLawAndNoOther(fault: SlicedBody.Fault) async throws {
        let subject = BodyProducerLaws.Subject("\(fault)") { SlicedBody($0, size: 10_000, fault) }
        let names = try await BodyProducerLaws.all.violations(by: subject).map(\.law)
        #expect(names.count == 1 && names[0].contains(fault.rawValue), "broken were \(names)")
    }

    @Test func everyLawIsBrokenBySomeBody() {
        for law in BodyProducerLaws.all {
            #expect(SlicedBody.Fault.allCases.contains { law.name.contains($0.rawValue) }, "nothing breaks \(law)")
        }
    }
}

/// Bytes in chunks of one size.
final class SlicedBody: BodyStream.Producer {
    /// Each raw value is a part of the name of the law that must detect the fault.
    enum Fault: String, CaseIterable {
        case losesABytePerChunk = "the chunks are the bytes"
        case beginsWithNothing = "none is empty"
        case startsAnew = "after its end"
        case looksComplete = "cancels midway"
        case startsAnewWhenLeft = "cancels twice"
    }

    private struct State {
        var rest: ArraySlice<UInt8>
        var hasBegun = false
        var isLeft = false
        var isOver = false
    }

    private let bytes: [UInt8]
    private let size: Int
    private let fault: Fault?
    private let state: Mutex<State>

    init(_ bytes: [UInt8], size: Int, _ fault: Fault? = nil) {
        self.bytes = bytes
        self.size = size
        self.fault = fault
        state = Mutex(State(rest: bytes[...]))
    }

    func next() async throws(TransportError) -> [UInt8]? {
        try state.withLock { state throws(TransportError) in
            if state.isLeft, !state.isOver {
                if fault == .looksComplete { return nil }
                throw TransportError(.cancelled, message: "the body was cancelled")
            }
            if fault == .beginsWithNothing, !state.hasBegun {
                state.hasBegun = true
                return []
            }
            guard !state.rest.isEmpty else {
                if fault == .startsAnew, !state.isOver { state.rest = bytes[...] }
                state.isOver = true
                return nil
            }
            defer { state.rest = state.rest.dropFirst(size) }
            return Array(
                state.rest.prefix(size).dropLast(fault == .losesABytePerChunk && state.rest.count > 9_000 ? 1 : 0))
        }
    }

    func cancel() {
        state.withLock { state in
            if fault == .startsAnew { state.rest = [] }
            if fault == .startsAnewWhenLeft, state.isOver { state.rest = bytes[...] }
            state.isLeft = true
        }
    }
}
