import Foundation
import Testing
import WharfJSON

/// Deep values of a type with large stack frames, on threads with half a megabyte of stack.
@Suite struct SmallStackTests {
    /// 64 KiB are too few for 512 levels of any type.
    @Test(arguments: [256 << 10, 64 << 10], [32, 512]) func decodingEndsInAnErrorOrAValue(
        _ budget: Int, _ depth: Int
    ) async throws {
        let error = await onSmallStack { () -> JSONError? in
            var decoder = CodableJSONDecoder()
            decoder.stackBudget = budget
            let document = Array(
                (String(repeating: #"{"f01":"x","next":"#, count: depth - 1) + "{}"
                    + String(repeating: "}", count: depth - 1))
                    .utf8)
            do {
                #expect(try decoder.decode(Wide.self, from: document).depth == depth)
                return nil
            } catch {
                guard let error = error as? DecodingError, case .dataCorrupted(let context) = error else {
                    Issue.record("\(error)")
                    return nil
                }
                let levels = context.codingPath.count
                let cause = context.underlyingError as? JSONError
                #expect(context.codingPath.allSatisfy { $0.stringValue == "next" })
                #expect(cause?.path.steps.count == levels)
                // The start of that level's object.
                #expect(cause?.location.offset == levels * 18)
                return cause
            }
        }
        if depth == 32 { #expect(error == nil) }
        if depth == 512, budget == 64 << 10 { #expect(error != nil) }
        if let error { #expect(error.code == .tooDeep) }
    }

    @Test(arguments: [256 << 10, 64 << 10], [32, 512]) func encodingEndsInAnErrorOrADocument(
        _ budget: Int, _ depth: Int
    ) async throws {
        let isError = await onSmallStack {
            var encoder = CodableJSONEncoder()
            encoder.stackBudget = budget
            let value = Wide(depth: depth)
            do {
                let document: [UInt8] = try encoder.encode(value)
                #expect(document.count { $0 == UInt8(ascii: "{") } == depth)
                return false
            } catch {
                #expect(error is EncodingError)
                return true
            }
        }
        if depth == 32 { #expect(!isError) }
        if depth == 512, budget == 64 << 10 { #expect(isError) }
    }

    /// A decoder gives the same result again, also for another document.
    @Test func aDecoderThatRanOutOfStackDecodesTheNextDocument() async throws {
        let depths = await onSmallStack { () -> [Int?] in
            var decoder = CodableJSONDecoder()
            decoder.stackBudget = 64 << 10
            return [512, 8, 512, 1].map { depth in
                let document =
                    String(repeating: #"{"next":"#, count: depth - 1) + "{}" + String(repeating: "}", count: depth - 1)
                return (try? decoder.decode(Wide.self, from: Array(document.utf8)))?.depth
            }
        }
        #expect(depths == [nil, 8, nil, 1])
    }

    private func onSmallStack<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    private final class Wide: Codable {
        var f01: String?, f02: String?, f03: String?, f04: String?, f05: String?, f06: String?, f07: String?
        var f08: String?, f09: String?, f10: String?, f11: String?, f12: String?, f13: String?, f14: String?
        var f15: String?, f16: String?, f17: String?, f18: String?, f19: String?, f20: String?, f21: String?
        var f22: String?, f23: String?, f24: String?
        var next: Wide?

        /// Builds the chain without recursion.
        convenience init(depth: Int) {
            self.init()
            for _ in 1..<depth {
                let inner = Wide()
                inner.next = next
                inner.f24 = "x"
                next = inner
            }
        }

        init() {}

        var depth: Int {
            var (count, inner) = (1, next)
            while let level = inner { (count, inner) = (count + 1, level.next) }
            return count
        }
    }
}
