import Foundation
import Testing
import WharfJSON

/// Trees of the maximum depth on half a megabyte of stack, as threads have on Apple platforms.
@Suite struct DeepValueTests {
    enum Shape: CaseIterable, Sendable {
        case arrays, objects, both

        func document(_ depth: Int = 1000, inmost: String = "1") -> [UInt8] {
            let (open, close, levels) =
                switch self {
                case .arrays: ("[", "]", 1)
                case .objects: (#"{"a":"#, "}", 1)
                case .both: (#"[0,{"b":"#, #","c":null},"x"]"#, 2)
                }
            let count = depth / levels
            return Array((String(repeating: open, count: count) + inmost + String(repeating: close, count: count)).utf8)
        }
    }

    private static let deepest = JSONReadingOptions(maximumDepth: .max, duplicateKeys: .reject)

    @Test(arguments: Shape.allCases) func deepValueIsReadAndWritten(_ shape: Shape) async throws {
        try await onSmallStack {
            let document = shape.document()
            let value = try JSON.decode(JSONValue.self, from: JSONBytes(document), options: Self.deepest)
            #expect(try JSON.encode(value) == document)
            #expect(value.description.utf8.elementsEqual(document))
            let error = #expect(throws: JSONError.self) {
                try JSON.decode(JSONValue.self, from: JSONBytes(shape.document(1002)), options: Self.deepest)
            }
            #expect(error?.code == .tooDeep)
        }
    }

    @Test(arguments: Shape.allCases) func deepValueIsComparedAndHashed(_ shape: Shape) async throws {
        try await onSmallStack {
            func read(_ inmost: String) throws -> JSONValue {
                try JSON.decode(
                    JSONValue.self, from: JSONBytes(shape.document(inmost: inmost)), options: Self.deepest)
            }
            let value = try read("1")
            #expect(try read("1") == value)
            #expect(try read("1").hashValue == value.hashValue)
            for other in ["2", "null", "1.0", "\"1\""] {
                // Compared by `!=` outside `#expect`, which would print the tree by recursion if it
                // failed.
                let differs = try read(other) != value
                #expect(differs)
                #expect(try read(other).hashValue != value.hashValue)
            }
        }
    }

    @Test(arguments: Shape.allCases) func deepValueIsSkipped(_ shape: Shape) async throws {
        try await onSmallStack {
            var reader = JSONReader(JSONBytes(shape.document()), options: Self.deepest)
            reader.skipValue()
            try reader.finish()
        }
    }

    @Test(arguments: Shape.allCases) func deepValueIsDecodedAndEncodedWithCodable(_ shape: Shape) async throws {
        try await onSmallStack {
            var decoder = CodableJSONDecoder()
            decoder.maximumDepth = 1000
            let document = shape.document()
            let value = try decoder.decode(JSONValue.self, from: document)
            let encoded: [UInt8] = try CodableJSONEncoder().encode(value)
            #expect(encoded == document)
            decoder.maximumDepth = 999
            #expect(throws: DecodingError.self) { try decoder.decode(JSONValue.self, from: document) }
        }
    }

    @Test(arguments: Shape.allCases) func deepValueCanBeAnUnknownElement(_ shape: Shape) async throws {
        try await onSmallStack {
            let document = shape.document()
            let element = try UnknownElement(kind: "", json: document)
            #expect(try JSON.encode(element.value()) == document)
            #expect(throws: JSONError.self) { try UnknownElement(kind: "", json: shape.document(1002)) }
        }
    }

    private func onSmallStack(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread { continuation.resume(with: Result { try work() }) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }
}
