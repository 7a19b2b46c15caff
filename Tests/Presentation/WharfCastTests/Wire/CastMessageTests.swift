import Testing
import WharfChecks
import WharfFakes
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfCast

@Suite struct CastMessageTests {
    /// Written by Google's protobuf for Python, with the generated code of pychromecast 14.0.10.
    private static let written: [(CastMessage, String)] = [
        (
            CastMessage(
                source: "sender-0", destination: "receiver-0", namespace: Namespace.heartbeat.rawValue,
                payload: .text(#"{"type": "PING"}"#)),
            """
            0800120873656e6465722d301a0a72656365697665722d30222775726e3a782d636173743a636f6d2e676f6f676c652e636173742e7470\
            2e686561727462656174280032107b2274797065223a202250494e47227d
            """
        ),
        (
            CastMessage(
                source: "ü", destination: "receiver-0", namespace: Namespace.heartbeat.rawValue,
                payload: .binary(Array(0..<200))),
            """
            08001202c3bc1a0a72656365697665722d30222775726e3a782d636173743a636f6d2e676f6f676c652e636173742e74702e6865617274\
            6265617428013ac801
            """ + (0..<200).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        ),
    ]

    @Test(arguments: 0..<2) func encodingMatchesGoogleProtobuf(_ index: Int) throws {
        let (message, hex) = Self.written[index]
        #expect(message.encoded == Self.bytes(hex))
        #expect(try CastMessage(encoded: Self.bytes(hex)[...]) == message)
    }

    @Test func messagesRoundTrip() async throws {
        try await forAll(.message) { message in
            let read = try CastMessage(encoded: message.encoded[...])
            try require(read == message, "read \(read)")
        }
    }

    @Test func unknownFieldsAreSkipped() throws {
        let (message, _) = Self.written[0]
        // Field 8 is a number, 9 a text, 1000 has four bytes, 1001 eight.
        let later: [UInt8] = [
            0x40, 0x96, 0x01, 0x4A, 0x02, 0x68, 0x69, 0xC5, 0x3E, 1, 2, 3, 4, 0xC9, 0x3E, 1, 2, 3, 4, 5, 6, 7, 8,
        ]
        #expect(try CastMessage(encoded: (later + message.encoded + later)[...]) == message)
    }

    @Test func lastOfARepeatedFieldWins() throws {
        let (message, _) = Self.written[0]
        let read = try CastMessage(encoded: (message.encoded + [0x12, 0x01, 0x78])[...])
        #expect(read.source == "x")
    }

    @Test(
        arguments: [
            ("nothing", []), ("no source", [0x1A, 0, 0x22, 0, 0x28, 0]),
            ("no destination", [0x12, 0, 0x22, 0, 0x28, 0]),
            ("no namespace", [0x12, 0, 0x1A, 0, 0x28, 0]), ("no type", [0x12, 0, 0x1A, 0, 0x22, 0]),
        ] as [(String, [UInt8])])
    func messageWithoutARequiredFieldIsMalformed(_ what: String, _ bytes: [UInt8]) {
        let error = #expect(throws: PlaybackError.self, "\(what)") { try CastMessage(encoded: bytes[...]) }
        #expect(error?.code == .malformed)
        #expect(error?.message.hasSuffix("or payload type") == true)
    }

    /// Each follows a complete message.
    @Test(
        arguments: [
            ("a field number above zero", [0x02, 0]),
            ("wire type 0, 1, 2 or 5 in field 9", [0x4B, 0x4C]),
            ("the rest of a number", [0x40, 0x80]),
            ("a number of 64 bits", [0x40] + Array(repeating: 0xFF, count: 9) + [0x02]),
            ("5 bytes", [0x12, 5, 0x78]),
            ("18446744073709551615 bytes", [0x12] + Array(repeating: 0xFF, count: 9) + [0x01]),
            ("8 bytes", [0xC9, 0x3E, 1, 2, 3]),
            ("4 bytes", [0xC5, 0x3E, 1, 2, 3]),
            ("UTF-8 in field 2", [0x12, 1, 0xFF]),
            ("the wire type of field 2", [0x10, 1]),
            ("the wire type of field 1", [0x0A, 0]),
        ] as [(String, [UInt8])])
    func malformedBytesAreReportedWithTheExpectation(_ expected: String, _ bytes: [UInt8]) {
        let error = #expect(throws: PlaybackError.self) {
            try CastMessage(encoded: (Self.written[0].0.encoded + bytes)[...])
        }
        #expect(error?.code == .malformed)
        #expect(error?.message.hasPrefix("expected \(expected)") == true, "\(String(describing: error))")
    }

    @Test func largestVarintIsRead() throws {
        let bytes = Self.written[0].0.encoded + [0x40] + Array(repeating: 0xFF, count: 9) + [0x01]
        #expect(try CastMessage(encoded: bytes[...]) == Self.written[0].0)
    }

    /// Random bytes, and messages with some bytes changed or cut off.
    @Test func anyBytesAreAMessageOrMalformed() async throws {
        let broken = Generator<[UInt8]> { choices in
            var bytes = try choices.draw(.message).encoded
            for _ in 0..<(try choices.draw(.int(in: 1...4))) {
                bytes[try choices.draw(.int(in: 0...(bytes.count - 1)))] = try choices.draw(.int(in: 0...UInt8.max))
            }
            return Array(bytes.prefix(try choices.draw(.int(in: 0...bytes.count))))
        }
        try await forAll(.oneOf(.array(of: .int(in: 0...UInt8.max), count: 0...64), broken), runs: 2000) { bytes in
            try await require(onlyThrowing: PlaybackError.self, where: { $0.code == .malformed }) {
                let message = try CastMessage(encoded: bytes[...])
                try require(try CastMessage(encoded: message.encoded[...]) == message, "another message")
            }
        }
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { UInt8(String(UnicodeScalar($0)), radix: 16) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

extension Generator<CastMessage> {
    static var message: Self {
        Generator { choices in
            CastMessage(
                source: try choices.draw(.string()), destination: try choices.draw(.string()),
                namespace: try choices.draw(.string()),
                payload: try choices.draw(.bool)
                    ? .binary(choices.draw(.array(of: .int(in: 0...UInt8.max), count: 0...300)))
                    : .text(choices.draw(.string())))
        }
    }
}
